"""Which rows of two reports are the same person, the same place: those of equal ids."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING, Final

from platui.report.questions import masks

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from platui.report.arrays import ReportArrays

NOBODY: Final = -1
"""Instead of a row: the other report has none."""


class Pairing:
    """Rows of one report and their partners in another.

    Attributes:
        after: the later report's row for each row of the earlier one, or `NOBODY`.
        before: the other way round.
    """

    def __init__(self, before: Iterable[Hashable], after: Iterable[Hashable]) -> None:
        """Pair rows whose keys are equal; no key comes twice in one report."""
        rows = {key: row for row, key in enumerate(after)}
        self.after = array("i", map(rows.get, before, repeat(NOBODY)))
        self.before = array("i", repeat(NOBODY, len(rows)))
        for row, partner in enumerate(self.after):
            if partner != NOBODY:
                self.before[partner] = row

    def joint(self) -> array[int]:
        """Return a number for each row of the earlier report that is of it in both.

        It is the later row; what only the earlier report has is numbered behind all of those.
        """
        count = len(self.before)
        return array(
            "I", (count + row if one == NOBODY else one for row, one in enumerate(self.after))
        )


def paired_people(before: ReportArrays, after: ReportArrays) -> Pairing:
    """Return which people are the same."""
    return Pairing(_numbers(before.person_id), _numbers(after.person_id))


def paired_places(before: ReportArrays, after: ReportArrays) -> Pairing:
    """Return which groups, and which projects, are the same."""
    return Pairing(_place_keys(before), _place_keys(after))


def _place_keys(arrays: ReportArrays) -> Iterator[tuple[int, int, int]]:
    """Yield kind, id, and how often both came before: an id that comes twice pairs in order."""
    seen: Counter[tuple[int, int]] = Counter()
    for key in zip(arrays.place_kind, arrays.place_id, strict=True):
        yield (*key, seen[key])
        seen[key] += 1


def _numbers(numbers: memoryview) -> Iterator[int]:
    for first, end in masks.slices(len(numbers)):
        yield from numbers[first:end].tolist()
