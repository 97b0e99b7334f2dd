"""Memberships of the access report: of a person, and of a group or project."""

from __future__ import annotations

from functools import cached_property
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

_ABOVE: Final = Column("above", "ALSO HELD IN", 24, minimum=12, priority=3)

PERSON_COLUMNS: Final = (
    Column("level", "LEVEL", 14, minimum=10),
    Column("kind", "KIND", 7),
    Column("path", "PATH", 40, minimum=20, flexible=True),
    _ABOVE,
)
MEMBERS_COLUMNS: Final = (
    Column("level", "LEVEL", 14, minimum=10),
    Column("name", "NAME", 22, minimum=14, flexible=True),
    Column("user", "USER", 16, minimum=10, priority=2),
    Column("state", "STATE", 11, minimum=7, priority=1),
    Column("domain", "DOMAIN", 20, minimum=12, priority=4),
    _ABOVE,
)
NOT_SAID: Final = (
    "The report does not say where a level comes from; a group above that lists it too"
)
_NOWHERE: Final = Cell("·", "muted")
_OWNERS: Final = 3
"""Owners that are named."""


class HeldAbove:
    """Which group above a place lists the same person with at least the same level."""

    def __init__(self, report: AccessReport, person: int) -> None:
        """Look at a person, by row."""
        self._report = report
        self._person = person

    @cached_property
    def _levels(self) -> dict[int, int]:
        rank = {level: at for at, level in enumerate(self._report.levels)}
        return {one.place: rank[one.level] for one in self._report.places_of(self._person)}

    def cell(self, holding: Holding) -> Cell:
        """Return the path of the nearest such group."""
        if not holding.is_inherited:
            return _NOWHERE
        least = self._levels.get(holding.place, 0)
        above = self._report.place(holding.place).parent
        while above is not None:
            place = self._report.place(above)
            if self._levels.get(above, -1) >= least:
                return Cell(place.path or place.name, "muted")
            above = place.parent
        return _NOWHERE


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
    """Return the members of a place with all of some words, highest level first; for a thread."""
    held = report.members_of(place)
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


def person_holding_rows(report: AccessReport, person: int, holdings: Sequence[Holding]) -> MadeRows:
    """Return what a person holds as rows; a key is a place's row."""
    above = HeldAbove(report, person)
    places = {str(one.place): at for at, one in enumerate(holdings)}

    def make(at: int) -> Row:
        holding = holdings[at]
        place = report.place(holding.place)
        cells = (
            level_cell(holding.level),
            Cell(place.kind, "muted"),
            Cell(place.path or place.name),
        )
        return Row(str(holding.place), (*cells, above.cell(holding)))

    return MadeRows(len(holdings), make, places.get)


def member_rows(report: AccessReport, holdings: Sequence[Holding]) -> MadeRows:
    """Return the members of a place as rows; a key is a person's row."""
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
            HeldAbove(report, holding.person).cell(holding),
        )
        return Row(str(holding.person), cells)

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


def place_pieces(place: AccessPlace) -> Pieces:
    """Return what a group or project is, on one line."""
    found = [
        (place.path or place.name, "strong"),
        (place.kind, "text"),
        (place.name if place.name != place.path.rpartition("/")[2] else "", "text"),
        (counted(place.members, "direct member"), "text"),
        (counted(place.groups, "group") + " below", "text") if place.groups else ("", ""),
        (counted(place.projects, "project") + " below", "text") if place.projects else ("", ""),
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
