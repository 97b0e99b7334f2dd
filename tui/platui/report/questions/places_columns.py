"""What questions about groups and projects look at, made when it is first asked for."""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from platui.report.questions import masks
from platui.report.questions.matching import value_test
from platui.report.questions.memberships import Ranges
from platui.report.questions.text_lines import TextLines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.report.arrays import ReportArrays
    from platui.report.questions.query import Choice

NAME: Final = 0
PATH: Final = 1
GROUP: Final = 0
PROJECT: Final = 1

_KEPT: Final = 32
"""Values of terms whose places are kept: while one types on they stay as they are."""


class PlacesColumns:
    """The groups and projects of a report, column by column. Sets are masks (`masks`).

    Attributes:
        count: groups and projects.
        text: their folded lines.
    """

    def __init__(self, arrays: ReportArrays) -> None:
        self.count = len(arrays.place_id)
        self.everything = masks.everything(self.count)
        self.text = TextLines(arrays.place_fold, arrays.place_fold_at)
        self._arrays = arrays
        self._fields: dict[int, TextLines] = {}
        self._known = lru_cache(maxsize=_KEPT)(self._find)

    @cached_property
    def kinds(self) -> masks.Column:
        """Return whether each is a group, 0, or a project, 1."""
        return masks.Column(self._arrays.place_kind)

    @cached_property
    def last_segments(self) -> TextLines:
        """Return what is behind the last slash of each path."""
        parts = [path.rpartition(b"/")[2] + b"\n" for path in self.field(PATH).lines()]
        starts = array("Q", [0])
        for part in parts:
            starts.append(starts[-1] + len(part))
        return TextLines(b"".join(parts), starts)

    @cached_property
    def members(self) -> Sequence[int]:
        """Return how many direct memberships each has."""
        if not self._arrays.is_whole:
            return [0] * self.count
        edges = self._arrays.place_first.tolist()
        return [after - before for before, after in pairwise(edges)]

    def field(self, number: int) -> TextLines:
        """Return the names, or the paths."""
        if number not in self._fields:
            self._fields[number] = self.text.field(number)
        return self._fields[number]

    def called(self, kind: int, choices: Sequence[Choice]) -> int:
        """Return the groups, or projects, that one of some values means.

        A value is a name, the last part of a path, or a full path, or a glob of one of these.
        """
        found = masks.union(self._known(choice._replace(start=0, end=0)) for choice in choices)
        return found & self.kinds.where((kind,))

    def _find(self, choice: Choice) -> int:
        test = value_test(choice._replace(text=choice.text.strip("/") or "/"))
        found = self.field(PATH).having(test)
        if "/" not in choice.text:
            found |= self.field(NAME).having(test) | self.last_segments.having(test)
        return found

    def within(self, groups: int) -> int:
        """Return some groups and all that lies in them."""
        flags = bytearray(self.count)
        for first, end in self._subtrees(groups):
            flags[first:end] = b"\xff" * (end - first)
        return masks.from_flags(flags)

    def memberships(self, places: int) -> Ranges:
        """Return the ranges of memberships of some places; of groups with all that lies in them."""
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
