"""Memberships of one person or place, with inherited levels."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, compress, repeat, starmap
from operator import ge
from typing import Final, overload

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.models.values.access import Membership
from platui.report.arrays import ReportArrays, load_pages
from platui.report.queries import row_masks as masks


class InheritedLevel(NamedTuple):
    """The highest level of a person in the parent groups of a place."""

    level: int  # Index; -1: none
    place: int  # The outermost group with it; the place itself if none


class Members(NamedTuple):
    """Direct memberships of one place, all or some, by column."""

    place: int  # Row
    people: Sequence[int]  # Rows; empty while scanned memberships have no match
    levels: Sequence[int]  # Indexes
    inherited: Sequence[int]
    """1 if a parent group lists the same person with at least this level, else 0."""


@dataclass(slots=True, eq=False)
class MembershipRows(Sequence[Membership]):
    """Memberships by column."""

    people: Sequence[int]  # Rows
    places: Sequence[int]  # Rows
    levels: Sequence[int]  # Indexes of `names`
    names: Sequence[str]
    above: Callable[[], Sequence[InheritedLevel]]  # Cached: computed when the first row is read

    def __len__(self) -> int:
        return len(self.people)

    @overload
    def __getitem__(self, at: int) -> Membership: ...

    @overload
    def __getitem__(self, at: slice) -> list[Membership]: ...

    def __getitem__(self, at: int | slice) -> Membership | list[Membership]:
        above = self.above()
        if isinstance(at, slice):
            rows = zip(self.people[at], self.places[at], self.levels[at], above[at], strict=True)
            return list(starmap(self._membership, rows))
        return self._membership(self.people[at], self.places[at], self.levels[at], above[at])

    def __iter__(self) -> Iterator[Membership]:
        return map(self._membership, self.people, self.places, self.levels, self.above())

    def _membership(self, person: int, place: int, level: int, above: InheritedLevel) -> Membership:
        name, (highest, at) = self.names[level], above
        if highest >= level:
            return Membership(person, place, name, True, self.names[highest], at)
        return Membership(person, place, name, False, name, place)


_AT_ONCE: Final = 4096  # Memberships of one place that are objects at the same time


class MembershipReader:
    def __init__(self, arrays: ReportArrays, levels: Sequence[str]) -> None:
        self._arrays = arrays
        self._levels = levels
        self._none = MembershipRows((), (), (), levels, tuple)
        for of_people in (arrays.person_first, arrays.person_held):
            load_pages(of_people)
        for of_places in (arrays.place_first, arrays.place_end, arrays.member_person):
            load_pages(of_places)

    def of_person(self, person: int) -> MembershipRows:
        arrays, kinds = self._arrays, len(self._levels)
        if not arrays.is_whole:
            return self._none
        first, end = arrays.person_first[person], arrays.person_first[person + 1]
        held = arrays.person_held[first:end].tolist()
        places = [one // kinds for one in held]
        levels = [one % kinds for one in held]
        ends = arrays.place_end
        return MembershipRows(
            [person] * len(held),
            places,
            levels,
            self._levels,
            cache(lambda: _inherited_levels(places, levels, ends)),
        )

    def of_place(self, place: int) -> MembershipRows:
        arrays = self._arrays
        if not arrays.is_whole:
            return self._none
        first, end = arrays.place_first[place], arrays.place_first[place + 1]
        by_level: list[list[int]] = [[] for _ in self._levels]
        # Few levels: bucketing takes half the time of sorting.
        listed = arrays.member_person[first:end].tolist()
        for person, level in zip(listed, bytes(arrays.member_level[first:end]), strict=True):
            by_level[level].append(person)
        by_level.reverse()
        people = list(chain.from_iterable(by_level))
        highest = len(by_level) - 1
        levels = b"".join(bytes((highest - at,)) * len(of) for at, of in enumerate(by_level) if of)
        return MembershipRows(
            people,
            [place] * len(people),
            levels,
            self._levels,
            cache(lambda: _inherited_here(people, place, self._around(place))),
        )

    def inherited_of(self, place: int) -> list[Membership]:
        """Return members of parent groups that a place does not list, highest level first."""
        arrays = self._arrays
        if not arrays.is_whole:
            return []
        names, around = self._levels, self._around(place)
        above = set[int]().union(*(levels for _, levels in around))
        people = [*above - self._direct(place).keys()]
        held = [*zip(people, _inherited_here(people, place, around), strict=True)]
        held.sort(key=lambda one: (-one[1].level, one[0]))
        return [
            Membership(person, at, names[level], True, names[level], at)
            for person, (level, at) in held
        ]

    def all_members(self, place: int) -> list[Membership]:
        """Return direct and inherited members, highest effective level first."""
        rank = {level: at for at, level in enumerate(self._levels)}
        held = [*self.of_place(place), *self.inherited_of(place)]
        held.sort(key=lambda one: -rank[one.effective])  # stable: direct members first
        return held

    def by_place(self, flagged_slices: Iterable[tuple[int, int, bytes]]) -> Iterator[Members]:
        """Yield memberships by place; slices have first, end and a byte each, 1 if selected."""
        firsts = self._arrays.place_first
        around: list[tuple[int, dict[int, int]]] = []
        place, until = -1, 0
        for first, end, chosen in flagged_slices:
            at = chosen.find(1)
            if at < 0:
                yield Members(place, (), (), b"")
            while at >= 0:
                if first + at >= until:
                    # Places without memberships start where the next one does: take the last.
                    place = bisect_right(firsts, first + at, place + 1) - 1
                    until = firsts[place + 1]
                    self._update_parents(around, place)
                stop = min(at + _AT_ONCE, until - first, end - first)
                yield self._members(place, first + at, chosen[at:stop], around)
                at = chosen.find(1, stop)

    def _members(
        self, place: int, first: int, chosen: bytes, around: Sequence[tuple[int, dict[int, int]]]
    ) -> Members:
        end = first + len(chosen)
        people = self._arrays.member_person[first:end].tolist()
        levels = self._arrays.member_level[first:end].tolist()
        if 0 in chosen:
            people, levels = [*compress(people, chosen)], [*compress(levels, chosen)]
        inherited = 0
        for _, lists in around:
            above = map(lists.get, people, repeat(-1))
            inherited |= int.from_bytes(bytes(map(ge, above, levels)), "little")
        return Members(place, people, levels, inherited.to_bytes(len(people), "little"))

    def _update_parents(self, around: list[tuple[int, dict[int, int]]], place: int) -> None:
        groups = self._groups_above(place)
        kept = 0
        while kept < min(len(around), len(groups)) and around[kept][0] == groups[kept]:
            kept += 1
        del around[kept:]
        around += ((group, self._direct(group)) for group in groups[kept:])

    def _direct(self, place: int) -> dict[int, int]:
        arrays = self._arrays
        levels: dict[int, int] = {}
        for first, end in masks.slices(arrays.place_first[place + 1], arrays.place_first[place]):
            people = arrays.member_person[first:end].tolist()
            levels.update(zip(people, bytes(arrays.member_level[first:end]), strict=True))
        return levels

    def _around(self, place: int) -> list[tuple[int, dict[int, int]]]:
        """Return the parent groups, outermost first, with the levels of their direct members."""
        return [(group, self._direct(group)) for group in self._groups_above(place)]

    def _groups_above(self, place: int) -> list[int]:
        groups: list[int] = []
        while (place := self._arrays.place_parent[place]) >= 0:
            groups.append(place)
        return groups[::-1]


def _inherited_here(
    people: Sequence[int], place: int, around: Iterable[tuple[int, dict[int, int]]]
) -> list[InheritedLevel]:
    """Return the highest inherited level of each person at one place."""
    highest = [-1] * len(people)
    where = [place] * len(people)
    for group, levels in around:
        for at, level in enumerate(map(levels.get, people, repeat(-1))):
            if level > highest[at]:
                highest[at], where[at] = level, group
    return [*map(InheritedLevel, highest, where)]


def _inherited_levels(
    places: Sequence[int], levels: Sequence[int], ends: memoryview
) -> list[InheritedLevel]:
    """Return the highest inherited level at each place of a person; `places` are ascending."""
    # Open groups: end, highest level in it or its parents.
    around: list[tuple[int, InheritedLevel]] = []
    found: list[InheritedLevel] = []
    for place, level in zip(places, levels, strict=True):
        while around and around[-1][0] <= place:
            around.pop()
        above = around[-1][1] if around else InheritedLevel(-1, place)
        found.append(above)
        end = ends[place]
        if end > place + 1:
            around.append((end, above if above.level >= level else InheritedLevel(level, place)))
    return found
