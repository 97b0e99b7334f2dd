"""Memberships of the access report: of a person, and of a group or project."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.models.values.table import BLANK, Cell, Column, Row
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
    Column("path", "PATH", 40, minimum=24, flexible=True, middle=True),
    _EFFECTIVE,
)
MEMBERS_COLUMNS: Final = (
    Column("effective", "EFFECTIVE", 11, minimum=10),
    Column("name", "NAME", 22, minimum=14, flexible=True),
    Column("user", "USER", 16, minimum=10, priority=4),
    Column("state", "STATE", 11, minimum=7, priority=2),
    Column("domain", "DOMAIN", 20, minimum=12, priority=3, ends=True),
    Column("held", "HELD", 32, minimum=24, ends=True),
)
EFFECTIVE_SAID: Final = "The highest level listed here or in a group above, and by which"
HELD_SAID: Final = "Here: a direct member; in a group above: by that, and at which level here, too"
_OWNERS: Final = 3
"""Owners that are named."""
OWNING: Final = frozenset({"OWNER", "ADMIN"})
"""Levels of those who own a place."""


class MemberOrder(Enum):
    """How the members of a place stand; the value is what that is called."""

    EFFECTIVE = "highest level, direct ones first"
    DIRECT = "direct members, then those of groups above"
    NAME = "name"


class Owners(NamedTuple):
    """Who owns a place, by the level that counts."""

    direct: Sequence[Holding]
    """Those whom the place itself lists as owners."""
    above: Sequence[Holding]
    """Those who are owners by a group above it."""


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


class MembersFound(NamedTuple):
    """Who is a member of a place, and those of them that a search finds."""

    holdings: Sequence[Holding]
    """Those found, in their order."""
    direct: int
    """All direct members."""
    above: int
    """Members of the groups above whom it does not list itself."""
    owners: Owners
    levels: tuple[int, ...]
    """All members, direct and from above, by the level that counts, as `AccessReport.levels`."""


def members_of(
    report: AccessReport, place: int, words: str, order: MemberOrder = MemberOrder.EFFECTIVE
) -> MembersFound:
    """Return the members of a place, direct and from above, with all of some words; for a thread.

    Args:
        report: the report.
        place: row.
        words: each is in what is known of the person, or in one of the levels.
        order: of those found.
    """
    direct, above = report.members_of(place), report.members_above(place)
    rank = {level: at for at, level in enumerate(report.levels)}
    held, counts = [*direct, *above], [0] * len(report.levels)
    for one in held:
        counts[rank[one.effective]] += 1
    wanted = words.lower().split()
    found = [one for one in held if not wanted or _names(report, one, wanted)]
    if order is MemberOrder.EFFECTIVE:
        found.sort(key=lambda one: -rank[one.effective])  # stable: direct ones stay first
    elif order is MemberOrder.NAME:
        found.sort(key=lambda one: name_cell(report.person(one.person)).text.casefold())
    here = [one for one in direct if one.level in OWNING]
    by_group = [one for one in held if one.effective in OWNING and not _owns_here(one, place)]
    return MembersFound(found, len(direct), len(above), Owners(here, by_group), tuple(counts))


def _owns_here(holding: Holding, place: int) -> bool:
    return holding.place == place and holding.level in OWNING


def _has(place: AccessPlace, level: str, words: Sequence[str]) -> bool:
    text = f"{place.path} {place.name} {level} {place.kind}".lower()
    return all(word in text for word in words)


def _names(report: AccessReport, holding: Holding, words: Sequence[str]) -> bool:
    person = report.person(holding.person)
    who = f"{person.name} {person.username} {person.email} {person.state}"
    text = f"{who} {holding.level} {holding.effective}".lower()
    return all(word in text for word in words)


def person_columns(
    report: AccessReport, holdings: Sequence[Holding], *, is_wide: bool
) -> tuple[Column, ...]:
    """Return the columns of what a person holds; paths have what the last one has no need of.

    Args:
        report: the report.
        holdings: what is listed.
        is_wide: else which level counts has a column only where it is another one somewhere.
    """
    told = [one for one in holdings if is_wide or one.effective != one.level]
    if not told and not is_wide:
        return PERSON_COLUMNS[:-1]
    longest = max((len(effective_cell(report, one).text) for one in told), default=0)
    width = min(max(longest, len(_EFFECTIVE.title) + 1), _EFFECTIVE.width)
    effective = replace(_EFFECTIVE, width=width, minimum=min(width, _EFFECTIVE.minimum))
    return (*PERSON_COLUMNS[:-1], effective)


def person_holding_rows(
    report: AccessReport, holdings: Sequence[Holding], *, is_wide: bool = True
) -> MadeRows:
    """Return what a person holds as rows; a key is a place's row.

    Args:
        report: the report.
        holdings: what is listed.
        is_wide: else which level counts is said only where it is another one.
    """
    places = {str(one.place): at for at, one in enumerate(holdings)}

    def make(at: int) -> Row:
        holding = holdings[at]
        place = report.place(holding.place)
        cells = (
            level_cell(holding.level),
            Cell(place.kind, "muted"),
            Cell(place.path or place.name),
        )
        is_told = is_wide or holding.effective != holding.level
        effective = effective_cell(report, holding) if is_told else BLANK
        return Row(str(holding.place), (*cells, effective))

    return MadeRows(len(holdings), make, places.get)


def member_rows(report: AccessReport, place: int, holdings: Sequence[Holding]) -> MadeRows:
    """Return the members of a place as rows; a key is a person's row."""
    places = {str(one.person): at for at, one in enumerate(holdings)}

    def make(at: int) -> Row:
        holding = holdings[at]
        person = report.person(holding.person)
        cells = (
            level_cell(holding.effective),
            name_cell(person),
            Cell(person.username),
            state_cell(person.state, holds=True),
            Cell(domain_of(person), "muted"),
            held_cell(report, place, holding),
        )
        return Row(str(holding.person), cells)

    return MadeRows(len(holdings), make, places.get)


