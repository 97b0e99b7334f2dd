"""Render the lines of a table as strips, with a cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from textual.cache import FIFOCache

from platui.present.tables.column_widths import lay_out
from platui.ui.widgets.scrolling import thumb_rows
from platui.ui.widgets.table.paint import MARGINS, Cursor, Painter, RowLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from textual.strip import Strip

    from platui.models.values.table import Cell, Column, SortKey
    from platui.ui.widgets.scrolling import Look
    from platui.ui.widgets.table.view import TableView

_MOST_STRIPS: Final = 2000  # Limit of the strip cache


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
        look = options.look
        layout = lay_out(options.columns, look.width - MARGINS, options.blank, options.needs)
        self._painter = Painter(options.columns, layout, look.width, look.palette)
        self._blank = look.blank()
        self._header: tuple[SortKey | None, Strip] | None = None
        self._notice: tuple[tuple[Cell, int], list[Strip]] | None = None
        # By id() of the content, which the value keeps alive.
        self._strips: FIFOCache[tuple[object, ...], tuple[object, Strip]] = FIFOCache(_MOST_STRIPS)

    def lines(self, view: TableView, *, focused: bool, empty: Cell) -> list[RowLine | Strip]:
        rows = view.rows
        lines: list[RowLine | Strip] = []
        if self.options.header:
            lines.append(self._header_strip(rows.sort))
        height = len(lines) + view.height
        lines += self._row_lines(view, Cursor.FOCUSED if focused else Cursor.UNFOCUSED)
        if not rows.shown and view.height and empty.text:
            lines += self._notice_strips(empty, view.height)
        lines += [self._blank] * (height - len(lines))
        return lines

    def _row_lines(self, view: TableView, at_cursor: Cursor) -> Iterator[RowLine]:
        rows = view.rows
        thumb = thumb_rows(view.height, view.top, view.lines.total)
        y = view.lines.first(view.first_index) - view.top
        for index, row in enumerate(view.window, view.first_index):
            cursor = at_cursor if index == view.cursor else Cursor.ELSEWHERE
            if y >= 0:
                content = row.heading or rows.cells_of(row)
                yield RowLine(content, row.muted, rows.is_marked(row.key), cursor, y in thumb)
            y += 1
            for line in row.below:
                if 0 <= y < view.height:
                    yield RowLine(line, row.muted, marked=False, cursor=cursor, thumb=y in thumb)
                y += 1

    def strip(self, line: RowLine | Strip) -> Strip:
        if not isinstance(line, RowLine):
            return line
        key = (id(line.content), *line[1:])
        if (known := self._strips.get(key)) is not None:
            return known[1]
        strip = self.options.look.filtered(self._painter.row(line))
        self._strips[key] = (line.content, strip)
        return strip

    def _header_strip(self, sort: SortKey | None) -> Strip:
        if self._header is None or self._header[0] != sort:
            self._header = (sort, self.options.look.filtered(self._painter.header(sort)))
        return self._header[1]

    def _notice_strips(self, empty: Cell, height: int) -> list[Strip]:
        if self._notice is None or self._notice[0] != (empty, height):
            painted = self._painter.notice(empty.text, height, empty.role)
            self._notice = (
                (empty, height),
                [self.options.look.filtered(strip) for strip in painted],
            )
        return self._notice[1]
