"""A scrollable pane with the details of one resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.message import Message

from platui.ui.active_keys import bind
from platui.ui.themes import palette_of
from platui.ui.widgets.bar import fit_pieces
from platui.ui.widgets.detail_lines import Line, detail_lines
from platui.ui.widgets.scrolling import RowsView, move_keys, refresh_changed

if TYPE_CHECKING:
    from textual.strip import Strip

    from platui.present.details.layout import Details

_NOTHING = Line("", "", "text")
_EDGES = 3  # Cells of margin and thumb


class DetailPane(RowsView):
    DEFAULT_CSS = "DetailPane { width: 1fr; height: 1fr; }"
    BINDINGS = [
        *move_keys("detail", "line"),
        bind("escape,left", "detail.leave", "Leave", "Go back to the list"),
    ]

    class Left(Message):
        """The user leaves the pane."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._details: Details | None = None
        self._lines: list[Line] = []

    def show(self, details: Details | None) -> None:
        """Show details; the scroll position stays while the title is the same."""
        if details == self._details:
            return
        if details is None or self._details is None or details.title != self._details.title:
            self._window.move_to(0)
        before, top = self._lines, self._window.top
        self._details = details
        self._lay_out()
        if self._window.top != top or len(before) != len(self._lines) > self.size.height:
            self.refresh()
        else:
            # Repaint changed lines only: a slow connection shows every extra byte.
            refresh_changed(self, self._in_sight(before), self._in_sight(self._lines))

    def _in_sight(self, lines: list[Line]) -> list[Line]:
        shown = lines[self._window.top :][: self.size.height]
        return shown + [_NOTHING] * (self.size.height - len(shown))

    def on_resize(self) -> None:
        self._lay_out()
        self.refresh()  # the first paint may precede the size

    def _lay_out(self) -> None:
        if self._details is None:
            self._lines = []
        else:
            self._lines = detail_lines(self._details, max(0, self.size.width - _EDGES))
        self._window.fit(self.size.height, len(self._lines))

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def render_line(self, y: int) -> Strip:
        palette, room = palette_of(self.app), self.size.width - 1
        number = self._window.top + y
        line = self._lines[number] if number < len(self._lines) else _NOTHING
        label = set_cell_size(line.label, line.indent)
        pieces = ((" ", "text"), (label, "muted"), (line.text, line.role))
        segments = fit_pieces(pieces, room, palette.base, palette)
        if line.rule:
            rule = "─" * (room - cell_len(label + line.text) - 3)
            segments.append(Segment(f" {rule} ", palette.track))
        return self.row_strip(y, segments, palette.base)
