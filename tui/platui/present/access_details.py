"""Everything that a report knows of one person, group or project, for the page of details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.access import CAVEATS
from platui.present.access import report_time
from platui.present.access_holdings import OWNING, owners_told
from platui.present.access_people import name_cell
from platui.present.counts import counted
from platui.present.details.layout import details, group, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from platui.models.values.access import AccessPlace, AccessReport, Holding, Person
    from platui.present.access_holdings import MembersFound
    from platui.present.details.layout import Details, Group, Line


def person_details(report: AccessReport, person: Person, now: datetime, *, utc: bool) -> Details:
    """Return everything known of a person."""
    title = person.name or person.username or f"id {person.id}"
    who: list[Line] = [
        ("user name", person.username),
        ("e-mail", person.email),
        ("state", person.state),
        ("id", str(person.id)),
        ("identity", person.identity or ""),
        ("", "" if person.is_listed else said("not in users: nothing else is known", "warning")),
        ("highest", person.highest or "none"),
    ]
    held = _levels(report, person.counts)
    owned = [one for one in report.places_of(person.row) if one.level in OWNING]
    owns = [("", said(_called(report, one))) for one in owned]
    return details(
        title,
        group("", who),
        group(counted(sum(person.counts), "membership") if held else "", held),
        group("owner of" if owns else "", owns),
        _of_report(report, now, utc=utc),
    )


def place_details(
    report: AccessReport, place: AccessPlace, members: MembersFound, now: datetime, *, utc: bool
) -> Details:
    """Return everything known of a group or project."""
    owners = members.owners
    named = [
        *_owners(report, "direct", owners.direct),
        *_owners(report, "from above", owners.above),
    ]
    what: list[Line] = [
        ("kind", place.kind),
        ("name", place.name),
        ("path", place.path),
        ("id", str(place.id)),
        ("members", f"{members.direct:,} direct, {members.above:,} from above"),
        ("groups", f"{place.groups:,} below" if place.groups else ""),
        ("projects", f"{place.projects:,} below" if place.projects else ""),
    ]
    below = _levels(report, report.level_counts(place.row)) if place.kind == "group" else []
    return details(
        place.path or place.name or f"{place.kind} {place.id}",
        group("", what),
        group(owners_told(owners), named),
        group("members by the level that counts", _levels(report, members.levels)),
        group("memberships in it and below", below),
        _of_report(report, now, utc=utc),
    )


def _levels(report: AccessReport, counts: Sequence[int]) -> list[Line]:
    pairs = list(zip(report.levels, counts, strict=False))
    return [(level.lower(), f"{count:,}") for level, count in reversed(pairs) if count]


def _owners(report: AccessReport, label: str, held: Sequence[Holding]) -> Iterable[Line]:
    for number, one in enumerate(held):
        name = name_cell(report.person(one.person)).text
        group_above = report.place(one.held_at).path if one.is_inherited else ""
        yield "" if number else label, said(f"{name}  in {group_above}" if group_above else name)


def _called(report: AccessReport, holding: Holding) -> str:
    place = report.place(holding.place)
    return place.path or place.name or f"{place.kind} {place.id}"


def _of_report(report: AccessReport, now: datetime, *, utc: bool) -> Group:
    """Return which report says so, and what it is not."""
    at = report_time(report.info, now, utc=utc)
    return group(
        "the report",
        [("fetched", at), *(("", said(caveat, "warning")) for caveat in CAVEATS)],
    )
