"""Render the lines of a table as strips, with a cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.cache import FIFOCache
from textual.strip import Strip

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Column, LineBelow, Row, SortKey
from platui.present.tables.column_widths import lay_out
from platui.ui.widgets.scrolling import Look, thumb_rows
from platui.ui.widgets.table.cells import Run, column_pieces, fit, join, line_pieces, pieces

if TYPE_CHECKING:
    from rich.style import Style

    from platui.ui.widgets.table.view import TableView

MARGINS: Final = 3  # Cells for the mark at the left edge and the thumb at the right

_MOST_STRIPS: Final = 256  # Limit of the strip cache: some screens; a strip takes 3 KB
_INDENT: Final = 2  # Indent of a line below the cells

_MARK: Final = "▌"
_THUMB: Final = "█"
_ASCENDING: Final = "▲"
_DESCENDING: Final = "▼"
_LOUD: Final = frozenset({"text", "strong", "accent"})
"""Roles that are muted in a muted row; status colours stay."""


class Cursor(IntEnum):
    ELSEWHERE = 0
    FOCUSED = 1
    UNFOCUSED = 2


class RowLine(NamedTuple):
    """The state of one line; compared to repaint only what changed."""

    # Cells, a heading, a row with a title, or a line below the cells
    content: tuple[Cell, ...] | Cell | Row | LineBelow
    muted: bool
    marked: bool
    thumb: bool
    cursor: Cursor = Cursor.ELSEWHERE


class RenderOptions(NamedTuple):
    """What rendering depends on besides the rows."""

    columns: tuple[Column, ...]
    blank: frozenset[int]  # Columns without text in any row
    needs: Mapping[int, int]  # Column -> cells of its widest text
    header: bool
    look: Look


class Canvas:
    def __init__(self, options: RenderOptions) -> None:
        self.options = options
        look = self._look = options.look
        self._palette = palette = look.palette
        self._width = look.width
        self._layout = lay_out(options.columns, look.width - MARGINS, options.blank, options.needs)
        self._grounds = {
            Cursor.FOCUSED: palette.cursor,
            Cursor.UNFOCUSED: palette.cursor_unfocused,
        }
        self._blank = look.blank()
        self._header: tuple[SortKey | None, Strip] | None = None
        # Lines without a cursor, and what they depend on; lines of rows are new when rows are.
        self._without_cursor: tuple[tuple[object, ...], list[RowLine | Strip]] | None = None
        # By id() of the content, which the value keeps alive.
        self._strips: FIFOCache[tuple[object, ...], tuple[object, Strip]] = FIFOCache(_MOST_STRIPS)

    def forget_strips(self) -> None:
        self._strips.clear()

    def lines(self, view: TableView, *, focused: bool, empty: Cell) -> list[RowLine | Strip]:
        state = view.lines, view.top, view.height, view.rows.marks, view.rows.sort, empty
        if self._without_cursor is None or self._without_cursor[0] != state:
            self._without_cursor = state, self._lines_without_cursor(view, empty)
        lines = self._without_cursor[1].copy()
        cursor = Cursor.FOCUSED if focused else Cursor.UNFOCUSED
        for y in view.cursor_lines:
            line = lines[y + self.options.header]
            if isinstance(line, RowLine):
                lines[y + self.options.header] = line._replace(cursor=cursor)
        return lines

    def _lines_without_cursor(self, view: TableView, empty: Cell) -> list[RowLine | Strip]:
        rows = view.rows
        lines: list[RowLine | Strip] = []
        if self.options.header:
            if self._header is None or self._header[0] != rows.sort:
                self._header = rows.sort, self._paint_header(rows.sort)
            lines.append(self._header[1])
        height = len(lines) + view.height
        lines += self._row_lines(view)
        if not rows.shown and view.height and empty.text:
            lines += self._paint_notice(empty, view.height)
        lines += [self._blank] * (height - len(lines))
        return lines

    def _row_lines(self, view: TableView) -> Iterator[RowLine]:
        rows = view.rows
        thumb = thumb_rows(view.height, view.top, view.lines.total)
        y = view.lines.first(view.first_index) - view.top
        for row in view.window:
            if y >= 0:
                content = row.heading or (row if row.title else rows.cells_of(row))
                yield RowLine(content, row.muted, row.key in rows.marks, thumb=y in thumb)
            y += 1
            for line in row.below:
                if 0 <= y < view.height:
                    yield RowLine(line, row.muted, marked=False, thumb=y in thumb)
                y += 1

    def column_at(self, x: int) -> str | None:
        begin = 1
        for slot in self._layout.slots:
            column = self.options.columns[slot.index]
            if begin <= x < begin + slot.width:
                return column.key if column.title else None
            begin += slot.width + self._layout.gap
        return None

    def strip(self, line: RowLine | Strip) -> Strip:
        if not isinstance(line, RowLine):
            return line
        key = (id(line.content), *line[1:])
        if (known := self._strips.get(key)) is not None:
            return known[1]
        strip = self._paint(line)
        self._strips[key] = (line.content, strip)
        return strip

    def _paint(self, line: RowLine) -> Strip:
        base, content, muted = self._palette.base, line.content, line.muted
        # Reversed under the cursor, a blank in the mark's colour would look like a mark.
        runs = [(_MARK, base + self._palette.mark) if line.marked else (" ", base)]
        if isinstance(content, LineBelow):
            runs.append((" " * min(_INDENT, self._width - 1), base))
            shown = line_pieces(content, self._width - MARGINS - _INDENT)
            runs += [(text, self._style(role, muted=muted)) for text, role in shown]
        elif isinstance(content, Cell):
            shown = pieces(content, max(0, self._width - MARGINS))
            runs += [(text, self._style(role, muted=muted)) for text, role in shown]
        elif isinstance(content, Row):
            runs += self._titled(content)
        else:
            runs += self._cells(content, muted=muted)
        used = sum(cell_len(text) for text, _ in runs)
        thumb = line.thumb and used < self._width
        runs.append((" " * (self._width - used - thumb), base))
        if ground := self._grounds.get(line.cursor):
            runs = [(text, style + ground) for text, style in runs]
        if thumb:
            runs.append((_THUMB, self._palette.thumb))
        return self._strip(runs)

    def _cells(self, cells: Sequence[Cell], *, muted: bool) -> Iterable[Run]:
        gap = ""
        for slot in self._layout.slots:
            cell = cells[slot.index] if slot.index < len(cells) else BLANK
            column = self.options.columns[slot.index]
            for text, role in column_pieces(cell, column, slot.width):
                yield gap + text, self._style(role, muted=muted)
                gap = ""
            gap = " " * self._layout.gap

    def _titled(self, row: Row) -> Iterable[Run]:
        if not self._layout.slots:
            return  # Too narrow for any column
        first, gap = self._layout.slots[0].width, " " * self._layout.gap
        title = pieces(row.title or BLANK, self._width - MARGINS - first - len(gap))
        for text, role in (*pieces(row.cells[0], first), (gap, "text"), *title):
            yield text, self._style(role, muted=row.muted)

    def _paint_header(self, sort: SortKey | None) -> Strip:
        text = " "
        for slot in self._layout.slots:
            column, room = self.options.columns[slot.index], slot.width
            title = clean(column.title)
            if sort is not None and sort[0] == column.key:
                arrow = _DESCENDING if sort[1] else _ASCENDING
                title = fit(title, min(cell_len(title), slot.width)) + arrow
                room = max(room, cell_len(title))  # The gap has the arrow of a full column
            text += fit(title, room, right=column.right)
            text += " " * (slot.width + self._layout.gap - room)
        return self._strip([(fit(text, self._width), self._palette.panel)])

    def _paint_notice(self, empty: Cell, height: int) -> list[Strip]:
        lines = [
            piece
            for line in empty.text.split("\n")
            for piece in wrap(clean(line), max(1, self._width - MARGINS)) or [""]
        ]
        left = " " * max(1, (self._width - max(map(cell_len, lines))) // 2)
        above = max(0, height - len(lines)) // 3
        painted = [self._blank] * above
        for at, line in enumerate(lines):
            style = self._palette.style("strong" if at == 0 and len(lines) > 1 else empty.role)
            painted.append(self._strip([(fit(left + line, self._width), style)]))
        return painted[:height]

    def _style(self, role: str, *, muted: bool) -> Style:
        return self._palette.style("muted" if muted and role in _LOUD else role)

    def _strip(self, runs: Iterable[Run]) -> Strip:
        segments = [Segment(text, style) for text, style in join(runs)]
        return self._look.filtered(Strip(segments, self._width))
