"""People, places and memberships of a report as lines of text, and as objects for JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from platui.cli.told import fitted_table, wrapped
from platui.core.text import shorten
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.models.values.access import AccessPlace, AccessReport, Holding, Person

_NAME: Final = 32
_USER: Final = 24
_EMAIL: Final = 48
_PATH: Final = 120
_LEVEL: Final = 32
"""Signs that are shown of a text, so that one alone does not make all rows wide."""
_NONE: Final = "-"
_UNLISTED: Final = "unlisted"
"""The state of those whom `users` lacks."""

_PEOPLE: Final = ("NAME", "USER", "STATE", "HIGHEST", "MEMBERSHIPS", "E-MAIL")
_PLACES: Final = ("PATH", "KIND", "MEMBERS", "GROUPS", "PROJECTS", "NAME")
_HOLDINGS: Final = ("LEVEL", "EFFECTIVE", "FROM", "KIND", "PATH")
_MEMBERS: Final = ("LEVEL", "EFFECTIVE", "FROM", "NAME", "USER", "STATE", "E-MAIL")
_DIRECT: Final = "direct"
_ABOVE: Final = "also above"
"""A group above lists the same person with the same level: it may come from there."""
_FEW: Final = 8
"""Cells that a text keeps where all the others need room."""


def people_lines(report: AccessReport, rows: Iterable[int]) -> Iterable[str]:
    """Return a table of people; no level and no count is cut in it."""
    texts = [_person(report.person(row)) for row in rows]
    spare = ((5, 16), (0, 16), (1, 12), (5, 0), (0, _FEW), (1, _FEW), (2, 0), (1, 0))
    return fitted_table([_PEOPLE, *texts], {4}, spare)


def _person(one: Person) -> tuple[str, ...]:
    name, user, state, email = _identity(one)
    return name, user, state, shorten(one.highest, _LEVEL) or _NONE, f"{sum(one.counts):,}", email


def _identity(one: Person) -> tuple[str, str, str, str]:
    if not one.is_listed:
        return f"id {one.id}", _NONE, _UNLISTED, _NONE
    return (
        shorten(one.name, _NAME) or _NONE,
        shorten(one.username, _USER) or _NONE,
        shorten(one.state, _USER) or _NONE,
        shorten(one.email, _EMAIL) or _NONE,
    )


def places_lines(report: AccessReport, rows: Iterable[int]) -> Iterable[str]:
    """Return a table of groups and projects; no count is cut in it."""
    texts = [_place(report.place(row)) for row in rows]
    spare = ((5, 12), (0, 32), (5, 0), (0, 16), (1, 0))
    return fitted_table([_PLACES, *texts], {2, 3, 4}, spare)


def _place(one: AccessPlace) -> tuple[str, ...]:
    is_group = one.kind == "group"
    return (
        shorten(one.path, _PATH),
        one.kind,
        f"{one.members:,}",
        f"{one.groups:,}" if is_group else "",
        f"{one.projects:,}" if is_group else "",
        shorten(one.name, _NAME),
    )


def person_lines(report: AccessReport, row: int, holdings: Sequence[Holding]) -> Iterator[str]:
    """Yield who somebody is, and what they hold where."""
    one = report.person(row)
    if one.is_listed:
        yield f"{one.name or _NONE}  {one.username}  {one.email}".rstrip()
        identity = f", service identity {one.identity}" if one.identity else ""
        yield f"{one.state or _NONE}, id {one.id}{identity}"
    else:
        yield f"id {one.id}: memberships name this id, and the report's list of users lacks it"
    yield from wrapped(_levels(report.levels, one.counts) or "no membership")
    if holdings:
        yield ""
        texts = [_holding(report, held) for held in holdings]
        spare = ((4, 40), (2, 24), (4, 24), (2, 12), (3, 0))
        yield from fitted_table([_HOLDINGS, *texts], spare=spare)


def _holding(report: AccessReport, held: Holding) -> tuple[str, ...]:
    place = report.place(held.place)
    level, path = shorten(held.level, _LEVEL), shorten(place.path, _PATH)
    if not held.is_inherited:
        return level, level, _DIRECT, place.kind, path
    origin = shorten(report.place(held.held_at).path, _PATH)
    return level, shorten(held.effective, _LEVEL), origin, place.kind, path


def members_lines(report: AccessReport, row: int, members: Sequence[Holding]) -> Iterator[str]:
    """Yield what a place is, and who holds what in it.

    Args:
        report: has them.
        row: of the place.
        members: direct ones; those of groups above it are of other places, and told as such.
    """
    one = report.place(row)
    yield f"{one.path}  {one.name}  {one.kind}, id {one.id}"
    below = ""
    if one.kind == "group":
        below = f"; below it {counted(one.groups, 'group')}, {counted(one.projects, 'project')}"
    yield f"{counted(one.members, 'direct member')}{below}"
    if counting := _counting(report, row):
        yield from wrapped(f"By the level that counts: {counting}")
    if levels := _levels(report.levels, report.level_counts(row)):
        yield from wrapped(f"Memberships, with all below: {levels}")
    if members:
        yield ""
        texts = [_member(report, row, held) for held in members]
        spare = ((6, 16), (2, 24), (3, 16), (4, 12), (6, 0), (2, 12), (3, _FEW), (5, 0))
        yield from fitted_table([_MEMBERS, *texts], spare=spare)


def _member(report: AccessReport, row: int, held: Holding) -> tuple[str, ...]:
    level = shorten(held.level, _LEVEL) if held.place == row else _NONE
    if held.is_direct_in(row):
        origin = f"{_DIRECT}, {_ABOVE}" if held.is_inherited else _DIRECT
    else:
        origin = shorten(report.place(held.held_at).path, _PATH)
    who = _identity(report.person(held.person))
    return level, shorten(held.effective, _LEVEL), origin, *who


def _counting(report: AccessReport, row: int) -> str:
    """Return how many members have each level in a place, and whether that is its own doing."""
    direct, above = Counter[str](), Counter[str]()
    for held in report.everybody_in(row):
        (direct if held.is_direct_in(row) else above)[held.effective] += 1
    told = []
    for level in reversed(report.levels):
        parts = [f"{direct[level]:,} direct"] if direct[level] else []
        parts += [f"{above[level]:,} by groups above"] if above[level] else []
        if parts:
            every = direct[level] + above[level]
            told.append(f"{shorten(level, _LEVEL)} {every:,} ({', '.join(parts)})")
    return ", ".join(told)


def _levels(levels: Sequence[str], counts: Sequence[int]) -> str:
    pairs = list(zip(levels, counts, strict=False))[::-1]
    return ", ".join(f"{shorten(level, _LEVEL)} {count:,}" for level, count in pairs if count)


def person_object(report: AccessReport, row: int) -> dict[str, Any]:
    """Return somebody and all their memberships, for JSON."""
    one = report.person(row)
    return {
        **_person_object(one),
        "levels": _counts(report.levels, one.counts),
        "memberships": [
            {
                **_place_object(report.place(held.place)),
                "level": held.level,
                "is_inherited": held.is_inherited,
                "effective_level": held.effective,
                "effective_place_path": report.place(held.held_at).path,
            }
            for held in report.places_of(row)
        ],
    }


def place_object(report: AccessReport, row: int, others: Sequence[Holding] = ()) -> dict[str, Any]:
    """Return a place and its direct members, for JSON; and members of groups above it."""
    inherited = [
        {
            **_person_object(report.person(held.person)),
            "level": held.level,
            **_effective(report, held),
            "from_place_path": report.place(held.place).path,
        }
        for held in others
    ]
    one = report.place(row)
    return {
        **_place_object(one),
        "groups": one.groups,
        "projects": one.projects,
        "levels_with_all_below": _counts(report.levels, report.level_counts(row)),
        "members": [
            {
                **_person_object(report.person(held.person)),
                "level": held.level,
                "is_inherited": held.is_inherited,
                **_effective(report, held),
            }
            for held in report.members_of(row)
        ],
        **({"members_of_groups_above": inherited} if others else {}),
    }


def _person_object(one: Person) -> dict[str, Any]:
    return {
        "user_id": one.id,
        "name": one.name,
        "username": one.username,
        "email": one.email,
        "state": one.state,
        "service_identity_uuid": one.identity,
        "is_listed": one.is_listed,
    }


def _place_object(one: AccessPlace) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "place_id": one.id,
        "place_name": one.name,
        "place_path": one.path,
    }


def _effective(report: AccessReport, held: Holding) -> dict[str, Any]:
    return {
        "effective_level": held.effective,
        "effective_place_path": report.place(held.held_at).path,
    }


def _counts(levels: Sequence[str], counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(levels, counts, strict=False))
