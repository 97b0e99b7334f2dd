"""The status line above a log: job status and failure, shortened to fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.text import clean, shorten
from platui.models.values.statuses import ACTIVE
from platui.present.counts import counted
from platui.present.jobs import run_seconds
from platui.present.status import FAILED, status_cell
from platui.present.times import duration

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.wire import Job
    from platui.present.chrome import Piece, Pieces

_SEPARATOR: Final = 3  # Cells between two pieces

# Failure reasons that say no more than the exit code.
_PLAIN_REASONS: Final = frozenset({"", "script_failure", "unknown_failure"})

_NAME: Final = 24


class LogFacts(NamedTuple):
    lines: int = 0
    errors: int = 0
    exit_code: int | None = None
    section: str = ""  # The section that failed, if known
    seconds: int | None = None
    more_errors: bool = False  # Whether parts of the log are not searched for errors yet


class _Part(NamedTuple):
    weight: int
    piece: Piece


def log_status(job: Job | None, facts: LogFacts, now: datetime, room: int) -> Pieces:
    """Return the pieces of the line; the least important are dropped if they do not fit."""
    parts = _job_parts(job, facts, now)
    if facts.lines:
        parts.append(_Part(4, (counted(facts.lines, "line"), "muted")))
    if facts.errors:
        parts.append(_Part(5, (counted(facts.errors, "error", more=facts.more_errors), FAILED)))
    failed = job is not None and job.status == FAILED
    if failed and facts.section:
        took = "" if facts.seconds is None else f" {duration(facts.seconds)}"
        parts.append(_Part(3, (f"section {shorten(facts.section, _NAME)}{took}", "muted")))
    while len(parts) > 1 and _width(parts) > room:
        parts.remove(min(parts, key=lambda part: part.weight))
    return tuple(part.piece for part in parts)


def _job_parts(job: Job | None, facts: LogFacts, now: datetime) -> list[_Part]:
    if job is None:
        return []
    state = status_cell(job.status)
    parts = [_Part(9, (state.text, state.role))]
    failed = job.status == FAILED
    if failed and facts.exit_code is not None:
        parts.append(_Part(8, (f"exit {facts.exit_code}", FAILED)))
    if job.failure_reason and not (
        facts.exit_code is not None and job.failure_reason in _PLAIN_REASONS
    ):
        parts.append(_Part(7, (clean(job.failure_reason).replace("_", " "), FAILED)))
    seconds = run_seconds(job, now)
    if seconds is not None:
        role = "running" if job.status in ACTIVE else "text"
        parts.append(_Part(6, (duration(seconds), role)))
    if job.runner is not None:
        name = shorten(job.runner.description or job.runner.name, _NAME)
        parts.append(_Part(1, (f"runner {name}", "muted")))
    return parts


def _width(parts: list[_Part]) -> int:
    return sum(len(part.piece[0]) for part in parts) + _SEPARATOR * (len(parts) - 1)
