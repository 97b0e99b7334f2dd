"""Text of one person, group or project of a report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from platui.cli.output.lists import table_lines
from platui.cli.output.stdout import wrapped
from platui.core.text import shorten
from platui.present.counts import counted
from platui.present.tables.access import LEVEL_LIMIT
from platui.present.tables.memberships import MEMBERS, PERSON_MEMBERSHIPS, member_of, membership_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.models.values.access import AccessReport, Membership

_NONE: Final = "-"


def person_lines(report: AccessReport, row: int, holdings: Sequence[Membership]) -> Iterator[str]:
    one = report.person(row)
    if one.is_listed:
        yield f"{one.name or _NONE}  {one.username}  {one.email}".rstrip()
        identity = f", service identity {one.identity}" if one.identity else ""
        yield f"{one.state or _NONE}, id {one.id}{identity}"
    else:
        yield f"id {one.id}: has memberships, but is not in the report's list of users"
    yield from wrapped(_levels(report.levels, one.counts) or "no membership")
    if holdings:
        yield ""
        yield from table_lines(
            [membership_of(report, held) for held in holdings], PERSON_MEMBERSHIPS
        )


def members_lines(report: AccessReport, row: int, members: Sequence[Membership]) -> Iterator[str]:
    one = report.place(row)
    yield f"{one.path}  {one.name}  {one.kind}, id {one.id}"
    below = ""
    if one.kind == "group":
        below = f"; below it {counted(one.groups, 'group')}, {counted(one.projects, 'project')}"
    yield f"{counted(one.members, 'direct member')}{below}"
    if counting := _counting(report, row):
        yield from wrapped(f"By effective level: {counting}")
    if levels := _levels(report.levels, report.level_counts(row)):
        yield from wrapped(f"Memberships, with subgroups and projects: {levels}")
    if members:
        yield ""
        yield from table_lines([member_of(report, row, held) for held in members], MEMBERS)


def _counting(report: AccessReport, row: int) -> str:
    direct, above = Counter[str](), Counter[str]()
    for held in report.all_members(row):
        (direct if held.is_direct_in(row) else above)[held.effective] += 1
    texts = []
    for level in reversed(report.levels):
        parts = [f"{direct[level]:,} direct"] if direct[level] else []
        parts += [f"{above[level]:,} inherited"] if above[level] else []
        if parts:
            every = direct[level] + above[level]
            texts.append(f"{shorten(level, LEVEL_LIMIT)} {every:,} ({', '.join(parts)})")
    return ", ".join(texts)


def _levels(levels: Sequence[str], counts: Sequence[int]) -> str:
    pairs = list(zip(levels, counts, strict=False))[::-1]
    return ", ".join(f"{shorten(level, LEVEL_LIMIT)} {count:,}" for level, count in pairs if count)
