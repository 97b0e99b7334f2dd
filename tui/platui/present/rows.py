"""Rows made lazily: once per record of a long list, or only where a table shows them."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar, overload

from platui.models.values.table import Row, RowSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

T = TypeVar("T")

_KEPT: Final = 512
"""Rows that are kept: a few windows full, so that one in sight stays the same object."""


class _Kept(NamedTuple):
    thing: object
    """Held, so that its identity stays its own."""
    made_at: datetime
    until: datetime
    row: Row


class KeptRows(Generic[T]):
    """The rows of one list; one is made anew when its thing is another, or its age has moved."""

    def __init__(
        self, make: Callable[[T, datetime], Row], holds: Callable[[T, datetime], float]
    ) -> None:
        """Take how a row is made, and for how many seconds it stays true."""
        self._make = make
        self._holds = holds
        self._kept: dict[int, _Kept] = {}

    def rows(self, things: Iterable[T], now: datetime) -> list[Row]:
        """Return a row a thing, in the order given; what left the list is forgotten."""
        before, self._kept = self._kept, {}
        for thing in things:
            kept = before.get(id(thing))
            if kept is None or not kept.made_at <= now < kept.until:
                until = now + timedelta(seconds=self._holds(thing, now))
                kept = _Kept(thing, now, until, self._make(thing, now))
            self._kept[id(thing)] = kept
        return [kept.row for kept in self._kept.values()]


class MadeRows(RowSource):
    """A number of rows, each made by its place, and found again by its key."""

    def __init__(
        self, count: int, make: Callable[[int], Row], place_of: Callable[[str], int | None]
    ) -> None:
        """`make` returns the row at a place, when it is needed; `place_of` the place of a key."""
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
        if isinstance(at, slice):
            return [self._make(place) for place in range(*at.indices(self._count))]
        place = at + self._count if at < 0 else at
        if not 0 <= place < self._count:
            raise IndexError(at)
        return self._make(place)

    def place_of(self, key: str) -> int | None:
        return self._place_of(key)
