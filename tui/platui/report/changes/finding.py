"""Find what changed between two reports: people and places, paired by id, and memberships."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.core.named_tuple import NamedTuple
from platui.models.values.access import LEVELS, Person
from platui.models.values.access_changes import (
    OF_MEMBERSHIPS,
    OF_PEOPLE,
    OF_PLACES,
    ChangeKind,
    Trait,
)
from platui.report.arrays import NO_LEVEL, ReportArrays
from platui.report.queries import row_masks as masks
from platui.report.queries.matching import fold

if TYPE_CHECKING:
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


ACTIVE: Final = "active"
TRAITS: Final = tuple(Trait)  # Indexed by `trait_key`


def people_changes(reports: PairedReports) -> Mapping[ChangeKind, array[int]]:
    """Return rows as in `Pairing.joint`; those of CHANGED are `trait_key`s."""
    before, after, people = reports.before, reports.after, reports.people
    found = {kind: array("Q") for kind in OF_PEOPLE}
    listed = before.info.people, after.info.people
    for row, partner in enumerate(people.after):
        if partner == NO_ROW or (row < listed[0] and partner >= listed[1]):
            found[ChangeKind.LEFT].append(people.joint[row])
    was, now = _states(before), _states(after)
    for row, partner in enumerate(people.before):
        if partner == NO_ROW or (row < listed[1] and partner >= listed[0]):
            found[ChangeKind.JOINED].append(row)
        elif row < listed[1]:
            if was[partner] != now[row]:
                _add_state(found, row, was[partner], now[row])
            if _text(before.arrays, partner) != _text(after.arrays, row):
                old, new = before.person(partner), after.person(row)
                found[ChangeKind.CHANGED].extend(
                    trait_key(row, trait)
                    for trait in TRAITS
                    if trait is not Trait.STATE and trait_of(old, trait) != trait_of(new, trait)
                )
    return found


def trait_key(row: int, trait: Trait) -> int:
    """Return a number for a trait of a person, ascending by row."""
    return row * len(TRAITS) + TRAITS.index(trait)


def split_trait_key(key: int) -> tuple[int, Trait]:
    row, number = divmod(key, len(TRAITS))
    return row, TRAITS[number]


def trait_of(person: Person, trait: Trait) -> str:
    """Return the field of a person that has the name of a trait."""
    return str(getattr(person, trait.name.lower()) or "")


def _add_state(found: Mapping[ChangeKind, array[int]], row: int, was: str, now: str) -> None:
    if was == ACTIVE:
        found[ChangeKind.BLOCKED].append(row)
    elif now == ACTIVE:
        found[ChangeKind.UNBLOCKED].append(row)
    else:
        found[ChangeKind.CHANGED].append(trait_key(row, Trait.STATE))


def _states(report: OpenedReport) -> Sequence[str]:
    names = [fold(state) for state in report.states]
    return [names[number] for number in report.arrays.person_state.tolist()]


def _text(arrays: ReportArrays, row: int) -> bytes:
    return bytes(arrays.person_text[arrays.person_at[row] : arrays.person_at[row + 1]])


def place_changes(reports: PairedReports) -> Mapping[ChangeKind, array[int]]:
    """Return rows as in `Pairing.joint`; a path changed only by a parent is no change."""
    before, after, places = reports.before, reports.after, reports.places
    rows = {kind: array("I") for kind in OF_PLACES}
    for row, partner in enumerate(places.after):
        if partner == NO_ROW:
            rows[ChangeKind.PLACE_REMOVED].append(places.joint[row])
    for row, partner in enumerate(places.before):
        if partner == NO_ROW:
            rows[ChangeKind.PLACE_ADDED].append(row)
            continue
        parent = before.arrays.place_parent[partner]
        # A removed parent has a joint row too, which is no row of the later report.
        if (places.joint[parent] if parent >= 0 else -1) != after.arrays.place_parent[row]:
            rows[ChangeKind.MOVED].append(row)
        if _place_text(before.arrays, partner) != _place_text(after.arrays, row):
            old, new = before.place(partner), after.place(row)
            if old.name != new.name or last_part(old.path) != last_part(new.path):
                rows[ChangeKind.RENAMED].append(row)
    return rows


def last_part(path: str) -> str:
    return path.rpartition("/")[2]


def _place_text(arrays: ReportArrays, row: int) -> bytes:
    return bytes(arrays.place_text[arrays.place_at[row] : arrays.place_at[row + 1]])


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
