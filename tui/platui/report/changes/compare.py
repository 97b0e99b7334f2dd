"""Compare two open reports; changes are read on access."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar, overload

from platui.models.values.access_changes import (
    OF_MEMBERSHIPS,
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
from platui.report.changes.memberships import NO_LEVEL, MembershipChanges
from platui.report.changes.pairing import NO_ROW, Scale, paired_people, paired_places
from platui.report.changes.people_and_places import (
    last_part,
    people_changes,
    place_changes,
    split_trait_key,
    trait_of,
)

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Mapping, Sized

    from platui.models.values.access import AccessPlace, Person
    from platui.report.changes.memberships import MembershipTable
    from platui.report.changes.pairing import Pairing
    from platui.report.open_report import OpenedReport

T = TypeVar("T")

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
        self,
        before: OpenedReport,
        after: OpenedReport,
        *,
        people: Mapping[ChangeKind, array[int]],
        places: Mapping[ChangeKind, array[int]],
        memberships: Mapping[ChangeKind, MembershipTable],
        pairings: tuple[Pairing, Pairing],
        levels: Sequence[str],
    ) -> None:
        """Take rows and keys of `people_changes`, and rows of places, removed ones in `before`."""
        self._before = before
        self._after = after
        self.before, self.after = before.info, after.info
        self._people = people
        self._places = places
        self._memberships = memberships
        self._paired_people, self._paired_places = pairings
        self._levels = levels
        self._person = lru_cache(maxsize=_KEPT)(self._read_person)
        self._place = lru_cache(maxsize=_KEPT)(self._read_place)

    @property
    def counts(self) -> Mapping[ChangeKind, int]:
        every: dict[ChangeKind, Sized] = {**self._people, **self._places, **self._memberships}
        return {kind: len(every[kind]) for kind in ChangeKind}

    def people(self, kind: ChangeKind) -> Sequence[PersonChange]:
        rows = self._people[kind]
        return LazySequence(len(rows), lambda at: self._person_change(kind, rows[at]))

    def memberships(self, kind: ChangeKind) -> Sequence[MembershipChange]:
        return LazySequence(len(self._memberships[kind]), lambda at: self._membership(kind, at))

    def places(self, kind: ChangeKind) -> Sequence[PlaceChange]:
        rows = self._places[kind]
        return LazySequence(len(rows), lambda at: self._place_change(kind, rows[at]))

    def by_place(self) -> Sequence[ChangesInPlace]:
        """Return places that changed or have changed memberships; removed ones last."""
        own: dict[int, list[tuple[ChangeKind, int]]] = {}
        joint = self._paired_places.joint()
        for kind, rows in self._places.items():
            for row in rows:
                number = joint[row] if kind is ChangeKind.PLACE_REMOVED else row
                own.setdefault(number, []).append((kind, row))
        groups = self._grouped(lambda table: table.places, own)

        def read(at: int) -> ChangesInPlace:
            number, found = groups[at]
            changes = (self._place_change(*one) for one in own.get(number, ()))
            return ChangesInPlace(self._place(number), self._changes(found), tuple(changes))

        return LazySequence(len(groups), read)

    def by_person(self) -> Sequence[ChangesOfPerson]:
        own: dict[int, list[tuple[ChangeKind, int]]] = {}
        joint = self._paired_people.joint()
        for kind, rows in self._people.items():
            for row in rows:
                if kind is ChangeKind.LEFT:
                    number = joint[row]
                else:
                    number = split_trait_key(row)[0] if kind is ChangeKind.CHANGED else row
                own.setdefault(number, []).append((kind, row))
        groups = self._grouped(lambda table: table.people, own)

        def read(at: int) -> ChangesOfPerson:
            number, found = groups[at]
            changes = (self._person_change(*one) for one in own.get(number, ()))
            return ChangesOfPerson(self._person(number), self._changes(found), tuple(changes))

        return LazySequence(len(groups), read)

    def _grouped(
        self, rows: Callable[[MembershipTable], array[int]], others: Iterable[int]
    ) -> list[tuple[int, list[tuple[ChangeKind, int]]]]:
        found: dict[int, list[tuple[ChangeKind, int]]] = {row: [] for row in others}
        for kind in OF_MEMBERSHIPS:
            if kind is not ChangeKind.NEW_OWNER:
                for at, row in enumerate(rows(self._memberships[kind])):
                    found.setdefault(row, []).append((kind, at))
        return sorted(found.items())

    def _changes(self, found: list[tuple[ChangeKind, int]]) -> Sequence[MembershipChange]:
        return LazySequence(len(found), lambda at: self._membership(*found[at]))

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
        if kind is ChangeKind.LEFT:
            return self._left(row)
        row, trait = split_trait_key(row) if kind is ChangeKind.CHANGED else (row, Trait.STATE)
        person, count = self._person(row), _memberships(self._after, row)
        if kind is ChangeKind.JOINED or person.before is None:
            how = "new" if person.before is None else _UNLISTED
            return PersonChange(kind, person, how, count)
        was = trait_of(self._before.person(person.before), trait)
        now = trait_of(self._after.person(row), trait)
        how = f"{was or 'none'} → {now or 'none'}"
        if kind is ChangeKind.CHANGED:
            how = f"{trait.value}: {how}"
        return PersonChange(kind, person, how, count, trait, was, now)

    def _left(self, row: int) -> PersonChange:
        later = self._paired_people.after[row]
        count = _memberships(self._before, row)
        if later == NO_ROW:
            gone = self._person(len(self._paired_people.before) + row)
            return PersonChange(ChangeKind.LEFT, gone, "gone", count)
        return PersonChange(ChangeKind.LEFT, self._person(later), _UNLISTED, count)

    def _place_change(self, kind: ChangeKind, row: int) -> PlaceChange:
        if kind is ChangeKind.PLACE_REMOVED:
            gone = self._place(len(self._paired_places.before) + row)
            return PlaceChange(kind, gone, gone.path, "")
        place = self._place(row)
        if place.before is None:
            return PlaceChange(kind, place, "", place.path)
        was = self._before.place(place.before)
        if kind is ChangeKind.MOVED:
            return PlaceChange(kind, place, was.path, place.path)
        if was.name != place.name:
            return PlaceChange(kind, place, was.name, place.name)
        return PlaceChange(kind, place, last_part(was.path), last_part(place.path))

    def _read_person(self, row: int) -> ChangedPerson:
        earlier = row - len(self._paired_people.before)
        if earlier >= 0:
            return _changed_person(self._before.person(earlier), earlier, None)
        return _changed_person(self._after.person(row), self._paired_people.before[row], row)

    def _read_place(self, row: int) -> ChangedPlace:
        earlier = row - len(self._paired_places.before)
        if earlier >= 0:
            return _changed_place(self._before.place(earlier), earlier, None)
        return _changed_place(self._after.place(row), self._paired_places.before[row], row)


def _memberships(report: OpenedReport, person: int) -> int:
    firsts = report.arrays.person_first
    return int(firsts[person + 1] - firsts[person])


def _changed_person(person: Person, before: int, after: int | None) -> ChangedPerson:
    earlier = None if before == NO_ROW else before
    return ChangedPerson(
        person.id, person.name, person.username, person.email, person.state, earlier, after
    )


def _changed_place(place: AccessPlace, before: int, after: int | None) -> ChangedPlace:
    earlier = None if before == NO_ROW else before
    return ChangedPlace(place.id, place.kind, place.name, place.path, earlier, after)


def compare_reports(
    before: OpenedReport, after: OpenedReport, on_progress: Callable[[float], None] = lambda _: None
) -> FoundChanges:
    """Return the changes; takes seconds, use a thread. Raises ReportError: too many levels."""
    people = paired_people(before.arrays, after.arrays)
    places = paired_places(before.arrays, after.arrays)
    scale = Scale(before.levels, after.levels)
    memberships = MembershipChanges(before.arrays, after.arrays, people, places, scale)
    memberships.find(on_progress)
    return FoundChanges(
        before,
        after,
        people=people_changes(before, after, people),
        places=place_changes(before, after, places),
        memberships=memberships.tables,
        pairings=(people, places),
        levels=scale.levels,
    )
