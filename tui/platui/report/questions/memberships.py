"""Memberships in some places, at some levels: who has them, and how many they are.

Memberships lie in the order of places, so those of places are ranges. A range is gone through
in slices; where only few people are left, their own memberships are gone through instead.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.report.questions import masks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from platui.report.arrays import ReportArrays

_ONE_BY_ONE: Final = 10
"""Memberships of a range that are gone through in the time of one that is found by its person."""


class Ranges:
    """Ranges of numbers that don't touch each other, ascending."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Take ranges (first, end) in any order; what overlaps becomes one."""
        edges: list[int] = []
        for first, end in sorted(ranges):
            if first >= end:
                continue
            if edges and first <= edges[-1]:
                edges[-1] = max(edges[-1], end)
            else:
                edges += (first, end)
        self._edges = edges
        self.width = sum(edges[1::2]) - sum(edges[::2])

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._edges[::2], self._edges[1::2], strict=True)

    def __contains__(self, number: int) -> bool:
        return bisect_right(self._edges, number) % 2 == 1


class Selection(NamedTuple):
    """Memberships that are asked for."""

    ranges: Ranges
    levels: frozenset[int]
    """Indexes."""


class Memberships:
    """The memberships of a report."""

    def __init__(self, arrays: ReportArrays) -> None:
        self._arrays = arrays
        self._people = len(arrays.person_id)
        self._count = len(arrays.member_person)

    def holders(self, selection: Selection, among: int) -> int:
        """Return the set of those people of a set who have a membership of a selection."""
        if self._is_quicker_by_person(selection, among):
            found = (row for row in masks.rows_of(among, self._people) if self._of(row, selection))
            return masks.from_rows(found, self._people)
        holders: set[int] = set()
        for people in self._slices(selection):
            holders.update(people)
        return masks.from_rows(holders, self._people) & among

    def count(self, selection: Selection, among: int) -> int:
        """Return how many memberships of a selection people of a set have."""
        if self._is_quicker_by_person(selection, among):
            rows = masks.rows_of(among, self._people)
            return sum(len(self._of(row, selection)) for row in rows)
        flags = masks.flags(among, self._people)
        return sum(sum(map(flags.__getitem__, people)) for people in self._slices(selection)) // 255

    def marked(self, selection: Selection, among: int) -> bytes:
        """Return a byte a membership, 255 for those of a selection that people of a set have."""
        found = bytearray(self._count)
        if self._is_quicker_by_person(selection, among):
            for row in masks.rows_of(among, self._people):
                for number in self._of(row, selection):
                    found[number] = 255
            return bytes(found)
        flags = masks.flags(among, self._people)
        is_everybody = among == masks.everything(self._people)
        for first, end in self._steps(selection.ranges):
            people, chosen = self._chosen(first, end, selection.levels)
            part = masks.from_flags(chosen) * 255
            if not is_everybody:
                part &= masks.from_flags(bytes(map(flags.__getitem__, people)))
            found[first:end] = masks.flags(part, end - first)
        return bytes(found)

    def numbers(self, selection: Selection, among: int) -> Iterator[int]:
        """Yield the memberships of a selection that people of a set have, in order of places."""
        flags = masks.flags(among, self._people)
        for first, end in self._steps(selection.ranges):
            people, chosen = self._chosen(first, end, selection.levels)
            for number in compress(range(first, end), chosen):
                if flags[people[number - first]]:
                    yield number

    def _of(self, person: int, selection: Selection) -> Sequence[int]:
        """Return the memberships of a person that are of a selection."""
        firsts, levels = self._arrays.person_first, self._arrays.member_level
        own = self._arrays.person_member[firsts[person] : firsts[person + 1]].tolist()
        ranges, wanted = selection
        return [number for number in own if levels[number] in wanted and number in ranges]

    def _is_quicker_by_person(self, selection: Selection, among: int) -> bool:
        each = self._count / max(1, self._people)
        return masks.size(among) * each * _ONE_BY_ONE < selection.ranges.width

    def _slices(self, selection: Selection) -> Iterator[Iterator[int]]:
        """Yield the people of memberships of a selection, slice by slice."""
        for first, end in self._steps(selection.ranges):
            people, chosen = self._chosen(first, end, selection.levels)
            yield compress(people, chosen)

    @staticmethod
    def _steps(ranges: Ranges) -> Iterator[tuple[int, int]]:
        for first, end in ranges:
            yield from masks.slices(end, first)

    def _chosen(self, first: int, end: int, levels: Collection[int]) -> tuple[array[int], bytes]:
        """Return the people of some memberships, and a byte each: is it of one of the levels?"""
        people = array("I")
        people.frombytes(self._arrays.member_person[first:end].cast("B"))
        table = bytes(level in levels for level in range(256))
        return people, bytes(self._arrays.member_level[first:end]).translate(table)
