"""The table widget; unlike Textual's DataTable it lays out visible rows only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from textual import events

from platui.core.dataclass import dataclass
from platui.models.values.table import Cell, Column, Row, SortKey
from platui.present.tables.column_widths import lay_out
from platui.ui.active_keys import bind
from platui.ui.widgets.scrolling import Look, ScrolledView, cropped, move_keys, refresh_changed
from platui.ui.widgets.table.canvas import MARGINS, Canvas, RenderOptions, RowLine
from platui.ui.widgets.table.clicks import TableClicks
from platui.ui.widgets.table.messages import TableMessages
from platui.ui.widgets.table.view import TableView
from platui.ui.widgets.view_messages import LatestMessage, ViewMessage

if TYPE_CHECKING:
    from textual.geometry import Region
    from textual.strip import Strip


_MARK: Final = "Mark or unmark the row, and move down"


class Table(ScrolledView):
    """A table of rows with keys; the cursor stays on its row. Borders belong on a container."""

    DEFAULT_CSS = "Table { width: 1fr; height: 1fr; }"
    BINDINGS = [
        *move_keys("table", "row"),
        bind("enter", "table.open", "Open", "Open the row"),
        bind("space", "table.mark", "Mark", _MARK),
    ]

    @dataclass
    class RowOpened(ViewMessage):
        """The user opens a row."""

        key: str

    @dataclass
    class HeadClicked(ViewMessage):
        """The user clicks a column head."""

        column: str

    @dataclass
    class RowClicked(ViewMessage):
        """The user clicks a row."""

        at: float  # Monotonic seconds

    @dataclass
    class CursorMoved(LatestMessage):
        """The cursor is on another row; None: no rows."""

        key: str | None

    class WindowChanged(LatestMessage):
        """The visible rows changed."""

    @dataclass
    class MarksChanged(ViewMessage):
        """The marked rows changed."""

        marks: frozenset[str]

    class LaidOut(LatestMessage):
        """The widths of columns may have changed."""

    @dataclass
    class MoreWanted(ViewMessage):
        """The window is near the end: load more rows."""

        pages: int = 1  # Number of pages to load
        again: bool = False  # Whether they were requested before: that may have failed

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        id: str | None = None,  # noqa: A002  (as every widget calls it)
        empty: str = "",
        lit: bool = False,
        header: bool = True,
    ) -> None:
        super().__init__(id=id)
        self._lit = lit  # Whether the cursor looks focused without the focus
        self._header = header
        self._view = TableView(columns)
        self._empty = Cell(empty, "muted")
        self._canvas: Canvas | None = None
        self._lines: list[RowLine | Strip] = []
        self._messages = TableMessages(self, self._view)
        self._clicks = TableClicks(self, self._view)

    @property
    def cursor_key(self) -> str | None:
        return self._view.cursor_key

    @property
    def cursor_row(self) -> Row | None:
        return self._view.cursor_row

    @property
    def is_at_top(self) -> bool:
        return not self._view.cursor and not self._view.top

    @property
    def sort(self) -> SortKey | None:
        """Return the sort column; None: rows are in the given order."""
        return self._view.rows.sort

    @property
    def nonblank_columns(self) -> Sequence[Column]:
        """Return the columns with text, including those that do not fit."""
        rows = self._view.rows
        return [column for at, column in enumerate(rows.columns) if at not in rows.blank]

    @property
    def filter_text(self) -> str:
        return self._view.rows.filter_text

    @property
    def marks(self) -> frozenset[str]:
        return self._view.rows.marks

    @property
    def total_count(self) -> int:
        """Return the number of rows, without headings."""
        return self._view.rows.counts[1]

    @property
    def shown_count(self) -> int:
        return self._view.rows.counts[0]

    @property
    def hidden_count(self) -> int:
        shown, total = self._view.rows.counts
        return total - shown

    @property
    def content_height(self) -> int:
        """Return the lines of header and rows."""
        return self._header + self._view.lines.total

    def visible_keys(self) -> tuple[str, ...]:
        return self._view.visible_keys

    @property
    def shown_rows(self) -> Sequence[Row]:
        """Return the filtered rows, in order. Do not change it."""
        return self._view.rows.shown

    def index_of(self, key: str) -> int | None:
        return self._view.rows.index_of(key)

    def column_width(self, key: str) -> int:
        rows = self._view.rows
        columns = rows.columns
        slots = lay_out(columns, self.size.width - MARGINS, rows.blank, rows.needs).slots
        return next((slot.width for slot in slots if columns[slot.index].key == key), 0)

    def column_at(self, x: int) -> str | None:
        """Return the column with a title at an offset from the left."""
        return self._paint().column_at(x)

    def show(self, rows: Sequence[Row], *, stays: bool = False, anchored: bool = False) -> None:
        """Replace the rows (see `TableView.show`), and repaint what changed."""
        before = self._view.rows.blank, self._view.rows.needs
        self._view.show(rows, stays=stays, anchored=anchored)
        self.settle()
        if before != (self._view.rows.blank, self._view.rows.needs):
            self.post_message(self.LaidOut(self))

    def set_columns(self, columns: Sequence[Column]) -> None:
        self._view.set_columns(columns)
        self.settle()

    def set_empty(self, text: str, role: str = "muted") -> None:
        self._empty = Cell(text, role)
        self.settle()

    def sort_by(self, key: str | None, descending: bool = False) -> None:  # noqa: FBT001, FBT002  (together they are a SortKey)
        self._view.sort_by(None if key is None else (key, descending))
        self.settle()

    def set_filter(self, text: str) -> None:
        """Show only rows with every word of a text, and without words after a `!`."""
        self._view.set_filter(text)
        self.settle()

    @property
    def top(self) -> int:
        """Return the first visible line, counted in lines of the shown rows."""
        return self._view.top

    def move_to(self, key: str, *, top: int | None = None) -> bool:
        """Move the cursor to a row; `top`: scroll to a line first."""
        found = self._view.move_to_key(key, top)
        self.settle()
        return found

    def toggle_mark(self) -> None:
        if (key := self.cursor_key) is not None:
            self._view.rows.toggle_mark(key)
            self.settle()

    def mark(self, keys: Iterable[str]) -> None:
        self._view.rows.mark(keys)
        self.settle()

    def unmark(self, keys: Iterable[str]) -> None:
        self._view.rows.marks = self.marks.difference(keys)
        self.settle()

    def clear_marks(self) -> None:
        self.unmark(self.marks)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"open", "mark"} and self.cursor_key is None:
            return None
        return super().check_action(action, parameters)

    def action_move(self, by: int) -> None:
        self._move(self._view.cursor + by)

    def action_top(self) -> None:
        self._move(0)

    def action_end(self) -> None:
        self._move(len(self.shown_rows) - 1)

    def action_page(self, by: float) -> None:
        self._view.move_page(by)
        self.settle()

    def action_open(self) -> None:
        if (key := self.cursor_key) is not None:
            self.post_message(self.RowOpened(self, key))

    def action_mark(self) -> None:
        self.toggle_mark()
        self._move(self._view.cursor + 1)

    def on_click(self, event: events.Click) -> None:
        self._clicks.take(event, int(self._header))

    def wheel(self, rows: int) -> None:
        self._view.scroll(rows)
        self.settle()

    def _move(self, index: int) -> None:
        if self._view.cursor == len(self.shown_rows) - 1 <= index:
            self._messages.request_again()
        self._view.move_to(index)
        self.settle()

    def on_mount(self) -> None:
        self.settle()

    def on_resize(self) -> None:
        self.settle()
        self.post_message(self.LaidOut(self))

    def on_focus(self, event: events.Focus) -> None:
        self._change_focus(event, events.DescendantFocus(self), has_focus=True)

    def on_blur(self, event: events.Blur) -> None:
        self._change_focus(event, events.DescendantBlur(self), has_focus=False)

    def _change_focus(self, event: events.Event, news: events.Event, *, has_focus: bool) -> None:
        # Textual's handler repaints the whole widget; only the cursor's row changes.
        event.prevent_default()
        self.has_focus = has_focus
        if self.parent is not None:
            self.parent.post_message(news)
        self.settle()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips without Textual's style cache, unless there is a border or padding."""
        if self.gutter:
            return super().render_lines(crop)
        canvas = self._paint()
        strips = [canvas.strip(line) for line in self._lines[crop.y : crop.bottom]]
        return cropped(strips, crop, self.size.width)

    def render_line(self, y: int) -> Strip:
        canvas = self._paint()
        return canvas.strip(self._lines[y])

    def settle(self) -> None:
        if self.is_mounted and self.size.height > 0:
            known, before = self._canvas, self._lines
            is_known = self._paint() is known
            refresh_changed(self, before if is_known else (), self._lines)
        self._clicks.moved()
        if self.is_mounted:
            self._messages.post()

    def forget_strips(self) -> None:
        if self._canvas is not None:
            self._canvas.forget_strips()

    def _paint(self) -> Canvas:
        self._view.resize(self.size.height - self._header)
        options = RenderOptions(
            self._view.rows.columns,
            self._view.rows.blank,
            self._view.rows.needs,
            self._header,
            Look.of(self),
        )
        if self._canvas is None or self._canvas.options != options:
            self._canvas = Canvas(options)
        self._lines = self._canvas.lines(
            self._view, focused=self.has_focus or self._lit, empty=self._empty
        )
        return self._canvas
