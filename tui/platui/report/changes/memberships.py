"""Find changed memberships, place by place."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from platui.models.values.access_changes import OF_MEMBERSHIPS, ChangeKind
from platui.report.changes.pairing import NO_ROW
from platui.report.queries import row_masks as masks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from platui.report.arrays import ReportArrays
    from platui.report.changes.pairing import Pairing, Scale

NO_LEVEL: Final = 255  # No such membership

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


class MembershipChanges:
    def __init__(
        self,
        before: ReportArrays,
        after: ReportArrays,
        people: Pairing,
        places: Pairing,
        scale: Scale,
    ) -> None:
        self.tables = {kind: MembershipTable() for kind in OF_MEMBERSHIPS}
        self._before = before
        self._after = after
        self._people = people
        self._places = places
        self._scale = scale
        self._joint_people, self._joint_places = people.joint(), places.joint()

    def find(self, on_progress: Callable[[float], None]) -> None:
        count = len(self._places.before)
        step = max(1, count // _PROGRESS_REPORTS)
        for place, earlier in enumerate(self._places.before):
            if place % step == 0:
                on_progress(place / count)
            if earlier == NO_ROW:
                self._new_place(place)
            elif not self._is_same(earlier, place):
                self._changed_place(earlier, place)
        for place, later in enumerate(self._places.after):
            if later == NO_ROW:
                self._gone_place(place)

    def _new_place(self, place: int) -> None:
        owners, table = (
            self.tables[kind] for kind in (ChangeKind.NEW_OWNER, ChangeKind.ADDED_WITH_PLACE)
        )
        for people, levels in self._later(place):
            for person, level in zip(people, levels, strict=True):
                table.add(person, place, NO_LEVEL, level)
                if level == self._scale.owner:
                    owners.add(person, place, NO_LEVEL, level)

    def _gone_place(self, place: int) -> None:
        table, number = self.tables[ChangeKind.DROPPED_WITH_PLACE], self._joint_places[place]
        for people, levels in self._earlier(place):
            for person, level in zip(people, levels, strict=True):
                table.add(person, number, level, NO_LEVEL)

    def _is_same(self, earlier: int, place: int) -> bool:
        edges, later = self._before.place_first, self._after.place_first
        if edges[earlier + 1] - edges[earlier] != later[place + 1] - later[place]:
            return False
        pairs = zip(self._earlier(earlier), self._later(place), strict=True)
        return all(left[1] == right[1] and left[0] == right[0] for left, right in pairs)

    def _changed_place(self, earlier: int, place: int) -> None:
        held: dict[int, int] = {}
        for people, levels in self._earlier(earlier):
            held.update(zip(people, levels, strict=True))
        for people, levels in self._later(place):
            for person, level in zip(people, levels, strict=True):
                was = held.pop(person, NO_LEVEL)
                if was != level:
                    self._add(person, place, was, level)
        dropped = self.tables[ChangeKind.DROPPED]
        with_person = self.tables[ChangeKind.DROPPED_WITH_PERSON]
        for person, level in held.items():
            is_there = person < len(self._people.before)
            (dropped if is_there else with_person).add(person, place, level, NO_LEVEL)

    def _add(self, person: int, place: int, was: int, level: int) -> None:
        if level == self._scale.owner:
            self.tables[ChangeKind.NEW_OWNER].add(person, place, was, level)
        if was != NO_LEVEL:
            self.tables[self._scale.kind(was, level)].add(person, place, was, level)
        elif self._people.before[person] != NO_ROW:
            self.tables[ChangeKind.ADDED].add(person, place, was, level)
        else:
            self.tables[ChangeKind.ADDED_WITH_PERSON].add(person, place, was, level)

    def _earlier(self, place: int) -> Iterator[tuple[list[int], bytes]]:
        """Yield slices of the earlier members of a place: joint rows and levels."""
        arrays = self._before
        numbers = self._joint_people
        for first, end in masks.slices(arrays.place_first[place + 1], arrays.place_first[place]):
            people = map(numbers.__getitem__, arrays.member_person[first:end])
            yield list(people), bytes(arrays.member_level[first:end]).translate(self._scale.before)

    def _later(self, place: int) -> Iterator[tuple[list[int], bytes]]:
        arrays = self._after
        for first, end in masks.slices(arrays.place_first[place + 1], arrays.place_first[place]):
            people = arrays.member_person[first:end].tolist()
            yield people, bytes(arrays.member_level[first:end]).translate(self._scale.after)
