"""Saving a log: under which name, as text or as it came, and how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.paths import folder_here
from platui.core.text import shorten
from platui.present.artifacts import progress_line
from platui.present.sizes import human_bytes
from platui.service.log_saving import BytesOf, TextOf, save_log
from platui.ui.dialogs.replacing import ReplacingDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
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
        super().__init__()
        self._document = document
        self._name_offered = name
        self._raw = False

    def compose(self) -> ComposeResult:
        """Yield the question, the name, and how far it is."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield from self.ask_name(self._name_offered)
            yield Bar(id="how")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask."""
        self.query_one("#title", Bar).show(((" Save the log", "strong"),))
        self.set_focus(self.query_one(Input))
        self._ask()

    def _ask(self) -> None:
        """Show what is asked, and the keys that answer."""
        kind = "the bytes as they came" if self._raw else "plain text"
        here = shorten(folder_here(), 44)
        self.question.show(((f" save {kind} as   (in {here})", "muted"),))
        self.tell_keys()

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
            self._ask()
