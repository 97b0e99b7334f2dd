"""Cache of the rows of a long list."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from platui.models.values.table import Row

T = TypeVar("T")


class _Kept(NamedTuple):
    thing: object  # Referenced, so that its id is not reused
    made_at: datetime
    until: datetime
    row: Row


class RowCache(Generic[T]):
    """Caches the row of each record until its age text changes."""

    def __init__(
        self, make: Callable[[T, datetime], Row], holds: Callable[[T, datetime], float]
    ) -> None:
        """Take the factory of a row, and for how many seconds a row is valid."""
        self._make = make
        self._holds = holds
        self._kept: dict[int, _Kept] = {}

    def rows(self, things: Iterable[T], now: datetime) -> list[Row]:
        before, self._kept = self._kept, {}
        for thing in things:
            kept = before.get(id(thing))
            if kept is None or not kept.made_at <= now < kept.until:
                until = now + timedelta(seconds=self._holds(thing, now))
                kept = _Kept(thing, now, until, self._make(thing, now))
            self._kept[id(thing)] = kept
        return [kept.row for kept in self._kept.values()]
