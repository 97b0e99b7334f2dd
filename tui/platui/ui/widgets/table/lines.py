"""Map the rows of a table to screen lines."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.table import Row


class RowLines:
    """The lines of rows, from 0. Immutable."""

    def __init__(self, count: int, ends: Sequence[int] | None = None) -> None:
        self._count = count
        self._ends = ends

    @classmethod
    def of(cls, rows: Sequence[Row]) -> RowLines:
        """Return the lines of rows that may have lines below their cells."""
        return cls(len(rows), list(accumulate(1 + len(row.below) for row in rows)))

    @property
    def is_several(self) -> bool:
        return self._ends is not None

    @property
    def total(self) -> int:
        if self._ends is None:
            return self._count
        return self._ends[-1] if self._ends else 0

    def first(self, index: int) -> int:
        if self._ends is None:
            return index
        return self._ends[index - 1] if index else 0

    def end(self, index: int) -> int:
        if self._ends is None:
            return min(index + 1, self._count)
        return self._ends[index] if self._ends else 0

    def index(self, line: int) -> int:
        if self._ends is None:
            return max(0, min(line, self._count - 1))
        return bisect_right(self._ends, max(0, min(line, self.total - 1)))
