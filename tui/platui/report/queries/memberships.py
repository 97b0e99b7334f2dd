"""Holders and counts of memberships in some places at some levels; a subtree is one range."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import and_
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.report.queries import row_masks as masks

if TYPE_CHECKING:
    from platui.report.arrays import ReportArrays
    from platui.report.queries.columns import PeopleColumns

_ONE_BY_ONE: Final = 6  # Scanned memberships in the time of one lookup by person

_RARE: Final = 12  # Below one hit in this many, hits are looked up one by one; else all are scanned

_KEPT: Final = 8  # Cached selections, for typing

_CHOSEN: Final = re.compile(b"\x01")


class Ranges(NamedTuple):
    """Disjoint ranges of numbers, ascending."""

    edges: tuple[int, ...]  # Start and end of each

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]]) -> Ranges:
        """Merge ranges (first, end) in any order."""
        edges: list[int] = []
        for first, end in sorted(ranges):
            if first >= end:
                continue
            if edges and first <= edges[-1]:
                edges[-1] = max(edges[-1], end)
            else:
                edges += (first, end)
        return cls(tuple(edges))

    @property
    def width(self) -> int:
        return sum(self.edges[1::2]) - sum(self.edges[::2])

    def pairs(self) -> Iterator[tuple[int, int]]:
        return zip(self.edges[::2], self.edges[1::2], strict=True)


class Selection(NamedTuple):
    ranges: Ranges
    levels: frozenset[int]  # Indexes


class Memberships:
    def __init__(self, arrays: ReportArrays, people: PeopleColumns) -> None:
        self._arrays = arrays
        self._columns = people
        self._people = people.count
        self._count = len(arrays.member_person)
        levels = frozenset(range(people.level_count))
        self.everything: Final = Selection(Ranges.of(((0, self._count),)), levels)
        self._gathered = lru_cache(maxsize=_KEPT)(self._gather)
        self._by_person = lru_cache(maxsize=_KEPT)(self._find_by_person)

    def holders(self, selection: Selection, among: int) -> int:
        if self._is_everywhere(selection):
            return masks.union(map(self._columns.holding, selection.levels)) & among
        if self._is_quicker_by_person(selection, among):
            found = (row for row in masks.rows_of(among, self._people) if self._of(row, selection))
            return masks.from_rows(found, self._people)
        return self._gathered(selection)[0] & among

    def count(self, selection: Selection, among: int) -> int:
        if self._is_everywhere(selection):
            columns = map(self._columns.held, selection.levels)
            return sum(self._columns.total(column, among) for column in columns)
        if self._is_quicker_by_person(selection, among):
            rows = masks.rows_of(among, self._people)
            return sum(len(self._of(row, selection)) for row in rows)
        everybody, memberships = self._gathered(selection)
        if everybody & among == everybody:
            return memberships
        flags = masks.flags(among, self._people)
        return sum(sum(map(flags.__getitem__, people)) for people in self._slices(selection)) // 255

    def flagged_slices(self, selection: Selection, among: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield first and end of slices, with a byte each: 1 if selected and held by `among`."""
        flags = b"" if among == self._columns.all_rows else masks.flags(among, self._people)
        for first, end in self._steps(selection.ranges):
            chosen = self._chosen(first, end, selection.levels)
            if flags:
                fitting = map(flags.__getitem__, self._holders(first, end))
                chosen = bytes(map(and_, fitting, chosen))
            yield first, end, chosen

    def places(self, levels: frozenset[int], among: int) -> bytes:
        """Return a byte per place: 255 if people of a mask have one of some levels."""
        arrays = self._arrays
        flags = bytearray(len(arrays.place_id))
        if masks.size(among) * 2 < self._people:
            kinds, firsts, held = self._columns.level_count, arrays.person_first, arrays.person_held
            for row in masks.rows_of(among, self._people):
                for one in held[firsts[row] : firsts[row + 1]].tolist():
                    if one % kinds in levels:
                        flags[one // kinds] = 255
            return bytes(flags)
        everywhere = self.everything._replace(levels=levels)
        marked = b"".join(one for _, _, one in self.flagged_slices(everywhere, among))
        firsts = arrays.place_first
        at = marked.find(1)
        row = 0
        while at >= 0:
            row = bisect_right(firsts, at, row) - 1
            flags[row] = 255
            at = marked.find(1, firsts[row + 1])
        return bytes(flags)

    def _gather(self, selection: Selection) -> tuple[int, int]:
        """Return the mask of all holders, and the number of their memberships."""
        people: set[int] = set()
        count = 0
        for hits in self._slices(selection):
            people.update(hits)
            count += len(hits)
        return masks.from_rows(people, self._people), count

    def _of(self, person: int, selection: Selection) -> list[int]:
        arrays, levels, kinds = self._arrays, selection.levels, self._columns.level_count
        ranges = self._by_person(selection.ranges)
        own = arrays.person_held[arrays.person_first[person] : arrays.person_first[person + 1]]
        if len(ranges.edges) <= len(own) // 2:
            found: list[int] = []
            for first, end in ranges.pairs():
                at = bisect_left(own, first)
                found += own[at : bisect_left(own, end, at)]
        else:
            found = [one for one in own if bisect_right(ranges.edges, one) % 2]
        if len(levels) == kinds:
            return found
        return [one for one in found if one % kinds in levels]

    def _find_by_person(self, ranges: Ranges) -> Ranges:
        firsts, kinds = self._arrays.place_first, self._columns.level_count
        # Places without memberships start where the next one does: either is right.
        return Ranges(tuple(bisect_left(firsts, edge) * kinds for edge in ranges.edges))

    def _is_everywhere(self, selection: Selection) -> bool:
        return selection.ranges.width == self._count

    def _is_quicker_by_person(self, selection: Selection, among: int) -> bool:
        each = self._count / max(1, self._people)
        return masks.size(among) * each * _ONE_BY_ONE < selection.ranges.width

    def _slices(self, selection: Selection) -> Iterator[Sequence[int]]:
        for first, end in self._steps(selection.ranges):
            people = self._holders(first, end)
            chosen = self._chosen(first, end, selection.levels)
            hits = chosen.count(1)
            if hits == len(people):
                yield people
            elif hits * _RARE < len(people):
                yield [people[hit.start()] for hit in _CHOSEN.finditer(chosen)]
            else:
                yield list(compress(people, chosen))

    @staticmethod
    def _steps(ranges: Ranges) -> Iterator[tuple[int, int]]:
        for first, end in ranges.pairs():
            yield from masks.slices(end, first)

    def _holders(self, first: int, end: int) -> array[int]:
        people = array("I")
        people.frombytes(self._arrays.member_person[first:end].cast("B"))
        return people

    def _chosen(self, first: int, end: int, levels: frozenset[int]) -> bytes:
        """Return a byte per membership: 1 if it has one of the levels."""
        table = bytes(level in levels for level in range(256))
        return bytes(self._arrays.member_level[first:end]).translate(table)
