"""The cursor and the visible window of a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.ui.widgets.table.rows import TableRows

if TYPE_CHECKING:
    from platui.models.values.table import Column, Row, SortKey

_NEAR: Final = 10  # Rows before the last one at which the end is near
_MOST_AHEAD: Final = 16  # Maximum windows to look ahead
_WHOLE: Final = sys.maxsize  # All lines of a row


class TableView:
    """The state of a table without a screen: rows, cursor and window."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.rows = TableRows(columns)
        self.cursor = 0  # Index of the cursor among the shown rows; 0 without rows
        self.top = 0  # First line of the window, counted in lines of the shown rows
        self.height = 0  # Lines that the window holds
        self._is_pushed = False  # Whether the window left the top only because of new rows
        self.pages = 0  # Successive page keys towards the end
        self.cursor_key: str | None = None  # None without rows
        self._last_key: str | None = None  # The last row under the cursor, while there are none
        self.lines = self.rows.lines  # The lines that `top` refers to

    @property
    def cursor_row(self) -> Row | None:
        return self.rows.shown[self.cursor] if self.rows.shown else None

    @property
    def first_index(self) -> int:
        return self.lines.index(self.top)

    @property
    def window(self) -> Sequence[Row]:
        if not self.height:
            return ()
        last = self.lines.index(self.top + self.height - 1)
        return self.rows.shown[self.first_index : last + 1]

    @property
    def cursor_lines(self) -> range:
        """Return the visible lines of the cursor's row, counted from the top of the window."""
        if not self.rows.shown:
            return range(0)
        first, end = self.lines.first(self.cursor), self.lines.end(self.cursor)
        return range(max(0, first - self.top), min(end - self.top, self.height))

    @property
    def visible_keys(self) -> tuple[str, ...]:
        return tuple(row.key for row in self.window)

    @property
    def is_near_end(self) -> bool:
        """Return whether the end is near: earlier after page keys, so that a held key goes on."""
        seen = max(self.lines.end(self.cursor), self.top + self.height)
        ahead = min(self.pages, _MOST_AHEAD) * self.height
        return self.lines.index(seen + ahead - 1) + 1 > len(self.rows.shown) - _NEAR

    def show(self, rows: Sequence[Row], *, stays: bool = False, anchored: bool = False) -> None:
        """Replace the rows; the cursor keeps its row (`stays`: position; `anchored`: and line)."""
        if self.rows.take(rows):
            if stays:
                self.cursor_key = self._last_key = None
            self._restore_cursor(anchored=anchored)
        elif self._is_pushed and not anchored:
            self._restore_cursor()

    def set_columns(self, columns: Sequence[Column]) -> None:
        self.rows.set_columns(columns)
        self._restore_cursor()

    def sort_by(self, sort: SortKey | None) -> None:
        self.rows.sort_by(sort)
        self._restore_cursor()

    def set_filter(self, text: str) -> None:
        self.rows.set_filter(text)
        self._restore_cursor()

    def resize(self, height: int) -> None:
        """Set the height; visible lines of the cursor's row stay visible."""
        height = max(0, height)
        if height == self.height:
            return
        # A window without lines opens at the cursor.
        seen = self._seen() if self.height else _WHOLE
        self.height = height
        self._reveal_cursor(seen)

    def move_to(self, index: int) -> None:
        self._is_pushed = False
        self.pages = 0
        shown = len(self.rows.shown)
        self.cursor = min(max(index, 0), shown - 1) if shown else 0
        self.cursor_key = self.rows.shown[self.cursor].key if shown else None
        self._reveal_cursor()

    def move_to_key(self, key: str, top: int | None = None) -> bool:
        index = self._index(key)
        if index is None:
            return False
        if top is not None:
            self.top = top
        self.move_to(index)
        return True

    def move_page(self, by: float) -> None:
        lines = max(1, round(abs(by) * self.height)) * (1 if by > 0 else -1)
        pages = self.pages + 1 if by > 0 else 0
        index = self.lines.index(self.lines.first(self.cursor) + lines)
        self.top += lines
        self._clamp_top()
        # A row cut at the edge would scroll past unseen lines.
        first, end = self.lines.first(index), self.lines.end(index)
        if by > 0:
            is_cut = first < self.top + self.height < end
            self.move_to(max(index - is_cut, self.cursor + 1))
        else:
            is_cut = first < self.top < end
            self.move_to(min(index + is_cut, self.cursor - 1))
        self.pages = pages

    def scroll(self, by: int) -> None:
        self._is_pushed = False
        self.top += by
        self._clamp_top()

    def _index(self, key: str | None) -> int | None:
        shown = self.rows.shown
        if key is None:
            return None
        if self.cursor < len(shown) and shown[self.cursor].key == key:
            return self.cursor
        return self.rows.index_of(key)

    def _restore_cursor(self, *, anchored: bool = False) -> None:
        """Move the cursor to its row, on the same screen line unless new rows show at the top."""
        seen = self._seen()
        before, line = self.cursor, self.lines.first(self.cursor)
        self._last_key = self.cursor_key or self._last_key
        index = self._index(self._last_key)
        shown = len(self.rows.shown)
        self.cursor = min(before, max(0, shown - 1)) if index is None else index
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
        """Return the visible lines of the cursor's row; `_WHOLE` if none is missing."""
        first, end = self.lines.first(self.cursor), self.lines.end(self.cursor)
        if self.top <= first and min(end, first + self.height) <= self.top + self.height:
            return _WHOLE
        return max(0, min(end, self.top + self.height) - max(first, self.top))

    def _reveal_cursor(self, lines: int = _WHOLE) -> None:
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
