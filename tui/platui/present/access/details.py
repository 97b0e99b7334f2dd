"""Details of a person, group or project of the report, as a pane and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from platui.models.values.access import CAVEATS, AccessPlace, AccessReport, Membership, Person
from platui.present.access.memberships import MembersFound, owners_summary
from platui.present.access.report import report_time
from platui.present.counts import counted
from platui.present.details.layout import Details, Line, details, text_cell
from platui.present.tables.access import name_cell, person_name, place_name
from platui.present.tables.memberships import OWNER_LEVELS
from platui.report.export.fields import HELD, PERSON, WHERE


def person_details(report: AccessReport, person: Person, now: datetime, *, utc: bool) -> Details:
    who: list[Line] = [
        ("user name", person.username),
        ("e-mail", person.email),
        ("state", person.state),
        ("id", str(person.id)),
        ("identity", person.identity or ""),
        ("", "" if person.is_listed else text_cell("not in the report's list of users", "warning")),
        ("highest", person.highest or "none"),
    ]
    held = _levels(report, person.counts)
    owned = [one for one in report.memberships_of(person.row) if one.level in OWNER_LEVELS]
    owns = [("", text_cell(place_name(report.place(one.place)))) for one in owned]
    return details(
        person_name(person),
        {
            "": who,
            counted(sum(person.counts), "membership"): held,
            "owner of": owns,
            "the report": _of_report(report, now, utc=utc),
        },
    )


def place_details(
    report: AccessReport, place: AccessPlace, members: MembersFound, now: datetime, *, utc: bool
) -> Details:
    owners = members.owners
    named = [
        *_owners(report, "direct", owners.direct),
        *_owners(report, "inherited", owners.above),
    ]
    what: list[Line] = [
        ("kind", place.kind),
        ("name", place.name),
        ("path", place.path),
        ("id", str(place.id)),
        ("members", f"{members.direct:,} direct, {members.above:,} inherited"),
        ("groups", f"{place.groups:,} below" if place.groups else ""),
        ("projects", f"{place.projects:,} below" if place.projects else ""),
    ]
    below = _levels(report, report.level_counts(place.row)) if place.kind == "group" else []
    return details(
        place_name(place),
        {
            "": what,
            owners_summary(owners): named,
            "members by effective level": _levels(report, members.levels),
            "memberships in it and below": below,
            "the report": _of_report(report, now, utc=utc),
        },
    )


def _levels(report: AccessReport, counts: Sequence[int]) -> list[Line]:
    pairs = list(zip(report.levels, counts, strict=False))
    return [(level.lower(), f"{count:,}") for level, count in reversed(pairs) if count]


def _owners(report: AccessReport, label: str, held: Sequence[Membership]) -> Iterable[Line]:
    for number, one in enumerate(held):
        name = name_cell(report.person(one.person)).text
        group_above = report.place(one.held_at).path if one.is_inherited else ""
        yield (
            "" if number else label,
            text_cell(f"{name}  in {group_above}" if group_above else name),
        )


def _of_report(report: AccessReport, now: datetime, *, utc: bool) -> list[Line]:
    at = report_time(report.info, now, utc=utc)
    return [("fetched", at), *(("", text_cell(caveat, "warning")) for caveat in CAVEATS)]


def person_object(report: AccessReport, row: int) -> dict[str, Any]:
    one = report.person(row)
    return {
        **PERSON.object(one),
        "levels": dict(zip(report.levels, one.counts, strict=False)),
        "memberships": [
            {**WHERE.object(report.place(held.place)), **_held(report, held)}
            for held in report.memberships_of(row)
        ],
    }


def place_object(
    report: AccessReport, row: int, others: Sequence[Membership] = ()
) -> dict[str, Any]:
    inherited = [
        {
            **PERSON.object(report.person(held.person)),
            "level": held.level,
            **_effective(report, held),
            "from_place_path": report.place(held.place).path,
        }
        for held in others
    ]
    one = report.place(row)
    return {
        **WHERE.object(one),
        "groups": one.groups,
        "projects": one.projects,
        "levels_with_all_below": dict(zip(report.levels, report.level_counts(row), strict=False)),
        "members": [
            {**PERSON.object(report.person(held.person)), **_held(report, held)}
            for held in report.members_of(row)
        ],
        **({"members_of_groups_above": inherited} if others else {}),
    }


def _held(report: AccessReport, held: Membership) -> dict[str, Any]:
    return {**HELD.object(held), **_effective(report, held)}


def _effective(report: AccessReport, held: Membership) -> dict[str, Any]:
    path = report.place(held.held_at).path
    return {"effective_level": held.effective, "effective_place_path": path}
