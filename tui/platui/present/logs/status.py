"""The status lines of a log: job status and failure, search and filter; steps through hits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten
from platui.models.values.statuses import ACTIVE
from platui.present.chrome import pieces_width
from platui.present.counts import counted
from platui.present.jobs import run_seconds
from platui.present.status import FAILED, status_cell
from platui.present.times import duration

if TYPE_CHECKING:
    from platui.core.errors import PatternError
    from platui.models.values.search import SearchQuery, SearchState
    from platui.models.wire import Job
    from platui.present.chrome import Piece, Pieces

_SEPARATOR: Final = 3  # Cells between two pieces

# Failure reasons that say no more than the exit code.
_PLAIN_REASONS: Final = frozenset({"", "script_failure", "unknown_failure"})

_NAME: Final = 24
_REASON: Final = 48  # Most characters of a failure reason

MOST_CONTEXT: Final = 5  # Lines before and after a match

_PATTERN_ROOM: Final = 24


class LogFacts(NamedTuple):
    lines: int = 0
    errors: int = 0
    exit_code: int | None = None
    section: str = ""  # The section that failed, if known
    seconds: int | None = None
    more_errors: bool = False  # Whether parts of the log are not searched for errors yet


def log_status(
    job: Job | None, facts: LogFacts, now: datetime, room: int, attempt: Piece | None = None
) -> Pieces:
    """Return the pieces of the line; the least important are dropped if they do not fit."""
    parts = _job_parts(job, facts, now)
    if attempt is not None and parts:
        parts.insert(1, (8, attempt))
    if facts.lines:
        parts.append((4, (counted(facts.lines, "line"), "muted")))
    if facts.errors:
        parts.append((5, (counted(facts.errors, "error", more=facts.more_errors), FAILED)))
    failed = job is not None and job.status == FAILED
    if failed and facts.section:
        took = "" if facts.seconds is None else f" {duration(facts.seconds)}"
        parts.append((3, (f"section {shorten(facts.section, _NAME)}{took}", "muted")))
    while len(parts) > 1 and _width(parts) > room:
        parts.remove(min(parts, key=itemgetter(0)))
    return tuple(piece for _, piece in parts)


def _job_parts(job: Job | None, facts: LogFacts, now: datetime) -> list[tuple[int, Piece]]:
    if job is None:
        return []
    state = status_cell(job.status)
    parts: list[tuple[int, Piece]] = [(9, (state.text, state.role))]
    failed = job.status == FAILED
    if failed and facts.exit_code is not None:
        parts.append((8, (f"exit {facts.exit_code}", FAILED)))
    if job.failure_reason and not (
        facts.exit_code is not None and job.failure_reason in _PLAIN_REASONS
    ):
        reason = shorten(job.failure_reason, _REASON).replace("_", " ")
        parts.append((7, (reason, FAILED)))
    seconds = run_seconds(job, now)
    if seconds is not None:
        role = "running" if job.status in ACTIVE else "text"
        parts.append((6, (duration(seconds), role)))
    if job.runner is not None:
        name = shorten(job.runner.description or job.runner.name, _NAME)
        parts.append((1, (f"runner {name}", "muted")))
    return parts


def _width(parts: list[tuple[int, Piece]]) -> int:
    return pieces_width([piece for _, piece in parts], _SEPARATOR)


class Step(NamedTuple):
    line: int | None  # None: nothing found, or not decided yet
    wrapped: bool = False
    is_certain: bool = True  # Whether continuing the search cannot change it


def next_hit(state: SearchState, line: int) -> Step:
    """Return the first hit from a line on, wrapping at the end."""
    at = bisect_left(state.lines, line)
    if at < len(state.lines) and _covers(state, line, state.lines[at]):
        return Step(state.lines[at])
    return _wrapped(state, 0)


def hit_before(state: SearchState, line: int) -> Step:
    """Return the last hit before a line, wrapping at the top."""
    at = bisect_left(state.lines, line)
    if at and _covers(state, state.lines[at - 1], line):
        return Step(state.lines[at - 1])
    return _wrapped(state, -1)


def _wrapped(state: SearchState, at: int) -> Step:
    if not state.is_whole:
        return Step(None, is_certain=False)
    return Step(state.lines[at], wrapped=True) if state.lines else Step(None)


def first_hit(state: SearchState, line: int) -> Step:
    """Return the hit to show while typing: a quick result is enough."""
    step = next_hit(state, line)
    return step if step.is_certain or state.first is None else Step(state.first)


def _covers(state: SearchState, first: int, end: int) -> bool:
    if state.is_whole:
        return True
    for start, stop in state.known:
        if start <= first < stop:
            first = stop
    return first >= end


def searched_to(state: SearchState) -> int:
    return max(stop for _, stop in state.known) if state.known else 0


def counter(state: SearchState | None, current: int | None) -> Pieces:
    """Return the current hit and their number: `3 of 17`, `17+ lines`."""
    if state is None:
        return (("…", "muted"),)
    found = len(state.lines)
    more = "" if state.is_whole and not state.is_full else "+"
    if not found and current is None:
        words = "no hit" if state.is_whole else f"{state.progress:.0%}"
        return ((words, "warning" if state.is_whole else "muted"),)
    if current is not None and _covers(state, 0, current):
        at = bisect_left(state.lines, current)
        if at < found and state.lines[at] == current:
            return ((f"{at + 1:,} of {found:,}{more}", "text"),)
    found = max(found, current is not None)
    return ((counted(found, "line", more=bool(more)), "text"),)


def search_pieces(
    query: SearchQuery,
    state: SearchState | None,
    current: int | None,
    note: str,
    error: PatternError | None,
) -> Pieces:
    if error is not None:
        return (*_query_pieces("/", query), (error.sentence, "failed"))
    pieces = (*_query_pieces("/", query), *counter(state, current))
    return (*pieces, (f" {note}", "warning")) if note else pieces


def filter_pieces(
    query: SearchQuery,
    state: SearchState | None,
    total: int,
    error: PatternError | None,
    *,
    inverse: bool,
    context: int,
) -> Pieces:
    """Return the filter status: `212 of 41,203 lines`."""
    asked = _query_pieces("&!" if inverse else "&", query)
    if error is not None:
        return (*asked, (error.sentence, "failed"))
    if state is None:
        return (*asked, ("…", "muted"))
    shown, more = _shown(state, inverse=inverse)
    around = f" ±{context}" if context and not inverse else ""
    role = "warning" if not shown and state.is_whole else "text"
    return (*asked, (f"{shown:,}{more} of {counted(total, 'line')}{around}", role))


def filter_counter(state: SearchState | None, *, inverse: bool) -> Pieces:
    if state is None or not inverse:
        return counter(state, None)
    shown, more = _shown(state, inverse=True)
    return ((counted(shown, "line", more=bool(more)), "text"),)


def _shown(state: SearchState, *, inverse: bool) -> tuple[int, str]:
    shown, end = len(state.lines), searched_to(state)
    if inverse:  # the search may have found more lines since, beyond those
        shown = end - bisect_left(state.lines, end)
    return shown, "" if state.is_whole and not state.is_full else "+"


def _query_pieces(sign: str, query: SearchQuery) -> Pieces:
    kind = ((" regex", "muted"),) if query.is_regex else ()
    return ((f"{sign}{shorten(query.text, _PATTERN_ROOM)}", "accent"), *kind, ("  ", "text"))


def is_selected(lines: Sequence[int], line: int, *, context: int, inverse: bool) -> bool:
    at = bisect_left(lines, line - context)
    is_near = at < len(lines) and lines[at] <= line + context
    return is_near is not inverse
