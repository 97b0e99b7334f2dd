"""People, places and memberships of a report as lines of text, and as objects for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.told import fitted_rows, table
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
_HOLDINGS: Final = ("LEVEL", "KIND", "PATH", "")
_MEMBERS: Final = ("LEVEL", "NAME", "USER", "STATE", "E-MAIL", "")
_ABOVE: Final = "also above"
"""A group above lists the same person with at least this level: it may come from there."""


def people_lines(report: AccessReport, rows: Iterable[int]) -> list[str]:
    """Return a table of people."""
    texts = [_person(report.person(row)) for row in rows]
    return table([_PEOPLE, *texts], {4})


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


def places_lines(report: AccessReport, rows: Iterable[int]) -> list[str]:
    """Return a table of groups and projects."""
    texts = [_place(report.place(row)) for row in rows]
    return table(fitted_rows([_PLACES, *texts], 0), {2, 3, 4})


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
    yield _levels(report.levels, one.counts) or "no membership"
    if holdings:
        yield ""
        texts = [_holding(report, held) for held in holdings]
        yield from table(fitted_rows([_HOLDINGS, *texts], 2))


def _holding(report: AccessReport, held: Holding) -> tuple[str, ...]:
    place = report.place(held.place)
    above = _ABOVE if held.is_inherited else ""
    return shorten(held.level, _LEVEL), place.kind, shorten(place.path, _PATH), above


def members_lines(report: AccessReport, row: int, members: Sequence[Holding]) -> Iterator[str]:
    """Yield what a place is, and who holds what directly in it."""
    one = report.place(row)
    yield f"{one.path}  {one.name}  {one.kind}, id {one.id}"
    below = ""
    if one.kind == "group":
        below = f"; below it {counted(one.groups, 'group')}, {counted(one.projects, 'project')}"
    yield f"{counted(one.members, 'direct member')}{below}"
    if levels := _levels(report.levels, report.level_counts(row)):
        yield f"Memberships, with all below: {levels}"
    if members:
        yield ""
        yield from table([_MEMBERS, *(_member(report, held) for held in members)])


def _member(report: AccessReport, held: Holding) -> tuple[str, ...]:
    above = _ABOVE if held.is_inherited else ""
    return shorten(held.level, _LEVEL), *_identity(report.person(held.person)), above


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
                "inherited": held.is_inherited,
            }
            for held in report.places_of(row)
        ],
    }


def place_object(report: AccessReport, row: int) -> dict[str, Any]:
    """Return a place and its direct members, for JSON."""
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
                "inherited": held.is_inherited,
            }
            for held in report.members_of(row)
        ],
    }


def _person_object(one: Person) -> dict[str, Any]:
    return {
        "user_id": one.id,
        "name": one.name,
        "username": one.username,
        "email": one.email,
        "state": one.state,
        "service_identity_uuid": one.identity,
        "listed": one.is_listed,
    }


def _place_object(one: AccessPlace) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "place_id": one.id,
        "place_name": one.name,
        "place_path": one.path,
    }


def _counts(levels: Sequence[str], counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(levels, counts, strict=False))
