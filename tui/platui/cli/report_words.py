"""What is said of access reports on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.patience import narrate
from platui.cli.stdout import is_terminal
from platui.core.cells import cells
from platui.core.errors import TermError
from platui.core.text import clean
from platui.models.values.access_changes import ChangeKind
from platui.present.counts import counted, plural
from platui.present.times import dated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import DamagedReport

CAVEAT: Final = "Daily snapshots rolled up; for utilization, not for security auditing."
"""What stands beside rows; `models.values.access.CAVEATS` has it in full."""

_ON_SCREEN: Final = 100


def when(info: ReportInfo | DamagedReport, options: Options) -> str:
    """Return when a report came, to the minute, with its zone."""
    return dated(info.fetched_at, utc=options.utc)


def people(count: int) -> str:
    """Return a number of people."""
    return f"{count:,} {'person' if count == 1 else 'people'}"


def counts_words(info: ReportInfo) -> str:
    """Return how much is in a report."""
    return ", ".join(
        (
            people(info.people),
            counted(info.groups, "group"),
            counted(info.projects, "project"),
            counted(info.memberships, "membership"),
        )
    )


def changes_words(changes: AccessChanges) -> str:
    """Return how many changes there are of each kind; empty: none."""
    counts = changes.counts
    told = (
        f"{counts[kind]:,} {kind_words(kind, counts[kind])}" for kind in ChangeKind if counts[kind]
    )
    return ", ".join(told)


def kind_words(kind: ChangeKind, count: int) -> str:
    """Return what so many changes of a kind are called, after their number."""
    match kind:
        case ChangeKind.NEW_OWNER:
            return "new owner" if count == 1 else "new owners"
        case ChangeKind.CHANGED:
            return "identity changed" if count == 1 else "identities changed"
        case ChangeKind.PLACE_ADDED | ChangeKind.PLACE_REMOVED:
            return str(kind.value).replace("places", plural(count, "place"))
        case ChangeKind.RENAMED | ChangeKind.MOVED:
            return f"{plural(count, 'place')} {kind.value}"
    return str(kind.value)


def rows_on_screen() -> int | None:
    """Return how many rows are printed where nobody says it: on a terminal some, else all."""
    return _ON_SCREEN if is_terminal() else None


def tell_left(count: int, limit: int | None) -> None:
    """Say how many rows were not printed, and how many were, where so many were asked for."""
    if count > 0:
        shown = "" if limit is None else f"{limit:,} {'is' if limit == 1 else 'are'} shown"
        narrate(
            f"{count:,} more{f'; {shown}' if shown else ': --all prints them, --limit so many'}."
        )


def info_object(info: ReportInfo) -> dict[str, Any]:
    """Return what a report is, for JSON."""
    return {
        "id": info.id,
        "fetched_at": info.fetched_at.isoformat(timespec="seconds"),
        "origin": info.origin,
        "bytes": info.size,
        "sha256": info.digest,
        "people": info.people,
        "groups": info.groups,
        "projects": info.projects,
        "memberships": info.memberships,
        "levels": {clean(level): count for level, count in info.levels},
    }


def marked(error: TermError, query: str) -> TermError:
    """Return the error with the query below its sentence, and a mark below what is wrong in it."""
    return TermError(
        "\n".join([error.sentence, *_mark(query, error.start, error.end)]),
        start=error.start,
        end=error.end,
        hint=error.hint,
    )


def _mark(query: str, start: int, end: int) -> Iterator[str]:
    shown = clean(query)
    if not shown.strip():
        return
    before = cells(clean(query[:start]))
    wrong = max(1, cells(clean(query[start:end])))
    yield f"  {shown}"
    yield f"  {' ' * before}{'^' * wrong}"
