"""The lines of a table as painted: which differ from the last time, and their strips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.present.tables.fit import lay_out
from platui.ui.line_filters import filtered
from platui.ui.widgets.scrolling import thumb_rows
from platui.ui.widgets.table.paint import MARGINS, Cursor, Painter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from textual.color import Color
    from textual.filter import LineFilter
    from textual.strip import Strip

    from platui.models.values.table import Cell, Column, LineBelow, SortKey
    from platui.ui.palette import Palette
    from platui.ui.widgets.table.view import TableView

_MOST_STRIPS: Final = 2000
"""Strips kept: dozens of windows full. Beyond that they are forgotten, all at once."""


class Looks(NamedTuple):
    """Everything besides the rows that decides how lines look."""

    columns: tuple[Column, ...]
    blank: frozenset[int]  # Columns that no row says anything in
    needs: Mapping[int, int]  # Cells by column that its texts take
    width: int
    palette: Palette
    filters: tuple[LineFilter, ...]
    background: Color
    header: bool


class RowLine(NamedTuple):
    """How one line of a row is shown: compared, so that only what looks different is painted."""

    content: tuple[Cell, ...] | Cell | LineBelow
    """The row's cells, the heading in their place, or one of the lines below them."""
    muted: bool
    marked: bool
    cursor: Cursor
    thumb: bool


class Canvas:
    """Paints the lines of one table and keeps the strips of those it painted."""

    def __init__(self, looks: Looks) -> None:
        self.looks = looks
        layout = lay_out(looks.columns, looks.width - MARGINS, looks.blank, looks.needs)
        self._painter = Painter(looks.columns, layout, looks.width, looks.palette)
        self._blank = filtered(self._painter.blank(), looks)
        self._header: tuple[SortKey | None, Strip] | None = None
        self._notice: tuple[tuple[Cell, int], list[Strip]] | None = None
        # By identity of the content, which is kept beside the strip so that it stays its own.
        self._strips: dict[tuple[int, bool, bool, Cursor, bool], tuple[object, Strip]] = {}

    def lines(self, view: TableView, *, focused: bool, empty: Cell) -> list[RowLine | Strip]:
        """Return what every line of the table shows: the header first, then the window."""
        rows = view.rows
        lines: list[RowLine | Strip] = []
        if self.looks.header:
            lines.append(self._header_strip(rows.sort))
        height = len(lines) + view.height
        lines += self._row_lines(view, Cursor.CONTEXT if focused else Cursor.UNFOCUSED)
        if not rows.shown and view.height and empty.text:
            lines += self._notice_strips(empty, view.height)
        lines += [self._blank] * (height - len(lines))
        return lines

    def _row_lines(self, view: TableView, at_cursor: Cursor) -> Iterator[RowLine]:
        rows = view.rows
        thumb = thumb_rows(view.height, view.top, view.lines.total)
        y = view.lines.first(view.first_index) - view.top
        for place, row in enumerate(view.window, view.first_index):
            cursor = at_cursor if place == view.cursor else Cursor.ELSEWHERE
            if y >= 0:
                content = row.heading or rows.cells_of(row)
                yield RowLine(content, row.muted, rows.is_marked(row.key), cursor, y in thumb)
            y += 1
            if row.below and view.lines.is_several:
                for line in row.below:
                    if 0 <= y < view.height:
                        yield RowLine(
                            line, row.muted, marked=False, cursor=cursor, thumb=y in thumb
                        )
                    y += 1

    def strip(self, line: RowLine | Strip) -> Strip:
        if not isinstance(line, RowLine):
            return line
        key = (id(line.content), *line[1:])
        if (known := self._strips.get(key)) is not None:
            return known[1]
        strip = filtered(
            self._painter.row(
                line.content,
                muted=line.muted,
                marked=line.marked,
                cursor=line.cursor,
                thumb=line.thumb,
            ),
            self.looks,
        )
        if len(self._strips) >= _MOST_STRIPS:
            self._strips.clear()
        self._strips[key] = (line.content, strip)
        return strip

    def _header_strip(self, sort: SortKey | None) -> Strip:
        if self._header is None or self._header[0] != sort:
            self._header = (sort, filtered(self._painter.header(sort), self.looks))
        return self._header[1]

    def _notice_strips(self, empty: Cell, height: int) -> list[Strip]:
        if self._notice is None or self._notice[0] != (empty, height):
            painted = self._painter.notice(empty.text, height, empty.role)
            self._notice = ((empty, height), [filtered(strip, self.looks) for strip in painted])
        return self._notice[1]
