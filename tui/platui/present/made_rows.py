"""Rows made when a table looks at them: of tens of thousands those in sight."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, overload

from platui.models.values.table import Row, RowSource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_KEPT: Final = 512
"""Rows that are kept: a few windows full, so that one in sight stays the same object."""


class MadeRows(RowSource):
    """A number of rows, each made by its place, and found again by its key."""

    def __init__(
        self, count: int, make: Callable[[int], Row], place_of: Callable[[str], int | None]
    ) -> None:
        """Make no row yet.

        Args:
            count: how many there are.
            make: returns the row at a place.
            place_of: returns the place of a key; None where it is not among them.
        """
        self._count = count
        self._make = lru_cache(_KEPT)(make)
        self._place_of = place_of

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        """Return the row at a place, or those of a range."""
        if isinstance(at, slice):
            return [self._make(place) for place in range(*at.indices(self._count))]
        place = at + self._count if at < 0 else at
        if not 0 <= place < self._count:
            raise IndexError(at)
        return self._make(place)

    def place_of(self, key: str) -> int | None:
        """Return at which place the row with this key stands; None where it is not among them."""
        return self._place_of(key)
