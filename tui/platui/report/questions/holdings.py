"""The memberships of one person, or of one place, and which of them come from above."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from platui.models.values.access import Holding
from platui.report.questions import masks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.report.arrays import ReportArrays


class Holdings:
    """Reads memberships out of the arrays of a report."""

    def __init__(self, arrays: ReportArrays, levels: Sequence[str]) -> None:
        """Read the memberships of a report; its levels are named in order, clean."""
        self._arrays = arrays
        self._levels = levels

    def of_person(self, person: int) -> list[Holding]:
        """Return all memberships of a person, in the order of places."""
        arrays = self._arrays
        if not arrays.is_whole:
            return []
        first, end = arrays.person_first[person], arrays.person_first[person + 1]
        above = _Above()
        found: list[Holding] = []
        place = 0
        for number in arrays.person_member[first:end]:
            place = self.place_of(number, place)
            level = arrays.member_level[number]
            held = above.enter(place, arrays.place_end[place], level)
            found.append(self._holding(person, place, level, held))
        return found

    def of_place(self, place: int) -> list[Holding]:
        """Return the direct memberships of a place, highest level first."""
        arrays = self._arrays
        if not arrays.is_whole:
            return []
        first, end = arrays.place_first[place], arrays.place_first[place + 1]
        people = arrays.member_person[first:end].tolist()
        levels = bytes(arrays.member_level[first:end])
        above = self._held_above(place)
        none = _Held(-1, place)
        ranked = sorted(range(len(people)), key=levels.__getitem__, reverse=True)
        return [
            self._holding(people[at], place, levels[at], above.get(people[at], none))
            for at in ranked
        ]

    def above_place(self, place: int) -> list[Holding]:
        """Return the members of the groups above a place that it lacks, highest level first."""
        arrays = self._arrays
        if not arrays.is_whole:
            return []
        direct, names = self._direct(place), self._levels
        held = [one for one in self._held_above(place).items() if one[0] not in direct]
        held.sort(key=lambda one: (-one[1].level, one[0]))
        return [
            Holding(person, at, names[level], True, names[level], at)
            for person, (level, at) in held
        ]

    def _holding(self, person: int, place: int, level: int, above: _Held) -> Holding:
        """Return a membership, with the highest level held above it."""
        is_inherited = above.level >= level
        highest, at = above if is_inherited else (level, place)
        return Holding(person, place, self._levels[level], is_inherited, self._levels[highest], at)

    def of_memberships(self, numbers: Iterable[int]) -> Iterator[Holding]:
        """Yield memberships by their numbers, which ascend."""
        arrays = self._arrays
        firsts, people, levels = arrays.place_first, arrays.member_person, arrays.member_level
        names = self._levels
        around: list[tuple[int, dict[int, int]]] = []
        place, end = -1, 0
        for number in numbers:
            if number >= end:
                place = self.place_of(number, place + 1)
                end = firsts[place + 1]
                self._surround(around, place)
            person, level = people[number], levels[number]
            is_inherited = False
            for _, lists in around:  # a generator would take twice the time of all this
                if lists.get(person, -1) >= level:
                    is_inherited = True
                    break
            yield Holding(person, place, names[level], is_inherited)

    def _surround(self, around: list[tuple[int, dict[int, int]]], place: int) -> None:
        """Make `around` the groups above a place, and the levels of people in each."""
        groups = list(self._groups_above(place))[::-1]
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
            levels.update(zip(people, arrays.member_level[first:end], strict=True))
        return levels

    def place_of(self, membership: int, earliest: int = 0) -> int:
        """Return the place of a membership, which is `earliest` or one after it."""
        # Places without memberships begin where the next one does: the last is meant.
        return bisect_right(self._arrays.place_first, membership, earliest) - 1

    def _held_above(self, place: int) -> dict[int, _Held]:
        """Return the highest level of each person in the groups above a place, and where."""
        highest: dict[int, _Held] = {}
        for group in reversed([*self._groups_above(place)]):
            for person, level in self._direct(group).items():
                known = highest.get(person)
                if known is None or known.level < level:
                    highest[person] = _Held(level, group)
        return highest

    def _groups_above(self, place: int) -> Iterator[int]:
        parent = self._arrays.place_parent[place]
        while parent >= 0:
            yield parent
            parent = self._arrays.place_parent[parent]


class _Held(NamedTuple):
    level: int
    """-1: none."""
    place: int
    """Where; of several the outermost."""


class _Above:
    """The levels a person has in the groups that lie around a place, while places go by."""

    def __init__(self) -> None:
        self._around: list[tuple[int, _Held]] = []
        """End of each group, and the highest level in it or above; innermost last."""

    def enter(self, place: int, end: int, level: int) -> _Held:
        """Take the level in the place that is next, up to its end; return what lies around it."""
        while self._around and self._around[-1][0] <= place:
            self._around.pop()
        above = self._around[-1][1] if self._around else _Held(-1, place)
        self._around.append((end, above if above.level >= level else _Held(level, place)))
        return above
