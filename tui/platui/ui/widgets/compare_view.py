"""View of a log comparison; only the visible rows are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.strip import Strip

from platui.core.dataclass import dataclass
from platui.present.logs.compared_rows import ComparedRows
from platui.ui.active_keys import bind
from platui.ui.messages import ShowHint
from platui.ui.themes import palette_of
from platui.ui.widgets.compare_canvas import CompareCanvas, LogComparison
from platui.ui.widgets.scrolling import (
    Look,
    RowCursor,
    ScrolledView,
    cropped,
    move_keys,
    refresh_changed,
    side_keys,
    thumb_rows,
)
from platui.ui.widgets.view_messages import LatestMessage, ViewMessage

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Region

SIDE_BY_SIDE: Final = 140  # Columns from which the logs are shown side by side

_OPEN: Final = "Open the job's log at this line, or expand folded lines"


class CompareView(ScrolledView):
    """Shows a comparison; equal lines are folded, `n` goes to the next difference."""

    DEFAULT_CSS = "CompareView { width: 1fr; height: 1fr; }"

    BINDINGS = [
        *move_keys("compare", "row"),
        *side_keys("compare"),
        bind("n", "compare.next", "Next", "Go to the next difference", action="next(1)"),
        bind(
            "N", "compare.previous", "Previous", "Go to the previous difference", action="next(-1)"
        ),
        bind("z", "compare.expand", "Expand", "Show or hide the equal lines here"),
        bind("Z", "compare.expand_all", "Expand all", "Show or hide all equal lines"),
        bind("enter", "compare.open", "In the log", _OPEN),
    ]

    class Moved(LatestMessage):
        """The cursor or the rows changed."""

    @dataclass
    class LineChosen(ViewMessage):
        """The user opens a line in its log."""

        line: int  # Of the right log, from 0

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._shown: LogComparison | None = None
        self.rows: ComparedRows | None = None
        self._unfolded: frozenset[tuple[int, int]] = frozenset()
        self.unfolds_all = False  # Whether equal lines are shown
        self._cursor = RowCursor()
        self._opening: int | None = None  # The line to show after the first layout
        self._canvas: CompareCanvas | None = None
        self._strips: list[Strip] = []

    @property
    def cursor(self) -> int:
        return self._cursor.row

    def show(self, shown: LogComparison, opening: int | None) -> None:
        """Show a comparison at a line of the right log; None keeps the current line."""
        here = self._right_line() if opening is None else opening
        self._shown = shown
        self._fold(here, unfolds_all=self.unfolds_all and opening is None)

    def _fold(self, line: int, *, unfolds_all: bool) -> None:
        """Fold all equal lines, or none, and go to a line of the right log."""
        self._unfolded, self.unfolds_all = frozenset(), unfolds_all
        self._lay_out()
        self.go_to_line(line)

    def clear(self) -> None:
        self._shown = self.rows = self._canvas = None
        self._unfolded, self.unfolds_all = frozenset(), False
        self._cursor = RowCursor()
        self.left = 0
        self.settle()

    def go_to_line(self, line: int) -> None:
        self._opening = line if self.size.height == 0 else None
        if self.rows is not None:
            self._go_to(self.rows.row_of(line))

    def _go_to(self, row: int) -> None:
        self._cursor.go_to(row)
        self.settle()

    def _lay_out(self) -> None:
        if self._shown is None:
            return
        self.rows = ComparedRows(
            self._shown.comparison,
            self._shown.right.sections,
            is_wide=self.size.width >= SIDE_BY_SIDE,
            unfolded=self._unfolded,
            unfolds_all=self.unfolds_all,
        )
        self._canvas = None
        self._cursor.fit(self.size.height, self.rows.count)

    def _right_line(self) -> int:
        if self.rows is None:
            return 0
        for y in range(self._cursor.row, self.rows.count):
            row = self.rows.row(y)
            if row.right is not None:
                return row.right
        return max(0, self.rows.comparison.right.end - 1)

    # Keys and mouse

    def action_move(self, rows: int) -> None:
        self._point_at(self._cursor.row + rows)

    def page(self, rows: int) -> None:
        self._cursor.page(rows)
        self.settle()

    def wheel(self, rows: int) -> None:
        self._cursor.scroll(rows)
        self.settle()

    def action_top(self) -> None:
        self._point_at(0)

    def action_end(self) -> None:
        self._point_at(self._cursor.window.count - 1)

    def _point_at(self, row: int) -> None:
        self._cursor.point_at(row)
        self.settle()

    @property
    def room(self) -> int:
        canvas = self._canvas_now()
        return self.size.width if canvas is None else canvas.room

    def widest(self, most: int) -> int:
        canvas, window = self._canvas_now(), self._cursor.window
        return 0 if canvas is None else canvas.widest(window.top, window.height, most)

    def action_next(self, step: int) -> None:
        if self.rows is None:
            return
        before = self._cursor.row
        row = self.rows.next_difference(before, step)
        if row is None:
            self.post_message(ShowHint("No difference in these logs."))
            return
        if (row - before) * step <= 0:
            where = "top" if step > 0 else "end"
            self.post_message(ShowHint(f"Continued from the {where}."))
        self._go_to(row)

    def action_expand(self) -> None:
        if self.rows is None or not self._cursor.window.count:
            return
        row = self.rows.row(self._cursor.row)
        if row.fold is not None and row.left is not None and row.right is not None:
            self._unfolded |= {(row.left, row.right)}
            self._lay_out()
            self.settle()
        elif self._unfolded or self.unfolds_all:
            self._fold(self._right_line(), unfolds_all=False)

    def action_expand_all(self) -> None:
        self._fold(self._right_line(), unfolds_all=not self.unfolds_all)

    def action_open(self) -> None:
        if self.rows is None or not self._cursor.window.count:
            return
        if self.rows.row(self._cursor.row).fold is not None:
            self.action_expand()
        else:
            self.post_message(self.LineChosen(self, self._right_line()))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        row = self._cursor.window.top + event.y
        if row < self._cursor.window.count:
            if row == self._cursor.row:
                self.action_open()
            else:
                self._point_at(row)

    # painting

    def on_mount(self) -> None:
        self.settle()

    def on_resize(self) -> None:
        is_wide = self.size.width >= SIDE_BY_SIDE
        line = self._right_line() if self._opening is None else self._opening
        if self.rows is not None and self.rows.is_wide is not is_wide:
            self._lay_out()
            self.go_to_line(line)
        elif self._opening is not None:
            self.go_to_line(line)
        self.settle()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips without Textual's style cache."""
        if self._canvas_now() is not self._canvas or len(self._strips) != self.size.height:
            self._paint()
        return cropped(self._strips[crop.y : crop.bottom], crop, self.size.width)

    def settle(self) -> None:
        height = self.size.height
        self._cursor.fit(height, self.rows.count if self.rows is not None else 0)
        if self.is_mounted and height > 0:
            before, canvas = self._strips, self._canvas
            self._paint()
            refresh_changed(self, before if self._canvas is canvas else (), self._strips)
        if self.is_mounted:
            self.post_message(self.Moved(self))

    def forget_strips(self) -> None:
        if self._canvas is not None:
            self._canvas.forget_strips()

    def _paint(self) -> None:
        canvas = self._canvas = self._canvas_now()
        height, width = self.size.height, self.size.width
        if canvas is None:
            self._strips = [Strip.blank(width, palette_of(self.app).base)] * height
            return
        window = self._cursor.window
        thumb = thumb_rows(height, window.top, window.count)
        self._strips = canvas.lines(window.top, height, self.left, self._cursor.row, thumb)

    def _canvas_now(self) -> CompareCanvas | None:
        shown, rows = self._shown, self.rows
        if shown is None or rows is None:
            return None
        look, known = Look.of(self), self._canvas
        if known is not None and known.rows is rows and known.look == look:
            return known
        return CompareCanvas(rows, shown, look)
