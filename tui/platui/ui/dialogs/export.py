"""Exporting a part of the access report: in which form, and under which name."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from textual.binding import Binding
from textual.widgets import Input

from platui.core.text import clean
from platui.models.values.downloads import Progress
from platui.models.values.exports import ExportFormat
from platui.present.artifacts import progress_line
from platui.present.counts import counted
from platui.ui.dialogs.replacing import ReplacingDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.binding import BindingType

    from platui.present.chrome import Pieces


class Write(Protocol):
    """Writes rows to a file."""

    async def __call__(
        self, form: ExportFormat, target: Path, tell: Callable[[float], None], *, replace: bool
    ) -> int:
        """Return how many were written; `tell` takes the share that is, in another thread."""
        ...


_FORMS: Final = {
    ExportFormat.CSV: "CSV, for spreadsheets",
    ExportFormat.JSON_LINES: "JSON lines, for programs",
    ExportFormat.MARKDOWN: "Markdown, for people",
}
_WHOLE: Final = 1000
"""Parts that the share of what is written is told in."""


class ExportDialog(ReplacingDialog):
    """`tab` changes the form, and the end of the name with it."""

    ROOM = 40

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="save.leave"),
        Binding("tab", "switch", "Other form", id="save.switch", priority=True),
    ]

    def __init__(self, what: str, name: str, write: Write) -> None:
        """Prepare to ask.

        Args:
            what: what is exported, in words.
            name: the name to offer, without its end.
            write: writes it.
        """
        self._form = ExportFormat.CSV
        title = ((" Export  ", "strong"), (clean(what), "text"))
        super().__init__(title, f"{name}.{self._form.value}")
        self._write_rows = write

    def wish(self) -> str:
        """Return the form."""
        return _FORMS[self._form]

    def keys(self) -> Pieces:
        """Return what enter does now, and that there are other forms."""
        return (
            (" enter", "key"), (f" {self.enter_does}   ", "muted"), ("tab", "key"),
            (" other form   ", "muted"), ("esc", "key"), (" leave", "muted"),
        )  # fmt: skip

    async def write_to(self, target: Path, *, replace: bool) -> str:
        """Write the rows."""

        def tell(share: float) -> None:
            self.note(Progress(int(share * _WHOLE), _WHOLE))

        rows = await self._write_rows(self._form, target, tell, replace=replace)
        return f"Saved {target} ({counted(rows, 'row')})."

    def how_far(self, progress: Progress | None) -> Pieces:
        """Return how far it is, as a bar."""
        if progress is None:
            return ((" Writing …", "muted"),)
        bar, rest, percent, *_ = progress_line(progress, 0.0)
        return ((" ", "text"), bar, rest, percent)

    def action_switch(self) -> None:
        """Take the next form; the name keeps its beginning where it ended as the form before."""
        if self.is_writing:
            return
        forms = list(_FORMS)
        before = f".{self._form.value}"
        self._form = forms[(forms.index(self._form) + 1) % len(forms)]
        typed = self.query_one(Input)
        if typed.value.endswith(before):
            typed.value = f"{typed.value.removesuffix(before)}.{self._form.value}"
        self.ask()
