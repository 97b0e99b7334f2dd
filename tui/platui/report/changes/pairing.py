"""Match rows of two reports by id, and their levels by name."""

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
    from platui.report.open_report import OpenedReport


NO_ROW: Final = -1  # Not in the other report


class Pairing:
    """The later row of each earlier row (`after`), or `NO_ROW`, and the inverse (`before`)."""

    def __init__(self, before: Iterable[Hashable], after: Iterable[Hashable]) -> None:
        """Pair rows with equal keys; keys are unique in a report."""
        rows = {key: row for row, key in enumerate(after)}
        self.after = array("i", map(rows.get, before, repeat(NO_ROW)))
        self.before = array("i", repeat(NO_ROW, len(rows)))
        self.joint = array("I")
        """A number for each earlier row: its later row; removed ones follow all of those."""
        for row, partner in enumerate(self.after):
            if partner == NO_ROW:
                self.joint.append(len(rows) + row)
            else:
                self.before[partner] = row
                self.joint.append(partner)


def _place_keys(arrays: ReportArrays) -> Iterator[tuple[int, int, int]]:
    """Yield kind, id and occurrence: duplicate ids pair in order."""
    seen: Counter[tuple[int, int]] = Counter()
    for key in zip(arrays.place_kind, arrays.place_id, strict=True):
        yield (*key, seen[key])
        seen[key] += 1


def _numbers(numbers: memoryview) -> Iterator[int]:
    for first, end in masks.slices(len(numbers)):
        yield from numbers[first:end].tolist()


_MOST: Final = 255  # Levels that a byte can represent, besides none


class Scale:
    """Names of the levels of both reports, unknown order first; `owner` is the index of `OWNER`."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        """Merge clean levels. Raises ReportError: too many different levels."""
        strange = dict.fromkeys(level for level in (*before, *after) if level not in LEVELS)
        self._strange = len(strange)
        self.levels = (*strange, *LEVELS)
        if len(self.levels) > _MOST:
            raise ReportError(
                f"These reports cannot be compared: they have more than {_MOST} different "
                "access levels between them."
            )
        self.owner = self.levels.index("OWNER")
        self.before = self._table(before)  # Translates the earlier report's `member_level`
        self.after = self._table(after)

    def kind(self, before: int, after: int) -> ChangeKind:
        if before < self._strange and after < self._strange:
            return ChangeKind.OTHERWISE
        # As in a report, unknown levels are below known ones.
        return ChangeKind.RAISED if after > before else ChangeKind.LOWERED

    def _table(self, levels: Sequence[str]) -> bytes:
        numbers = [self.levels.index(level) for level in levels]
        return bytes(numbers + [0] * (256 - len(numbers)))


class PairedReports:
    """Two reports, with their pairs of people and places and a common scale of levels."""

    def __init__(self, before: OpenedReport, after: OpenedReport) -> None:
        """Pair the rows; takes seconds. Raises ReportError: too many levels."""
        self.before = before
        self.after = after
        self.people = Pairing(_numbers(before.arrays.person_id), _numbers(after.arrays.person_id))
        self.places = Pairing(_place_keys(before.arrays), _place_keys(after.arrays))
        self.scale = Scale(before.levels, after.levels)
