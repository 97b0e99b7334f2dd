"""Find changed memberships, place by place."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from platui.models.values.access_changes import OF_MEMBERSHIPS, ChangeKind
from platui.report.arrays import NO_LEVEL, ReportArrays
from platui.report.changes.people_and_places import NO_ROW, PairedReports
from platui.report.queries import row_masks as masks

_PROGRESS_REPORTS: Final = 50  # Number of progress reports


class MembershipTable:
    """Changed memberships of one kind, ten bytes each; rows as in `Pairing.joint`."""

    def __init__(self) -> None:
        self.people = array("I")
        self.places = array("I")
        self.before = bytearray()
        self.after = bytearray()

    def __len__(self) -> int:
        return len(self.people)

    def add(self, person: int, place: int, before: int, after: int) -> None:
        self.people.append(person)
        self.places.append(place)
        self.before.append(before)
        self.after.append(after)


class _Members(NamedTuple):
    """The members of one report by place."""

    arrays: ReportArrays
    joint: array[int] | None  # Of each person; None: their rows are joint rows
    table: bytes  # Translates levels to those of both reports

    def slices(self, place: int) -> Iterator[tuple[list[int], bytes]]:
        """Yield joint rows of people, and their levels."""
        arrays = self.arrays
        for first, end in masks.slices(arrays.place_first[place + 1], arrays.place_first[place]):
            rows = arrays.member_person[first:end]
            people = rows.tolist() if self.joint is None else [*map(self.joint.__getitem__, rows)]
            yield people, bytes(arrays.member_level[first:end]).translate(self.table)

    def each(self, place: int) -> Iterator[tuple[int, int]]:
        for people, levels in self.slices(place):
            yield from zip(people, levels, strict=True)

    def count(self, place: int) -> int:
        return int(self.arrays.place_first[place + 1] - self.arrays.place_first[place])


class MembershipChanges:
    def __init__(self, reports: PairedReports) -> None:
        self.tables = {kind: MembershipTable() for kind in OF_MEMBERSHIPS}
        self._people, self._places = reports.people, reports.places
        self._scale = scale = reports.scale
        self._before = _Members(reports.before.arrays, self._people.joint, scale.before)
        self._after = _Members(reports.after.arrays, None, scale.after)

    def find(self, on_progress: Callable[[float], None]) -> None:
        count = len(self._places.before)
        step = max(1, count // _PROGRESS_REPORTS)
        for place, earlier in enumerate(self._places.before):
            if place % step == 0:
                on_progress(place / count)
            if earlier == NO_ROW:
                self._add_changes(place, {}, ChangeKind.ADDED_WITH_PLACE)
            elif not self._is_same(earlier, place):
                self._add_changes(place, dict(self._before.each(earlier)), None)
        dropped = self.tables[ChangeKind.DROPPED_WITH_PLACE]
        for earlier, later in enumerate(self._places.after):
            if later == NO_ROW:
                for person, level in self._before.each(earlier):
                    dropped.add(person, self._places.joint[earlier], level, NO_LEVEL)

    def _is_same(self, earlier: int, place: int) -> bool:
        if self._before.count(earlier) != self._after.count(place):
            return False
        pairs = zip(self._before.slices(earlier), self._after.slices(place), strict=True)
        return all(left[1] == right[1] and left[0] == right[0] for left, right in pairs)

    def _add_changes(self, place: int, held: dict[int, int], kind: ChangeKind | None) -> None:
        """Add the changes from earlier levels by person; `kind` is that of all in a new place."""
        for person, level in self._after.each(place):
            was = held.pop(person, NO_LEVEL)
            if was != level:
                if level == self._scale.owner:
                    self.tables[ChangeKind.NEW_OWNER].add(person, place, was, level)
                self.tables[kind or self._kind(person, was, level)].add(person, place, was, level)
        for person, level in held.items():
            is_gone = person >= len(self._people.before)
            dropped = ChangeKind.DROPPED_WITH_PERSON if is_gone else ChangeKind.DROPPED
            self.tables[dropped].add(person, place, level, NO_LEVEL)

    def _kind(self, person: int, was: int, level: int) -> ChangeKind:
        if was != NO_LEVEL:
            return self._scale.kind(was, level)
        is_new = self._people.before[person] == NO_ROW
        return ChangeKind.ADDED_WITH_PERSON if is_new else ChangeKind.ADDED
