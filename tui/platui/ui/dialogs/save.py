"""Saving a log: under which name, as text or as it came, and how far that is."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.errors import NameTakenError
from platui.core.paths import folder_here, typed_path, whole_path
from platui.core.text import shorten
from platui.present.artifacts import progress_line
from platui.present.sizes import human_bytes
from platui.service.log_saving import BytesOf, TextOf, save_log
from platui.ui.dialogs.saving import SavingDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.core.errors import PlatuiError
    from platui.models.values.downloads import Progress
    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces


READING: Final = 0.3
"""Seconds in which nobody has read that a file is to be replaced."""


class SaveDialog(SavingDialog):
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
        self._tried: Path | None = None
        """The file that was last to be written."""
        self._asked: Path | None = None
        """The file that the next enter replaces."""
        self._asked_at = 0.0

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
        verb = "replace it" if self._asked is not None else "save"
        other = "plain text" if self._raw else "the bytes as they came"
        return (
            (" enter", "key"), (f" {verb}   ", "muted"), ("tab", "key"),
            (f" {other}   ", "muted"), ("esc", "key"), (" leave", "muted"),
        )  # fmt: skip

    def another_name(self) -> None:
        """Have nothing replaced under a name that was not asked about."""
        if self._asked is not None:
            self._asked = None
            self.tell_keys()

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        """Have nothing replaced by an enter that was pressed before the question was read."""
        if self._asked is not None and monotonic() - self._asked_at < READING:
            event.stop()
            event.prevent_default()

    async def write(self, name: str) -> str:
        """Write the text or the bytes of the log."""
        what = BytesOf(self._document) if self._raw else TextOf(self._document)
        target = self._tried = whole_path(typed_path(name))
        size = await save_log(what, target, self.note, replace=target == self._asked)
        return f"Saved {target} ({human_bytes(size)})."

    def refuse(self, error: PlatuiError) -> None:
        """Say what stood in the way; where that is a file, another enter replaces it."""
        if not isinstance(error, NameTakenError):
            super().refuse(error)
            return
        self._asked, self._asked_at = self._tried, monotonic()
        self.say(
            ((" There is a file of that name. ", "warning"),
             ("enter", "key"), (" replaces it.", "muted")),
            of_name=True,
        )  # fmt: skip

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
