"""What questions about people look at, made of a report's arrays when it is first asked for."""

from __future__ import annotations

from array import array
from functools import cached_property
from itertools import compress
from operator import sub
from typing import TYPE_CHECKING, Final

from platui.report.arrays import NO_LEVEL
from platui.report.questions import masks
from platui.report.questions.matching import TextTest
from platui.report.questions.text_lines import NULL, TextLines

if TYPE_CHECKING:
    from platui.report.arrays import ReportArrays

_FEW: Final = 12
"""One row in so many or less, and each is looked up; otherwise all are gone through."""

NAME: Final = 0
USERNAME: Final = 1
EMAIL: Final = 2
IDENTITY: Final = 3


class PeopleColumns:
    """The people of a report, column by column. Sets are masks (`masks`).

    Attributes:
        count: people that have a row.
        level_count: levels of the report.
        listed: the set of those whom `users` lists: the first rows.
        text: their folded lines.
    """

    def __init__(self, arrays: ReportArrays, listed: int, level_count: int) -> None:
        self.count = len(arrays.person_id)
        self.everybody = masks.everything(self.count)
        self.listed = masks.everything(min(listed, self.count))
        self.text = TextLines(arrays.person_fold, arrays.person_fold_at)
        self._arrays = arrays
        self.level_count = level_count
        self._fields: dict[int, TextLines] = {}
        self._holding: dict[int, int] = {}
        self._held: dict[int, array[int]] = {}

    @cached_property
    def states(self) -> masks.Column:
        """Return each person's state, an index."""
        return masks.Column(self._arrays.person_state)

    @cached_property
    def domains(self) -> masks.Column:
        """Return each person's e-mail domain, an index."""
        return masks.Column(self._arrays.person_domain)

    @cached_property
    def highest(self) -> masks.Column:
        """Return each person's highest level, an index or `NO_LEVEL`."""
        if not self._arrays.is_whole:
            return masks.Column(memoryview(bytes((NO_LEVEL,)) * self.count))
        return masks.Column(self._arrays.person_highest)

    @cached_property
    def with_identity(self) -> int:
        """Return the set of those listed who have a service identity."""
        # A field that is null begins and ends right beside the ends of others.
        null = TextTest(NULL, None)
        return self.listed & ~self.text.having(null)

    @cached_property
    def memberships(self) -> array[int]:
        """Return how many memberships each person has."""
        if not self._arrays.is_whole:
            return array("I", bytes(4 * self.count))
        found = array("I")
        for start, end in masks.slices(self.count):
            edges = self._arrays.person_first[start : end + 1].tolist()
            found.extend(map(sub, edges[1:], edges))
        return found

    @cached_property
    def sizes(self) -> masks.Column:
        """Return the same as a column."""
        return masks.Column(memoryview(self.memberships))

    def field(self, number: int) -> TextLines:
        """Return one of the texts, of everybody."""
        if number not in self._fields:
            self._fields[number] = self.text.field(number)
        return self._fields[number]

    def holding(self, level: int) -> int:
        """Return the set of those who hold a level anywhere."""
        if level not in self._holding:
            self._holding[level] = masks.from_truths(map(bool, iter(self.held(level))), self.count)
        return self._holding[level]

    def held(self, level: int) -> array[int]:
        """Return how many memberships of a level each person has."""
        if level not in self._held:
            counts = array("I")
            if self._arrays.is_whole:
                every = self._arrays.person_counts[level :: self.level_count]
                for start, end in masks.slices(self.count):
                    counts.extend(every[start:end].tolist())
            else:
                counts.frombytes(bytes(4 * self.count))
            self._held[level] = counts
        return self._held[level]

    def membership_total(self, mask: int) -> int:
        """Return how many memberships a set has together."""
        if not self._arrays.is_whole or masks.size(mask) * _FEW >= self.count:
            return self.total(self.memberships, mask)
        edges = self._arrays.person_first
        rows = masks.rows_of(mask, self.count)
        return sum(edges[row + 1] for row in rows) - sum(edges[row] for row in rows)

    def total(self, column: array[int], mask: int) -> int:
        """Return the sum of a column over a set."""
        if masks.size(mask) * _FEW < self.count:
            return sum(map(column.__getitem__, masks.rows_of(mask, self.count)))
        chosen = masks.flags(mask, self.count)
        return sum(
            sum(compress(column[start:end], chosen[start:end]))
            for start, end in masks.slices(self.count)
        )
