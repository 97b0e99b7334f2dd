"""Columns of people and places for queries, computed on first use."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, compress, pairwise
from operator import sub
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.report.arrays import NO_LEVEL, NULL, ReportArrays
from platui.report.queries import row_masks as masks
from platui.report.queries.matching import TextTest, value_test
from platui.report.queries.memberships import Ranges
from platui.report.queries.text_lines import TextLines, TextRows

if TYPE_CHECKING:
    from platui.report.queries.query import Choice

_FEW: Final = 12  # Below one row in this many, rows are looked up one by one; else all are scanned

# Text fields of people; places below also begin with the name.
NAME: Final = 0
USERNAME: Final = 1
EMAIL: Final = 2
IDENTITY: Final = 3


class PeopleColumns(TextRows):
    """The people of a report by column; `listed` is the mask of those in `users`."""

    def __init__(self, arrays: ReportArrays, listed: int, level_count: int) -> None:
        super().__init__(arrays.person_id, arrays.person_fold, arrays.person_fold_at)
        self.listed_count = listed
        self.listed = masks.all_rows(min(listed, self.count))
        self._arrays = arrays
        self.level_count = level_count
        # By level: the mask of its holders, and the memberships of each person.
        self.holding = cache(self._holding)
        self.held = cache(self._held)

    @cached_property
    def states(self) -> masks.Column:
        return masks.Column(self._arrays.person_state)

    @cached_property
    def domains(self) -> masks.Column:
        return masks.Column(self._arrays.person_domain)

    @cached_property
    def highest(self) -> masks.Column:
        if not self._arrays.is_whole:
            return masks.Column(memoryview(bytes((NO_LEVEL,)) * self.count))
        return masks.Column(self._arrays.person_highest)

    @cached_property
    def with_identity(self) -> int:
        # A null field is U+0000 between field ends.
        return self.listed & ~self.text.having(TextTest(NULL, None))

    @cached_property
    def memberships(self) -> array[int]:
        if not self._arrays.is_whole:
            return array("I", bytes(4 * self.count))
        found = array("I")
        for start, end in masks.slices(self.count):
            edges = self._arrays.person_first[start : end + 1].tolist()
            found.extend(map(sub, edges[1:], edges))
        return found

    @cached_property
    def sizes(self) -> masks.Column:
        return masks.Column(memoryview(self.memberships))

    def _holding(self, level: int) -> int:
        return masks.from_booleans(map(bool, iter(self.held(level))), self.count)

    def _held(self, level: int) -> array[int]:
        if not self._arrays.is_whole:
            return array("I", bytes(4 * self.count))
        counts = array("I")
        every = self._arrays.person_counts[level :: self.level_count]
        for start, end in masks.slices(self.count):
            counts.extend(every[start:end].tolist())
        return counts

    def membership_total(self, mask: int) -> int:
        if mask == self.all_rows:
            return len(self._arrays.member_person)
        if not self._arrays.is_whole or masks.size(mask) * _FEW >= self.count:
            return self.total(self.memberships, mask)
        edges = self._arrays.person_first
        rows = masks.rows_of(mask, self.count)
        return sum(edges[row + 1] for row in rows) - sum(edges[row] for row in rows)

    def total(self, column: array[int], mask: int) -> int:
        if masks.size(mask) * _FEW < self.count:
            return sum(map(column.__getitem__, masks.rows_of(mask, self.count)))
        chosen = masks.flags(mask, self.count)
        return sum(
            sum(compress(column[start:end], chosen[start:end]))
            for start, end in masks.slices(self.count)
        )


PATH: Final = 1

_KEPT: Final = 32  # Cached values of terms, for typing


class PlacesColumns(TextRows):
    def __init__(self, arrays: ReportArrays) -> None:
        super().__init__(arrays.place_id, arrays.place_fold, arrays.place_fold_at)
        self._arrays = arrays
        self._known = lru_cache(maxsize=_KEPT)(self._find)

    @cached_property
    def kinds(self) -> masks.Column:
        """Return 0 for groups, 1 for projects."""
        return masks.Column(self._arrays.place_kind)

    @cached_property
    def last_segments(self) -> TextLines:
        parts = [
            path.rpartition(b"/")[2] + b"\n"
            for piece in self.field(PATH).pieces()
            for path in piece.split(b"\n")[:-1]
        ]
        return TextLines(b"".join(parts), array("Q", accumulate(map(len, parts), initial=0)))

    @cached_property
    def members(self) -> Sequence[int]:
        if not self._arrays.is_whole:
            return [0] * self.count
        edges = self._arrays.place_first.tolist()
        return [after - before for before, after in pairwise(edges)]

    def called(self, kind: int, choices: Sequence[Choice]) -> int:
        """Return the groups, or projects, whose name, path or last part matches a value or glob."""
        found = masks.union(self._known(choice._replace(start=0, end=0)) for choice in choices)
        return found & self.kinds.where((kind,))

    def _find(self, choice: Choice) -> int:
        test = value_test(choice._replace(text=choice.text.strip("/") or "/"))
        found = self.field(PATH).having(test)
        if "/" not in choice.text:
            found |= self.field(NAME).having(test) | self.last_segments.having(test)
        return found

    def within(self, groups: int) -> int:
        flags = bytearray(self.count)
        for first, end in self._subtrees(groups):
            flags[first:end] = b"\xff" * (end - first)
        return masks.from_flags(flags)

    def memberships(self, places: int) -> Ranges:
        if not self._arrays.is_whole:
            return Ranges(())
        firsts = self._arrays.place_first
        return Ranges.of((firsts[first], firsts[end]) for first, end in self._subtrees(places))

    def _subtrees(self, places: int) -> Iterator[tuple[int, int]]:
        done = 0
        ends = self._arrays.place_end
        for row in masks.rows_of(places, self.count):
            if row >= done:
                done = ends[row]
                yield row, done


class ReportColumns(NamedTuple):
    """A report for queries; all names are clean."""

    arrays: ReportArrays
    people: PeopleColumns
    places: PlacesColumns
    levels: Sequence[str]  # Lowest first
    states: Sequence[str]
    domains: Sequence[str]  # The first is none
