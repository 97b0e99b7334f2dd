"""The lines of a table as painted: which differ from the last time, and their strips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.ui.filters import filtered
from platui.ui.widgets.table.layout import lay_out
from platui.ui.widgets.table.paint import MARGINS, Cursor, Painter
from platui.ui.widgets.thumb import thumb_rows

if TYPE_CHECKING:
    from textual.color import Color
    from textual.filter import LineFilter
    from textual.strip import Strip

    from platui.models.values.table import Cell, Column, SortKey
    from platui.ui.palette import Palette
    from platui.ui.widgets.table.view import TableView

_MOST_STRIPS: Final = 2000
"""Strips kept: dozens of windows full. Beyond that they are forgotten, all at once."""


class Looks(NamedTuple):
    """Everything besides the rows that decides how lines look."""

    columns: tuple[Column, ...]
    blank: frozenset[int]
    """Columns that no row says anything in."""
    width: int
    palette: Palette
    filters: tuple[LineFilter, ...]
    background: Color


class Line(NamedTuple):
    """How one row is shown: compared, so that only what looks different is painted."""

    cells: tuple[Cell, ...]
    muted: bool
    marked: bool
    cursor: Cursor
    thumb: bool


class Canvas:
    """Paints the lines of one table and keeps the strips of those it painted."""

    def __init__(self, looks: Looks) -> None:
        self.looks = looks
        layout = lay_out(looks.columns, looks.width - MARGINS, looks.blank)
        self._painter = Painter(looks.columns, layout, looks.width, looks.palette)
        self._blank = filtered(self._painter.blank(), looks)
        self._header: tuple[SortKey | None, Strip] | None = None
        self._notice: tuple[tuple[Cell, int], list[Strip]] | None = None
        # By identity of the cells, which are kept beside the strip so that it stays theirs.
        self._strips: dict[tuple[int, bool, bool, Cursor, bool], tuple[object, Strip]] = {}

    def lines(self, view: TableView, *, focused: bool, empty: Cell) -> list[Line | Strip]:
        """Return what every line of the table shows: the header first, then the window."""
        rows = view.rows
        thumb = thumb_rows(view.height, view.top, len(rows.shown))
        at_cursor = Cursor.HERE if focused else Cursor.UNFOCUSED
        lines: list[Line | Strip] = [self._header_strip(rows.sort)]
        for y, row in enumerate(view.window):
            lines.append(
                Line(
                    row.cells,
                    row.muted,
                    rows.is_marked(row.key),
                    at_cursor if view.top + y == view.cursor else Cursor.ELSEWHERE,
                    y in thumb,
                )
            )
        if not rows.shown and view.height and empty.text:
            lines += self._notice_strips(empty, view.height)
        lines += [self._blank] * (1 + view.height - len(lines))
        return lines

    def strip(self, line: Line | Strip) -> Strip:
        """Return the strip of a line."""
        if not isinstance(line, Line):
            return line
        key = (id(line.cells), *line[1:])
        if (known := self._strips.get(key)) is not None:
            return known[1]
        strip = filtered(
            self._painter.row(
                line.cells,
                muted=line.muted,
                marked=line.marked,
                cursor=line.cursor,
                thumb=line.thumb,
            ),
            self.looks,
        )
        if len(self._strips) >= _MOST_STRIPS:
            self._strips.clear()
        self._strips[key] = (line.cells, strip)
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
