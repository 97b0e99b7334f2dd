"""Texts about access reports, and about one person, group or project of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import is_terminal, wrapped
from platui.core.errors import TermError
from platui.core.text import cells, clean, shorten
from platui.models.values.access_changes import AccessChanges, ChangeKind
from platui.present.counts import counted
from platui.present.tables.access import LEVEL_LIMIT
from platui.present.tables.access_changes import kind_words
from platui.present.tables.memberships import MEMBERS, PERSON_MEMBERSHIPS, member_of, membership_of
from platui.present.times import dated

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.access import AccessReport, Membership, ReportInfo
    from platui.models.values.reports import DamagedReport

# Short form of `models.values.access.CAVEATS`
CAVEAT: Final = "Summary of daily snapshots; for utilization, not for security auditing."

_TERMINAL_ROWS: Final = 100
_NONE: Final = "-"


def when(info: ReportInfo | DamagedReport, options: Options) -> str:
    return dated(info.fetched_at, utc=options.utc)


def counts_words(info: ReportInfo) -> str:
    return ", ".join(
        (
            counted(info.people, "person"),
            counted(info.groups, "group"),
            counted(info.projects, "project"),
            counted(info.memberships, "membership"),
        )
    )


def changes_words(changes: AccessChanges) -> str:
    counts = changes.counts
    parts = (
        f"{counts[kind]:,} {kind_words(kind, counts[kind])}" for kind in ChangeKind if counts[kind]
    )
    return ", ".join(parts)


def row_limit(limit: int | None, *, is_all: bool) -> int | None:
    return limit if limit is not None or is_all or not is_terminal() else _TERMINAL_ROWS


def print_rows_left(count: int, limit: int | None) -> None:
    if count > 0:
        shown = "" if limit is None else f"{limit:,} {'is' if limit == 1 else 'are'} shown"
        print_notice(f"{count:,} more{f'; {shown}' if shown else ': use --all or --limit N'}.")


def mark_term(error: TermError, query: str) -> TermError:
    """Return the error with the query, and marks below the term that it is about."""
    lines, start, end = [error.sentence], error.start, error.end
    if clean(query).strip():
        wrong = max(1, cells(clean(query[start:end])))
        marks = f"{' ' * cells(clean(query[:start]))}{'^' * wrong}"
        lines += [f"  {clean(query)}", f"  {marks}"]
    return TermError("\n".join(lines), start=start, end=end, hint=error.hint)


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
        is_direct = held.place == row and held.level == held.effective
        (direct if is_direct else above)[held.effective] += 1
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
