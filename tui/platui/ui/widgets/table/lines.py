"""Which lines the rows of a table take: arithmetic only."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.table import Row


class RowLines:
    """The lines that rows take, from 0; where each takes one, nothing is kept. Never changed."""

    def __init__(self, count: int, ends: Sequence[int] | None = None) -> None:
        self._count = count
        self._ends = ends

    @classmethod
    def of(cls, rows: Sequence[Row]) -> RowLines:
        """Return the lines of rows with all that is below them."""
        return cls(len(rows), list(accumulate(1 + len(row.below) for row in rows)))

    @property
    def is_several(self) -> bool:
        return self._ends is not None

    @property
    def total(self) -> int:
        if self._ends is None:
            return self._count
        return self._ends[-1] if self._ends else 0

    def first(self, place: int) -> int:
        """Return the first line of the row at a place; 0 where there are no rows."""
        if self._ends is None:
            return place
        return self._ends[place - 1] if place else 0

    def end(self, place: int) -> int:
        """Return the line after the last one of the row at a place; 0 where there are no rows."""
        if self._ends is None:
            return min(place + 1, self._count)
        return self._ends[place] if self._ends else 0

    def place(self, line: int) -> int:
        """Return the place of the row that a line belongs to; that of the nearest one outside."""
        if self._ends is None:
            return max(0, min(line, self._count - 1))
        return bisect_right(self._ends, max(0, min(line, self.total - 1)))
