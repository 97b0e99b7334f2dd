"""The one table widget: rows are values with a key, and only what changed is painted.

Textual's DataTable lays out every row before the first paint and paints through caches
made for styles that change. This one keeps a window over plain rows, and hands its lines
to the compositor as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.geometry import Region
from textual.widget import Widget

from platui.models.values.table import Cell
from platui.ui.theming import palette_of
from platui.ui.widgets.changes import changed_lines
from platui.ui.widgets.table.canvas import Canvas, Looks
from platui.ui.widgets.table.keys import BINDINGS
from platui.ui.widgets.table.layout import lay_out
from platui.ui.widgets.table.paint import MARGINS
from platui.ui.widgets.table.view import TableView
from platui.ui.widgets.view_messages import LatestMessage, ViewMessage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.binding import BindingType
    from textual.strip import Strip

    from platui.models.values.table import Column, Row, SortKey
    from platui.ui.widgets.table.canvas import RowLine

_WHEEL_LINES: Final = 3
_AT_ONCE: Final = 6
"""Pages of a list that are asked for at once while a page key is held."""


class Table(Widget, can_focus=True):
    """A table of rows, of one line or several, with a cursor that stays on its object.

    It is fastest without border and padding: those belong on a container.
    """

    DEFAULT_CSS = """
    Table { width: 1fr; height: 1fr; }
    """

    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    @dataclass
    class RowOpened(ViewMessage):
        """The user wants to see what a row stands for."""

        key: str

    @dataclass
    class CursorMoved(LatestMessage):
        """Another object is under the cursor; None where no row is shown."""

        key: str | None

    @dataclass
    class WindowChanged(LatestMessage):
        """Other rows are visible."""

        keys: tuple[str, ...]

    @dataclass
    class MarksChanged(ViewMessage):
        """Other rows are marked."""

        marks: frozenset[str]

    @dataclass
    class LaidOut(LatestMessage):
        """The columns may have other widths."""

    @dataclass
    class MoreWanted(ViewMessage):
        """The last rows are near: now is the time to load what follows them."""

        pages: int = 1
        """How many pages of a list are worth asking for at once."""

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        id: str | None = None,  # noqa: A002  (as every widget calls it)
        empty: str = "",
        lit: bool = False,
        header: bool = True,
    ) -> None:
        """Make a table without rows.

        Args:
            columns: from left to right.
            id: for queries and `@on`.
            empty: the lines that stand where no row is shown; the first of several is loud.
            lit: the cursor looks focused although its keys come from elsewhere.
            header: a line of titles stands above the rows.
        """
        super().__init__(id=id)
        self._lit = lit
        self._header = header
        self._view = TableView(columns)
        self._empty = Cell(empty, "muted")
        self._canvas: Canvas | None = None
        self._lines: list[RowLine | Strip] = []
        self._said_cursor: str | None = None
        self._said_window: tuple[str, ...] = ()
        self._said_marks: frozenset[str] = frozenset()
        self._wanted_more_after: tuple[int, str | None] = (0, None)
        self._wanted = 0
        """Pages that were asked for there."""
        self._clicked: str | None = None

    # What it shows

    @property
    def cursor_key(self) -> str | None:
        """Return the key of the row under the cursor; None where no row is shown."""
        return self._view.cursor_key

    @property
    def cursor_row(self) -> Row | None:
        """Return the row under the cursor."""
        return self._view.cursor_row

    @property
    def sort(self) -> SortKey | None:
        """Return the column sorted by; None where rows stand as given."""
        return self._view.rows.sort

    @property
    def told_columns(self) -> Sequence[Column]:
        """Return the columns that rows say something in, narrow ones that have left too."""
        rows = self._view.rows
        return [column for at, column in enumerate(rows.columns) if at not in rows.blank]

    @property
    def filter_text(self) -> str:
        """Return the text of the filter."""
        return self._view.rows.filter_text

    @property
    def marks(self) -> frozenset[str]:
        """Return the keys of the marked rows, hidden ones too."""
        return self._view.rows.marks

    @property
    def total_count(self) -> int:
        """Return how many rows there are; headings are none."""
        return self._view.rows.counts[1]

    @property
    def shown_count(self) -> int:
        """Return how many rows pass the filter; headings are none."""
        return self._view.rows.counts[0]

    @property
    def hidden_count(self) -> int:
        """Return how many rows the filter hides."""
        shown, total = self._view.rows.counts
        return total - shown

    def visible_keys(self) -> tuple[str, ...]:
        """Return the keys of the rows in sight."""
        return self._view.visible_keys

    @property
    def shown_rows(self) -> Sequence[Row]:
        """Return the rows that pass the filter, in order; not to be changed."""
        return self._view.rows.shown

    def place_of(self, key: str) -> int | None:
        """Return at which place a row is shown, from 0; None where it is not."""
        return self._view.rows.place_of(key)

    def column_width(self, key: str) -> int:
        """Return the cells that a column is painted in; 0 where it has left or nothing is yet."""
        rows = self._view.rows
        columns = rows.columns
        slots = lay_out(columns, self.size.width - MARGINS, rows.blank, rows.needs).slots
        return next((slot.width for slot in slots if columns[slot.index].key == key), 0)

    def show(self, rows: Sequence[Row], *, stays: bool = False, anchored: bool = False) -> None:
        """Replace the rows; what looks as before is not painted again.

        Args:
            rows: in their order.
            stays: the cursor stays at its place, rather than on its object.
            anchored: its row stays on its line of the screen, also where the window is at the top.
        """
        before = self._view.rows.blank, self._view.rows.needs
        self._view.show(rows, stays=stays, anchored=anchored)
        self._settle()
        if before != (self._view.rows.blank, self._view.rows.needs):
            self.post_message(self.LaidOut(self))

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Replace the columns; the rows' cells are theirs from now on."""
        self._view.set_columns(columns)
        self._settle()

    def set_empty(self, text: str, role: str = "muted") -> None:
        """Replace the lines that stand where no row is shown."""
        self._empty = Cell(text, role)
        self._settle()

    def sort_by(self, key: str | None, descending: bool = False) -> None:  # noqa: FBT001, FBT002  (together they are a SortKey)
        """Sort by a column; None: as given.

        Raises:
            KeyError: there is no such column.
        """
        self._view.sort_by(None if key is None else (key, descending))
        self._settle()

    def set_filter(self, text: str) -> None:
        """Show only rows that hold every word of a text, and none of those after a `!`."""
        self._view.set_filter(text)
        self._settle()

    def move_to(self, key: str) -> bool:
        """Put the cursor on a row; returns whether that row is shown."""
        found = self._view.move_to_key(key)
        self._settle()
        return found

    def toggle_mark(self) -> None:
        """Mark the row under the cursor, or unmark it."""
        if (key := self.cursor_key) is not None:
            self._view.rows.toggle_mark(key)
            self._settle()

    def mark(self, keys: Iterable[str]) -> None:
        """Mark these rows, as far as they are there."""
        self._view.rows.mark(keys)
        self._settle()

    def unmark(self, keys: Iterable[str]) -> None:
        """Unmark these rows, as far as they are marked."""
        self._view.rows.unmark(keys)
        self._settle()

    def clear_marks(self) -> None:
        """Unmark every row."""
        self._view.rows.clear_marks()
        self._settle()

    # Keys and mouse

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs a row where there is none."""
        if action in {"open", "mark"} and self.cursor_key is None:
            return None
        return super().check_action(action, parameters)

    def action_move(self, by: int) -> None:
        """Move the cursor by rows."""
        self._move(self._view.cursor + by)

    def action_top(self) -> None:
        """Move the cursor to the first row."""
        self._move(0)

    def action_end(self) -> None:
        """Move the cursor to the last row."""
        self._move(len(self.shown_rows) - 1)

    def action_page(self, by: float) -> None:
        """Move cursor and window by a part of the window."""
        self._view.move_page(by)
        self._settle()

    def action_open(self) -> None:
        """Ask for the row under the cursor."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.RowOpened(self, key))

    def action_mark(self) -> None:
        """Mark or unmark the row under the cursor and go on to the next."""
        self.toggle_mark()
        self._move(self._view.cursor + 1)

    def on_click(self, event: events.Click) -> None:
        """Select the row clicked on; open it at the second click."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self._header:
            return
        line = self._view.top + offset.y - self._header
        if line >= self._view.lines.total:
            return
        event.stop()
        was = (self._clicked, self.cursor_key)
        self._move(self._view.lines.place(line))
        self._clicked = self.cursor_key
        if was == (self.cursor_key, self.cursor_key):
            self.action_open()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll towards the end."""
        self._scroll(_WHEEL_LINES, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll towards the top."""
        self._scroll(-_WHEEL_LINES, event)

    def _move(self, place: int) -> None:
        self._view.move_to(place)
        self._settle()

    def _scroll(self, lines: int, event: events.MouseEvent) -> None:
        event.stop()
        self._view.scroll(lines)
        self._settle()

    # Painting

    def on_mount(self) -> None:
        """Say what there is to say about rows that came before."""
        self._settle()

    def on_resize(self) -> None:
        """Fit the window to the new size."""
        self._settle()
        self.post_message(self.LaidOut(self))

    def on_focus(self, event: events.Focus) -> None:
        """Take the focus."""
        self._change_focus(event, events.DescendantFocus(self), has_focus=True)

    def on_blur(self, event: events.Blur) -> None:
        """Lose the focus."""
        self._change_focus(event, events.DescendantBlur(self), has_focus=False)

    def _change_focus(self, event: events.Event, news: events.Event, *, has_focus: bool) -> None:
        # Textual's own handler paints the whole widget; only the cursor's row looks different.
        event.prevent_default()
        self.has_focus = has_focus
        if self.parent is not None:
            self.parent.post_message(news)
        self._settle()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips of a part of the table.

        Textual would go through a cache of styles here; these lines have their own. Only a
        table with a border or padding takes the long way, which paints those.
        """
        if self.gutter:
            return super().render_lines(crop)
        canvas = self._paint()
        strips = [canvas.strip(line) for line in self._lines[crop.y : crop.bottom]]
        if crop.x or crop.right != canvas.looks.width:
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Return the strip of one line."""
        canvas = self._paint()
        return canvas.strip(self._lines[y])

    def _settle(self) -> None:
        """Paint what looks different and tell what happened."""
        if self._is_sized:
            before, lines = self._canvas, self._lines
            if self._paint() is not before or len(lines) != len(self._lines):
                self.refresh()
            elif spans := changed_lines(lines, self._lines):
                width = self.size.width
                self.refresh(*(Region(0, y, width, height) for y, height in spans))
        if self.is_mounted:
            self._announce()

    @property
    def _is_sized(self) -> bool:
        return self.is_mounted and self.size.height > 0

    def _paint(self) -> Canvas:
        """Bring the lines up to date, with a new canvas where theme, width or columns changed."""
        width, height = self.size
        self._view.resize(height - self._header)
        looks = Looks(
            self._view.rows.columns,
            self._view.rows.blank,
            self._view.rows.needs,
            width,
            palette_of(self.app),
            tuple(self.get_line_filters()),
            self.background_colors[1],
            self._header,
        )
        if self._canvas is None or self._canvas.looks != looks:
            self._canvas = Canvas(looks)
        self._lines = self._canvas.lines(
            self._view, focused=self.has_focus or self._lit, empty=self._empty
        )
        return self._canvas

    def _announce(self) -> None:
        view = self._view
        if view.cursor_key != self._said_cursor:
            if (view.cursor_key is None) != (self._said_cursor is None):
                self.refresh_bindings()
            self._said_cursor = view.cursor_key
            if self._clicked != view.cursor_key:
                self._clicked = None
            self.post_message(self.CursorMoved(self, view.cursor_key))
        if (window := view.visible_keys) != self._said_window:
            self._said_window = window
            self.post_message(self.WindowChanged(self, window))
        if (marks := view.rows.marks) != self._said_marks:
            self._said_marks = marks
            self.post_message(self.MarksChanged(self, marks))
        self._want_more()

    def _want_more(self) -> None:
        """Ask for more rows near the end, once for each end, and again where more is needed.

        Not under a filter: its end says nothing about how far the user has read.
        """
        rows = self._view.rows
        if not self._view.height or rows.is_filtered or not self._view.is_near_end:
            return
        # A held key reads on faster than page after page comes: twice as many each time.
        pages = min(max(1, 2 * self._view.pages - 1), _AT_ONCE)
        end = (rows.total, rows.last_key)
        if end != self._wanted_more_after or pages > self._wanted:
            self._wanted_more_after, self._wanted = end, pages
            if rows.total:
                self.post_message(self.MoreWanted(self, pages))
