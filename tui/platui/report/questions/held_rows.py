"""Memberships of one person, or of one place: columns, of which rows are made when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, NamedTuple, overload

from platui.models.values.access import Holding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Held(NamedTuple):
    """The highest level that a person has in the groups above a place."""

    level: int  # Index; -1: none
    place: int  # Where; of several the outermost. The place itself where there is none.


class Members(NamedTuple):
    """Direct memberships of one place: all of them or some, column by column."""

    place: int  # Row
    people: Sequence[int]
    """Rows. None: memberships were gone through, and those were meant that nobody asks for."""
    levels: Sequence[int]  # Indexes
    inherited: Sequence[int]
    """1 where a group above lists the same person with at least this level, else 0."""


class HeldRows(Sequence[Holding]):
    """Memberships as values.

    Attributes:
        people: row of the person, of each membership.
        places: row of the place, of each.
        levels: index of the level, of each.
    """

    __slots__ = ("_above", "_find_above", "_names", "levels", "people", "places")

    def __init__(
        self,
        people: Sequence[int],
        places: Sequence[int],
        levels: Sequence[int],
        names: Sequence[str],
        above: Callable[[], Sequence[Held]],
    ) -> None:
        self.people = people
        self.places = places
        self.levels = levels
        self._names = names
        self._find_above = above
        self._above: Sequence[Held] | None = None

    def __len__(self) -> int:
        return len(self.people)

    @overload
    def __getitem__(self, at: int) -> Holding: ...

    @overload
    def __getitem__(self, at: slice) -> list[Holding]: ...

    def __getitem__(self, at: int | slice) -> Holding | list[Holding]:
        if isinstance(at, slice):
            return [self._row(one) for one in range(*at.indices(len(self)))]
        return self._row(index(at))

    def __iter__(self) -> Iterator[Holding]:
        names = self._names
        rows = zip(self.people, self.places, self.levels, self._held_above(), strict=True)
        for person, place, level, (highest, at) in rows:
            if highest >= level:
                yield Holding(person, place, names[level], True, names[highest], at)
            else:
                yield Holding(person, place, names[level], False, names[level], place)

    def _row(self, at: int) -> Holding:
        person, place, level = self.people[at], self.places[at], self.levels[at]
        highest, where = self._held_above()[at]
        is_inherited = highest >= level
        name = self._names[level]
        if is_inherited:
            return Holding(person, place, name, True, self._names[highest], where)
        return Holding(person, place, name, False, name, place)

    def _held_above(self) -> Sequence[Held]:
        if self._above is None:
            self._above = self._find_above()
        return self._above
