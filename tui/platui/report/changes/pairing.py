"""Rows of two reports that have equal ids, and the levels of both on one scale."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.models.values.access import LEVELS
from platui.models.values.access_changes import ChangeKind
from platui.report.queries import row_masks as masks

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from platui.report.arrays import ReportArrays


NO_ROW: Final = -1
"""Instead of a row: the other report has none."""


class Pairing:
    """Rows of one report and their partners in another.

    Attributes:
        after: the later report's row for each row of the earlier one, or `NO_ROW`.
        before: the other way round.
    """

    def __init__(self, before: Iterable[Hashable], after: Iterable[Hashable]) -> None:
        """Pair rows whose keys are equal; no key comes twice in one report."""
        rows = {key: row for row, key in enumerate(after)}
        self.after = array("i", map(rows.get, before, repeat(NO_ROW)))
        self.before = array("i", repeat(NO_ROW, len(rows)))
        for row, partner in enumerate(self.after):
            if partner != NO_ROW:
                self.before[partner] = row

    def joint(self) -> array[int]:
        """Return a number for each row of the earlier report that is of it in both.

        It is the later row; what only the earlier report has is numbered behind all of those.
        """
        count = len(self.before)
        return array(
            "I", (count + row if one == NO_ROW else one for row, one in enumerate(self.after))
        )


def paired_people(before: ReportArrays, after: ReportArrays) -> Pairing:
    return Pairing(_numbers(before.person_id), _numbers(after.person_id))


def paired_places(before: ReportArrays, after: ReportArrays) -> Pairing:
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


_MOST: Final = 255
"""Levels that a byte tells apart, where one of its numbers stands for none."""


class Scale:
    """Levels of both reports, those whose order nobody knows first.

    Attributes:
        levels: their names.
        owner: the number of `OWNER`.
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        """Take the levels of both, clean.

        Raises ReportError: together there are more than can be told apart.
        """
        strange = dict.fromkeys(level for level in (*before, *after) if level not in LEVELS)
        self._strange = len(strange)
        self.levels = (*strange, *LEVELS)
        if len(self.levels) > _MOST:
            raise ReportError(
                f"These reports cannot be compared: they have more than {_MOST} different "
                "access levels between them."
            )
        self.owner = self.levels.index("OWNER")
        self.before = self._table(before)
        """Translates the earlier report's `member_level`."""
        self.after = self._table(after)

    def kind(self, before: int, after: int) -> ChangeKind:
        if before < self._strange and after < self._strange:
            return ChangeKind.OTHERWISE
        # The report itself counts a level it does not know below those that are known.
        return ChangeKind.RAISED if after > before else ChangeKind.LOWERED

    def _table(self, levels: Sequence[str]) -> bytes:
        numbers = [self.levels.index(level) for level in levels]
        return bytes(numbers + [0] * (256 - len(numbers)))
