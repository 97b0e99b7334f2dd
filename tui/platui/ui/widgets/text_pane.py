"""A pane of text in a dialog, which scrolls if it is too high."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from platui.ui.active_keys import bind
from platui.ui.themes import palette_of
from platui.ui.widgets.bar import fit_pieces
from platui.ui.widgets.detail_lines import wrapped
from platui.ui.widgets.scrolling import RowsView, move_keys

if TYPE_CHECKING:
    from textual.geometry import Size
    from textual.strip import Strip

    from platui.present.chrome import Piece, Pieces


_EDGES = 2  # Cells of the margin on the left and the thumb on the right
_HANG = 2  # Extra indent of wrapped lines, in cells


class TextPane(RowsView, can_focus=False):
    """Shows wrapped paragraphs or cut rows; the dialog passes keys to it."""

    DEFAULT_CSS = "TextPane { width: 1fr; height: auto; }"
    BINDINGS = [
        *move_keys("preview", "line"),
        bind("escape", "preview.leave", "Leave", "Go back to the form"),
    ]

    class Left(Message):
        """The user leaves the pane."""

    def __init__(self, *, id: str | None = None, has_keys: bool = False) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self.can_focus = has_keys
        self._paragraphs: tuple[Piece, ...] | None = ()
        self._lines: Sequence[Pieces] = ()

    @property
    def text(self) -> str:
        return "\n".join("".join(text for text, _ in line) for line in self._lines)

    def show(self, paragraphs: Iterable[Piece]) -> None:
        """Show paragraphs, wrapped to the width."""
        shown = tuple(paragraphs)
        if shown != self._paragraphs:
            self._paragraphs = shown
            self._set(self._broken(self.size.width or self.app.size.width))

    def show_rows(self, rows: Sequence[Pieces]) -> None:
        self._paragraphs = None
        self._set(rows)

    def _set(self, lines: Sequence[Pieces]) -> None:
        before, self._lines = len(self._lines), lines
        self._window.fit(self.size.height, len(lines))
        self.refresh(layout=before != len(lines))

    def _broken(self, width: int) -> list[Pieces]:
        room = max(1, width - _EDGES)
        return [
            ((piece, role),)
            for text, role in self._paragraphs or ()
            for piece in _lines_of(text, room)
        ]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        if self._paragraphs is not None:
            self._lines = self._broken(width)
        return len(self._lines)

    def on_resize(self) -> None:
        self._window.fit(self.size.height, len(self._lines))
        self.refresh()

    def reveal(self, row: int) -> None:
        self._window.reveal(row)
        self.refresh()

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def render_line(self, y: int) -> Strip:
        palette = palette_of(self.app)
        number = self._window.top + y
        line = self._lines[number] if number < len(self._lines) else ()
        shown = ((" ", "text"), *line)
        segments = fit_pieces(shown, self.size.width - 1, palette.base, palette)
        return self.row_strip(y, segments, palette.base)


def _lines_of(text: str, room: int) -> list[str]:
    inner = text.lstrip(" ")
    lead = len(text) - len(inner)
    if not inner or len(text) <= room:
        return wrapped(text, room)
    hang = " " * min(lead + _HANG, room // 2) if lead else ""
    first, *rest = wrapped(inner, max(1, room - len(hang)))
    return [" " * min(lead, room // 2) + first, *(hang + line for line in rest)]
