"""Compare two open reports; changes are read on access."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from functools import lru_cache
from itertools import starmap, takewhile
from typing import TYPE_CHECKING, Final, TypeVar, overload

from platui.models.values.access_changes import (
    OF_MEMBERSHIPS,
    OF_PEOPLE,
    OF_PLACES,
    ChangedPerson,
    ChangedPlace,
    ChangeKind,
    ChangesInPlace,
    ChangesOfPerson,
    MembershipChange,
    PersonChange,
    PlaceChange,
    Trait,
)
from platui.report.arrays import NO_LEVEL
from platui.report.changes.finding import (
    NO_ROW,
    MembershipChanges,
    MembershipTable,
    PairedReports,
    Pairing,
    last_part,
    people_changes,
    place_changes,
    split_trait_key,
    trait_of,
)

if TYPE_CHECKING:
    from array import array

    from platui.report.open_report import OpenedReport

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C")

_UNLISTED: Final = "unlisted"
_KEPT: Final = 4096  # Cached people and places


class LazySequence(Sequence[T]):
    """Values created on access."""

    def __init__(self, count: int, read: Callable[[int], T]) -> None:
        self._numbers = range(count)
        self._read = read

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        numbers = self._numbers[index]
        if isinstance(numbers, range):
            return [self._read(number) for number in numbers]
        return self._read(numbers)


class FoundChanges:
    """Implementation of `models.values.access_changes.AccessChanges`."""

    def __init__(
        self, reports: PairedReports, memberships: Mapping[ChangeKind, MembershipTable]
    ) -> None:
        self._before, self._after = reports.before, reports.after
        self.before, self.after = reports.before.info, reports.after.info
        self._people, self._places = reports.people, reports.places
        self._levels = reports.scale.levels
        self._memberships = memberships
        self._rows = {**people_changes(reports), **place_changes(reports)}
        self._person = lru_cache(maxsize=_KEPT)(self._read_person)
        self._place = lru_cache(maxsize=_KEPT)(self._read_place)

    @property
    def counts(self) -> Mapping[ChangeKind, int]:
        every: dict[ChangeKind, Sized] = {**self._rows, **self._memberships}
        return {kind: len(every[kind]) for kind in ChangeKind}

    def people(self, kind: ChangeKind) -> Sequence[PersonChange]:
        rows = self._rows[kind]
        return LazySequence(len(rows), lambda at: self._person_change(kind, rows[at]))

    def memberships(self, kind: ChangeKind) -> Sequence[MembershipChange]:
        return LazySequence(len(self._memberships[kind]), lambda at: self._membership(kind, at))

    def places(self, kind: ChangeKind) -> Sequence[PlaceChange]:
        rows = self._rows[kind]
        return LazySequence(len(rows), lambda at: self._place_change(kind, rows[at]))

    def by_place(self) -> Sequence[ChangesInPlace]:
        """Return places that changed or have changed memberships; removed ones last."""
        rows = operator.attrgetter("places")
        return self._grouped(OF_PLACES, rows, ChangesInPlace, self._place, self._place_change)

    def by_person(self) -> Sequence[ChangesOfPerson]:
        rows = operator.attrgetter("people")
        return self._grouped(OF_PEOPLE, rows, ChangesOfPerson, self._person, self._person_change)

    def _grouped(
        self,
        own_kinds: Iterable[ChangeKind],
        rows: Callable[[MembershipTable], array[int]],
        group: Callable[[R, Sequence[MembershipChange], tuple[C, ...]], T],
        read_row: Callable[[int], R],
        read_own: Callable[[ChangeKind, int], C],
    ) -> Sequence[T]:
        """Return the changed joint rows, with the changes of some kinds and of memberships."""
        found: dict[int, list[tuple[ChangeKind, int]]] = {}
        for kind in own_kinds:
            for key in self._rows[kind]:
                row = split_trait_key(key)[0] if kind is ChangeKind.CHANGED else key
                found.setdefault(row, []).append((kind, key))
        for kind, table in self._memberships.items():
            if kind is not ChangeKind.NEW_OWNER:
                for at, row in enumerate(rows(table)):
                    found.setdefault(row, []).append((kind, at))
        groups = sorted(found.items())

        def read(at: int) -> T:
            row, changes = groups[at]
            before_memberships = takewhile(lambda one: one[0] not in OF_MEMBERSHIPS, changes)
            own = tuple(starmap(read_own, before_memberships))
            memberships = LazySequence(
                len(changes) - len(own), lambda at: self._membership(*changes[len(own) + at])
            )
            return group(read_row(row), memberships, own)

        return LazySequence(len(groups), read)

    def _membership(self, kind: ChangeKind, at: int) -> MembershipChange:
        table = self._memberships[kind]
        return MembershipChange(
            kind,
            self._person(table.people[at]),
            self._place(table.places[at]),
            self._level(table.before[at]),
            self._level(table.after[at]),
        )

    def _level(self, number: int) -> str:
        return "" if number == NO_LEVEL else self._levels[number]

    def _person_change(self, kind: ChangeKind, row: int) -> PersonChange:
        row, trait = split_trait_key(row) if kind is ChangeKind.CHANGED else (row, Trait.STATE)
        person = self._person(row)
        if kind is ChangeKind.LEFT:
            how = "gone" if person.after is None else _UNLISTED
            return PersonChange(kind, person, how, _memberships(self._before, person.before))
        count = _memberships(self._after, person.after)
        if kind is ChangeKind.JOINED or person.before is None:
            how = "new" if person.before is None else _UNLISTED
            return PersonChange(kind, person, how, count)
        was = trait_of(self._before.person(person.before), trait)
        now = trait_of(self._after.person(row), trait)
        how = f"{was or 'none'} → {now or 'none'}"
        if kind is ChangeKind.CHANGED:
            how = f"{trait.value}: {how}"
        return PersonChange(kind, person, how, count, trait, was, now)

    def _place_change(self, kind: ChangeKind, row: int) -> PlaceChange:
        place = self._place(row)
        if kind is ChangeKind.PLACE_REMOVED:
            return PlaceChange(kind, place, place.path, "")
        if place.before is None:
            return PlaceChange(kind, place, "", place.path)
        was = self._before.place(place.before)
        if kind is ChangeKind.MOVED:
            return PlaceChange(kind, place, was.path, place.path)
        if was.name != place.name:
            return PlaceChange(kind, place, was.name, place.name)
        return PlaceChange(kind, place, last_part(was.path), last_part(place.path))

    def _read_person(self, row: int) -> ChangedPerson:
        one, before, after = _latest(row, self._people, self._before.person, self._after.person)
        return ChangedPerson(one.id, one.name, one.username, one.email, one.state, before, after)

    def _read_place(self, row: int) -> ChangedPlace:
        one, before, after = _latest(row, self._places, self._before.place, self._after.place)
        return ChangedPlace(one.id, one.kind, one.name, one.path, before, after)


def _latest(
    row: int, rows: Pairing, before: Callable[[int], T], after: Callable[[int], T]
) -> tuple[T, int | None, int | None]:
    """Return the later value of a joint row, or the earlier if removed, and the row in each."""
    earlier = row - len(rows.before)
    if earlier >= 0:
        return before(earlier), earlier, None
    earlier = rows.before[row]
    return after(row), None if earlier == NO_ROW else earlier, row


def _memberships(report: OpenedReport, person: int | None) -> int:
    if person is None:
        return 0
    firsts = report.arrays.person_first
    return int(firsts[person + 1] - firsts[person])


def compare_reports(
    before: OpenedReport, after: OpenedReport, on_progress: Callable[[float], None] = lambda _: None
) -> FoundChanges:
    """Return the changes; takes seconds, use a thread. Raises ReportError: too many levels."""
    reports = PairedReports(before, after)
    memberships = MembershipChanges(reports)
    memberships.find(on_progress)
    return FoundChanges(reports, memberships.tables)
