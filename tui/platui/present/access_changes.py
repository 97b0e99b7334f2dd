"""What is different between two access reports, as rows."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.models.values.access_changes import (
    OF_PEOPLE,
    OF_PLACES,
    ChangeKind,
    MembershipChange,
    PersonChange,
    PlaceChange,
)
from platui.models.values.table import BLANK, Cell, Column, Row
from platui.present.counts import counted
from platui.present.made_rows import MadeRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.models.values.access_changes import AccessChanges, ChangedPerson, ChangedPlace
    from platui.present.chrome import Pieces

Change = PersonChange | MembershipChange | PlaceChange

CHANGE_COLUMNS: Final = (
    Column("what", "WHAT", 13, minimum=11),
    Column("who", "WHO", 18, minimum=12, flexible=True),
    Column("where", "WHERE", 26, minimum=16, flexible=True),
    Column("change", "CHANGE", 24, minimum=20),
)
_WORDS: Final = {
    ChangeKind.NEW_OWNER: "new owner",
    ChangeKind.PLACE_ADDED: "new place",
    ChangeKind.PLACE_REMOVED: "place gone",
}
_ROLES: Final = {
    ChangeKind.NEW_OWNER: "warning",
    ChangeKind.LEFT: "muted",
    ChangeKind.LOWERED: "muted",
    ChangeKind.DROPPED: "muted",
    ChangeKind.PLACE_REMOVED: "muted",
}
_ORDER: Final = (
    ChangeKind.NEW_OWNER,
    ChangeKind.JOINED,
    ChangeKind.LEFT,
    ChangeKind.RAISED,
    ChangeKind.LOWERED,
    ChangeKind.OTHERWISE,
    ChangeKind.ADDED,
    ChangeKind.DROPPED,
    *OF_PLACES,
)


class Arranged(Enum):
    """How changes are put together; the value is what that is called."""

    KIND = "by what happened"
    PERSON = "by person"
    PLACE = "by group and project"


_OPPOSITES: Final = {
    "memberships": (ChangeKind.ADDED, ChangeKind.DROPPED),
    "places": (ChangeKind.PLACE_ADDED, ChangeKind.PLACE_REMOVED),
}
_BLANK: Final = {Arranged.KIND: -1, Arranged.PERSON: 1, Arranged.PLACE: 2}
"""The column that the heading says already."""


class _Section(NamedTuple):
    heading: tuple[str, str, str]
    """What stands in the first three columns."""
    changes: Sequence[Change]


class ChangeRows(NamedTuple):
    """Changes as rows, and what `enter` opens of each."""

    rows: MadeRows
    found: int
    """Changes in them."""
    sections: Sequence[_Section]
    firsts: Sequence[int]
    """Place of the heading of each section."""

    def change(self, key: str) -> Change | None:
        """Return the change in a row; None: it is a heading."""
        section, at = _place(key)
        return None if at < 0 else self.sections[section].changes[at]


def change_rows(changes: AccessChanges, arranged: Arranged, words: str) -> ChangeRows:
    """Return the changes with all of some words, under headings; for a thread.

    New owners stand once more among what was raised and added.
    """
    wanted = words.lower().split()
    blank = _BLANK[arranged]
    sections = [
        _Section(heading, kept)
        for heading, every in _sections(changes, arranged)
        if (kept := [one for one in every if _has(one, wanted)] if wanted else every)
    ]
    ends = list(accumulate(1 + len(section.changes) for section in sections))
    firsts = [0, *ends[:-1]] if ends else []

    def make(at: int) -> Row:
        section = bisect_right(firsts, at) - 1
        inside = at - firsts[section] - 1
        if inside < 0:
            heading = (Cell(text, "strong") for text in sections[section].heading)
            told = Cell(f"{len(sections[section].changes):,}", "muted")
            return Row(_key(section, -1), (*heading, told))
        cells = _cells(sections[section].changes[inside])
        shown = tuple(BLANK if at == blank else cell for at, cell in enumerate(cells))
        return Row(_key(section, inside), shown)

    def place_of(key: str) -> int | None:
        section, at = _place(key)
        if section >= len(sections) or at >= len(sections[section].changes):
            return None
        return firsts[section] + 1 + at

    count = ends[-1] if ends else 0
    rows = MadeRows(count, make, place_of)
    return ChangeRows(rows, count - len(sections), sections, firsts)


def _key(section: int, at: int) -> str:
    return f"{section} {at}"


def _place(key: str) -> tuple[int, int]:
    section, _, at = key.partition(" ")
    return int(section), int(at)


def _sections(
    changes: AccessChanges, arranged: Arranged
) -> Iterator[tuple[tuple[str, str, str], Sequence[Change]]]:
    if arranged is Arranged.PERSON:
        for of_person in changes.by_person():
            yield ("", _name(of_person.person), ""), of_person.changes
    elif arranged is Arranged.PLACE:
        for in_place in changes.by_place():
            yield ("", "", _path(in_place.place)), in_place.changes
    else:
        for kind in _ORDER:
            yield (kind.value.upper(), "", ""), _of_kind(changes, kind)


def _of_kind(changes: AccessChanges, kind: ChangeKind) -> Sequence[Change]:
    if kind in OF_PEOPLE:
        return changes.people(kind)
    if kind in OF_PLACES:
        return changes.places(kind)
    return changes.memberships(kind)


def _cells(change: Change) -> tuple[Cell, ...]:
    what = Cell(f"  {_WORDS.get(change.kind, change.kind.value)}", _ROLES.get(change.kind, "text"))
    if isinstance(change, PersonChange):
        held = counted(change.memberships, "membership")
        return (what, Cell(_name(change.person)), Cell(held, "muted"), Cell(change.how))
    if isinstance(change, PlaceChange):
        moved = f"{change.before} → {change.after}" if change.before and change.after else ""
        return (what, Cell(""), Cell(_path(change.place)), Cell(moved))
    levels = f"{change.before or 'none'} → {change.after or 'none'}"
    return (what, Cell(_name(change.person)), Cell(_path(change.place)), Cell(levels))


def _name(person: ChangedPerson) -> str:
    return person.name or person.username or f"id {person.id}"


def _path(place: ChangedPlace) -> str:
    return place.path or place.name or f"{place.kind} {place.id}"


def _has(change: Change, words: Sequence[str]) -> bool:
    text = " ".join([cell.text for cell in _cells(change)]).lower()
    if not isinstance(change, PlaceChange):
        text += f" {change.person.username} {change.person.email} {change.person.state}".lower()
    return all(word in text for word in words)


def change_pieces(changes: AccessChanges) -> Pieces:
    """Return how many changes there are of each kind; of opposites on either side."""
    counts = changes.counts
    found = [
        (f"{kind.value} {counts[kind]:,}", "warning" if kind is ChangeKind.NEW_OWNER else "text")
        for kind in _ORDER
        if counts[kind] and not any(kind in pair for pair in _OPPOSITES.values())
    ]
    for word, (more, less) in _OPPOSITES.items():
        if counts[more] or counts[less]:
            found.append((f"{word} +{counts[more]:,} −{counts[less]:,}", "text"))
    return tuple(found) or (("nothing changed", "muted"),)


def came_and_left(changes: AccessChanges) -> str:
    """Return how many people came and left, as short as it can be said."""
    counts = changes.counts
    return f"+{counts[ChangeKind.JOINED]:,} −{counts[ChangeKind.LEFT]:,}"
