"""A view of rows: the cursor, which stays on its object, and the window that is visible."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from platui.ui.widgets.table.rows import TableRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.table import Column, Row, SortKey

_NEAR: Final = 10  # Rows before the last one at which the end is near
_MOST_AHEAD: Final = 16  # Windows that are looked ahead at most
_WHOLE: Final = sys.maxsize  # All lines of a row, however many it has


class TableView:
    """What a table is without a screen: rows, cursor and window, each kept true to the others."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.rows = TableRows(columns)
        self.cursor = 0  # Place of the cursor among the shown rows; 0 where there is none
        self.top = 0  # First line of the window, counted in lines of the shown rows
        self.height = 0  # Lines that the window holds
        self._is_pushed = False  # Whether it left the very top only because rows came there
        self.pages = 0  # Page keys towards the end that came one after the other
        self.cursor_key: str | None = None  # None where nothing is shown
        self.lines = self.rows.lines  # The lines that `top` was settled with

    @property
    def cursor_row(self) -> Row | None:
        return self.rows.shown[self.cursor] if self.rows.shown else None

    @property
    def first_index(self) -> int:
        return self.lines.place(self.top)

    @property
    def window(self) -> Sequence[Row]:
        """Return the visible rows, those at the edges of the window that are cut too."""
        if not self.height:
            return ()
        last = self.lines.place(self.top + self.height - 1)
        return self.rows.shown[self.first_index : last + 1]

    @property
    def visible_keys(self) -> tuple[str, ...]:
        return tuple(row.key for row in self.window)

    @property
    def is_near_end(self) -> bool:
        """Return whether the end is near: earlier for each page key, so that a held one goes on."""
        seen = max(self.lines.end(self.cursor), self.top + self.height)
        ahead = min(self.pages, _MOST_AHEAD) * self.height
        return self.lines.place(seen + ahead - 1) + 1 > len(self.rows.shown) - _NEAR

    # What changes the rows

    def show(self, rows: Sequence[Row], *, stays: bool = False, anchored: bool = False) -> None:
        """Replace the rows; the cursor stays on its object, with `stays` at its position.

        Anchored, its row stays on its line even at the very top, until rows come without this.
        """
        if self.rows.take(rows):
            if stays:
                self.cursor_key = None
            self._keep_place(anchored=anchored)
        elif self._is_pushed and not anchored:
            self._keep_place()

    def set_columns(self, columns: Sequence[Column]) -> None:
        self.rows.set_columns(columns)
        self._keep_place()

    def sort_by(self, sort: SortKey | None) -> None:
        self.rows.sort_by(sort)
        self._keep_place()

    def set_filter(self, text: str) -> None:
        self.rows.set_filter(text)
        self._keep_place()

    # What moves

    def resize(self, height: int) -> None:
        """Change how many lines the window holds; what is visible of the cursor stays visible."""
        height = max(0, height)
        if height == self.height:
            return
        # A window without lines has nothing in sight yet: the cursor is what it will open at.
        seen = self._seen() if self.height else _WHOLE
        self.height = height
        self._reveal_cursor(seen)

    def move_to(self, place: int) -> None:
        """Put the cursor on the shown row at a place, or at the nearest end."""
        self._is_pushed = False
        self.pages = 0
        shown = len(self.rows.shown)
        self.cursor = min(max(place, 0), shown - 1) if shown else 0
        self.cursor_key = self.rows.shown[self.cursor].key if shown else None
        self._reveal_cursor()

    def move_to_key(self, key: str) -> bool:
        place = self._place(key)
        if place is None:
            return False
        self.move_to(place)
        return True

    def move_page(self, by: float) -> None:
        lines = max(1, round(abs(by) * self.height)) * (1 if by > 0 else -1)
        pages = self.pages + 1 if by > 0 else 0
        place = self.lines.place(self.lines.first(self.cursor) + lines)
        self.top += lines
        self._clamp_top()
        # A row cut at the edge would pull the window on, past lines that nobody has seen.
        first, end = self.lines.first(place), self.lines.end(place)
        if by > 0:
            is_cut = first < self.top + self.height < end
            self.move_to(max(place - is_cut, self.cursor + 1))
        else:
            is_cut = first < self.top < end
            self.move_to(min(place + is_cut, self.cursor - 1))
        self.pages = pages

    def scroll(self, by: int) -> None:
        self._is_pushed = False
        self.top += by
        self._clamp_top()

    # How it stays true

    def _place(self, key: str | None) -> int | None:
        shown = self.rows.shown
        if key is None:
            return None
        if self.cursor < len(shown) and shown[self.cursor].key == key:
            return self.cursor
        return self.rows.place_of(key)

    def _keep_place(self, *, anchored: bool = False) -> None:
        """Find the cursor's object again, and keep it on its line of the screen.

        At the very top what is new arrives in sight instead, unless anchored.
        """
        seen = self._seen()
        before, line = self.cursor, self.lines.first(self.cursor)
        place = self._place(self.cursor_key)
        shown = len(self.rows.shown)
        self.cursor = min(before, max(0, shown - 1)) if place is None else place
        self.cursor_key = self.rows.shown[self.cursor].key if shown else None
        self.lines = self.rows.lines
        was_top = self.top == 0 or self._is_pushed
        if self._is_pushed and not anchored:
            self.top = 0
        elif self.top > 0 or anchored:
            self.top += self.lines.first(self.cursor) - line
        self._clamp_top()
        self._is_pushed = anchored and was_top and self.top > 0
        self._reveal_cursor(seen)

    def _seen(self) -> int:
        """Return how many lines of the cursor's row are visible; `_WHOLE` where none is missing."""
        first, end = self.lines.first(self.cursor), self.lines.end(self.cursor)
        if self.top <= first and min(end, first + self.height) <= self.top + self.height:
            return _WHOLE
        return max(0, min(end, self.top + self.height) - max(first, self.top))

    def _reveal_cursor(self, lines: int = _WHOLE) -> None:
        """Move the window until so many lines of the cursor's row are visible, if they are not."""
        if not self.height:
            return
        first, end = self.lines.first(self.cursor), self.lines.end(self.cursor)
        if lines == _WHOLE and end - first > self.height:
            self.top = first
        elif lines := min(lines, end - first, self.height):
            self.top = max(min(self.top, end - lines), first + lines - self.height)
        self._clamp_top()

    def _clamp_top(self) -> None:
        self.top = max(0, min(self.top, self.lines.total - self.height))