def held_cell(report: AccessReport, place: int, holding: Holding) -> Cell:
    """Return whether a place lists a member itself, or which group above it does, or both."""
    if not holding.is_inherited:
        return Cell("here")
    group = report.place(holding.held_at)
    parts = [("in ", "muted"), (group.path or group.name, "muted")]
    if holding.place == place:
        parts.insert(0, (f"{holding.level} here, ", "text"))
    return Cell("".join(text for text, _ in parts), "muted", tuple(parts))


def level_cell(level: str) -> Cell:
    """Return a level; who owns a place stands out."""
    return Cell(level, "strong" if level in OWNING else "text")


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


def place_pieces(place: AccessPlace, direct: int, above: int) -> Pieces:
    """Return what a group or project is, on one line, the most telling first.

    Args:
        place: the group or project.
        direct: members that it lists itself.
        above: members of the groups above whom it does not list itself.
    """
    members = f"{direct:,} direct"
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


def owners_told(owners: Owners) -> str:
    """Return how many own a place, and how many of them by a group above it."""
    direct, above = len(owners.direct), len(owners.above)
    if not direct + above:
        return "no owner"
    told = counted(direct + above, "owner")
    return f"{told} ({direct:,} direct, {above:,} from above)" if above else f"{told}, direct"


def owners_pieces(report: AccessReport, owners: Owners) -> Pieces:
    """Return who owns a place by the level that counts, the first of them by name."""
    every = [*owners.direct, *owners.above]
    if not every:
        return ((f" {owners_told(owners)}", "warning"),)
    names = [name_cell(report.person(one.person)).text for one in every[:_OWNERS]]
    more = f" and {len(every) - len(names):,} more" if len(every) > len(names) else ""
    return ((f" {owners_told(owners)}  ", "strong"), (", ".join(names) + more, "text"))
