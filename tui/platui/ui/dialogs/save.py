"""Saving a log: under which name, as text or as it came, and how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.present.artifacts import progress_line
from platui.present.sizes import human_bytes
from platui.service.log_saving import BytesOf, TextOf, save_log
from platui.ui.dialogs.replacing import ReplacingDialog

if TYPE_CHECKING:
    from pathlib import Path

    from textual.binding import BindingType

    from platui.models.values.downloads import Progress
    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces


class SaveDialog(ReplacingDialog):
    """Asks for a name; one that is taken is replaced only by a second enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="save.leave"),
        Binding("tab", "switch", "Text or bytes", id="save.switch", priority=True),
    ]

    def __init__(self, document: LogDocument, name: str) -> None:
        """Prepare to ask.

        Args:
            document: the log.
            name: the name to offer.
        """
        super().__init__(((" Save the log", "strong"),), name)
        self._document = document
        self._raw = False

    def wish(self) -> str:
        """Return whether it is text or bytes."""
        return f"save {'the bytes as they came' if self._raw else 'plain text'} as"

    def keys(self) -> Pieces:
        """Return what enter does now, and what else could be saved."""
        other = "plain text" if self._raw else "the bytes as they came"
        return (
            (" enter", "key"), (f" {self.enter_does}   ", "muted"), ("tab", "key"),
            (f" {other}   ", "muted"), ("esc", "key"), (" leave", "muted"),
        )  # fmt: skip

    async def write_to(self, target: Path, *, replace: bool) -> str:
        """Write the text or the bytes of the log."""
        what = BytesOf(self._document) if self._raw else TextOf(self._document)
        size = await save_log(what, target, self.note, replace=replace)
        return f"Saved {target} ({human_bytes(size)})."

    def how_far(self, progress: Progress | None) -> Pieces:
        """Return how far it is, as a bar; what is counted may be lines or bytes."""
        if progress is None:
            return ()
        bar, rest, percent, *_ = progress_line(progress, 0.0)
        return ((" ", "text"), bar, rest, percent)

    def action_switch(self) -> None:
        """Save the bytes instead of the text, or the text again."""
        if not self.is_writing:
            self._raw = not self._raw
            self.ask()
