"""Memberships of the access report: of a person, and of a group or project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.table import Cell, Column, Row
from platui.present.access import state_cell
from platui.present.access_people import domain_of, name_cell
from platui.present.counts import counted
from platui.present.made_rows import MadeRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import AccessPlace, AccessReport, Holding, Person
    from platui.present.chrome import Pieces

_EFFECTIVE: Final = Column("effective", "EFFECTIVE", 30, minimum=24, priority=1, ends=True)

PERSON_COLUMNS: Final = (
    Column("level", "LEVEL", 11, minimum=10),
    Column("kind", "KIND", 7),
    Column("path", "PATH", 40, minimum=24, flexible=True, ends=True),
    _EFFECTIVE,
)
MEMBERS_COLUMNS: Final = (
    Column("level", "LEVEL", 11, minimum=10),
    Column("name", "NAME", 22, minimum=14, flexible=True),
    Column("user", "USER", 16, minimum=10, priority=4),
    Column("state", "STATE", 11, minimum=7, priority=2),
    Column("domain", "DOMAIN", 20, minimum=12, priority=3, ends=True),
    _EFFECTIVE,
)
EFFECTIVE_SAID: Final = "The highest level listed here or in a group above, and by which"
_OWNERS: Final = 3
"""Owners that are named."""


def effective_cell(report: AccessReport, holding: Holding) -> Cell:
    """Return the highest level held in a place or above it, and by which group it is."""
    if not holding.is_inherited:
        return Cell(f"{holding.effective} here", "muted")
    place = report.place(holding.held_at)
    raised = holding.effective != holding.level
    parts = (f"{holding.effective} by ", place.path or place.name)
    role = "text" if raised else "muted"
    return Cell("".join(parts), role, tuple((part, role) for part in parts))


def holdings_of(
    report: AccessReport, person: int, words: str, *, by_level: bool
) -> Sequence[Holding]:
    """Return what a person holds, in places with all of some words; for a thread.

    Args:
        report: the report.
        person: row.
        words: each is in path, level or kind.
        by_level: whether the highest level comes first; else in the order of places.
    """
    held = report.places_of(person)
    wanted = words.lower().split()
    if wanted:
        held = [one for one in held if _has(report.place(one.place), one.level, wanted)]
    if by_level:
        rank = {level: at for at, level in enumerate(report.levels)}
        held = sorted(held, key=lambda one: -rank[one.level])
    return held


def members_of(report: AccessReport, place: int, words: str) -> Sequence[Holding]:
    """Return the members of a place with all of some words; for a thread.

    Direct ones come first, then those of groups above; the highest level first in either part.
    """
    held = [*report.members_of(place), *report.members_above(place)]
    wanted = words.lower().split()
    if not wanted:
        return held
    return [one for one in held if _names(report.person(one.person), one.level, wanted)]


def _has(place: AccessPlace, level: str, words: Sequence[str]) -> bool:
    text = f"{place.path} {place.name} {level} {place.kind}".lower()
    return all(word in text for word in words)


def _names(person: Person, level: str, words: Sequence[str]) -> bool:
    text = f"{person.name} {person.username} {person.email} {person.state} {level}".lower()
    return all(word in text for word in words)


def person_holding_rows(report: AccessReport, holdings: Sequence[Holding]) -> MadeRows:
    """Return what a person holds as rows; a key is a place's row."""
    places = {str(one.place): at for at, one in enumerate(holdings)}

    def make(at: int) -> Row:
        holding = holdings[at]
        place = report.place(holding.place)
        cells = (
            level_cell(holding.level),
            Cell(place.kind, "muted"),
            Cell(place.path or place.name),
        )
        return Row(str(holding.place), (*cells, effective_cell(report, holding)))

    return MadeRows(len(holdings), make, places.get)


def member_rows(report: AccessReport, place: int, holdings: Sequence[Holding]) -> MadeRows:
    """Return the members of a place as rows, those from above muted; a key is a person's row."""
    places = {str(one.person): at for at, one in enumerate(holdings)}

    def make(at: int) -> Row:
        holding = holdings[at]
        person = report.person(holding.person)
        cells = (
            level_cell(holding.level),
            name_cell(person),
            Cell(person.username),
            state_cell(person.state, holds=True),
            Cell(domain_of(person), "muted"),
            effective_cell(report, holding),
        )
        return Row(str(holding.person), cells, muted=holding.place != place)

    return MadeRows(len(holdings), make, places.get)


def level_cell(level: str) -> Cell:
    """Return a level; who owns a place stands out."""
    return Cell(level, "strong" if level in {"OWNER", "ADMIN"} else "text")


def person_pieces(person: Person) -> Pieces:
    """Return who somebody is, on one line."""
    if not person.is_listed:
        return ((f"id {person.id}", "strong"), ("not in users: nothing else is known", "warning"))
    state = state_cell(person.state, holds=bool(person.highest))
    found = [
        (person.name or person.username or f"id {person.id}", "strong"),
        (person.username, "text"),
        (state.text, "text" if state.role == "muted" else state.role),
        (person.email or "no e-mail address", "text" if person.email else "muted"),
        (f"id {person.id}", "muted"),
    ]
    return tuple(piece for piece in found if piece[0])


def identity_pieces(person: Person) -> Pieces:
    """Return the service identity of a person."""
    if not person.is_listed:
        return ()
    return ((" service identity ", "muted"), (person.identity or "none", "text"))


def place_pieces(place: AccessPlace, above: int) -> Pieces:
    """Return what a group or project is, on one line, the most telling first.

    Args:
        place: the group or project.
        above: members of the groups above whom it does not list itself.
    """
    members = f"{place.members:,} direct"
    found = [
        (place.path or place.name, "strong"),
        (place.kind, "text"),
        (f"{members} · {above:,} from above" if above else members, "text"),
        (counted(place.groups, "group") + " below", "text") if place.groups else ("", ""),
        (counted(place.projects, "project") + " below", "text") if place.projects else ("", ""),
        (place.name if place.name != place.path.rpartition("/")[2] else "", "text"),
        (f"id {place.id}", "muted"),
    ]
    return tuple(piece for piece in found if piece[0])


def owners_pieces(report: AccessReport, members: Sequence[Holding]) -> Pieces:
    """Return who owns a place directly, the first of them by name.

    Args:
        report: the report.
        members: highest level first.
    """
    names: list[str] = []
    for one in members:
        if one.level not in {"OWNER", "ADMIN"}:
            break
        names.append(name_cell(report.person(one.person)).text if len(names) < _OWNERS else "")
    if not names:
        return ((" no direct owner", "warning"),)
    more = f" and {len(names) - _OWNERS:,} more" if len(names) > _OWNERS else ""
    return (
        (f" {len(names):,} owner{'s' * (len(names) > 1)}  ", "muted"),
        (", ".join(names[:_OWNERS]) + more, "text"),
    )
