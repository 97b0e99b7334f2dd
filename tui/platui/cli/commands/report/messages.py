"""Messages about access reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import is_terminal
from platui.core.errors import TermError
from platui.core.text import cells, clean
from platui.models.values.access_changes import ChangeKind
from platui.present.counts import counted
from platui.present.tables.access_changes import kind_words
from platui.present.times import dated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import DamagedReport

# Short form of `models.values.access.CAVEATS`
CAVEAT: Final = "Summary of daily snapshots; for utilization, not for security auditing."

_TERMINAL_ROWS: Final = 100


def when(info: ReportInfo | DamagedReport, options: Options) -> str:
    return dated(info.fetched_at, utc=options.utc)


def people(count: int) -> str:
    return f"{count:,} {'person' if count == 1 else 'people'}"


def counts_words(info: ReportInfo) -> str:
    return ", ".join(
        (
            people(info.people),
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
    return TermError(
        "\n".join([error.sentence, *_marker_lines(query, error.start, error.end)]),
        start=error.start,
        end=error.end,
        hint=error.hint,
    )


def _marker_lines(query: str, start: int, end: int) -> Iterator[str]:
    shown = clean(query)
    if not shown.strip():
        return
    before = cells(clean(query[:start]))
    wrong = max(1, cells(clean(query[start:end])))
    yield f"  {shown}"
    yield f"  {' ' * before}{'^' * wrong}"
