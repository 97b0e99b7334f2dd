"""Find people, groups and projects that were added, removed or changed."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from platui.models.values.access_changes import OF_PEOPLE, OF_PLACES, ChangeKind, Trait
from platui.report.changes.pairing import NO_ROW
from platui.report.queries.matching import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models.values.access import Person
    from platui.report.arrays import ReportArrays
    from platui.report.changes.pairing import PairedReports
    from platui.report.open_report import OpenedReport


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
