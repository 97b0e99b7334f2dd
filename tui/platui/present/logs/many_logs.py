"""Text for the merged logs of many jobs: notes between lines, and the status line."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.log import Span, SpanStyle
from platui.models.values.many_logs import FollowerEvent, FollowerNotice, StreamJobs
from platui.present.chrome import Piece, pieces_width
from platui.present.counts import counted
from platui.present.jobs import run_seconds
from platui.present.status import glyph_of, role_of, status_cell
from platui.present.times import duration

if TYPE_CHECKING:
    from platui.models.wire import Job

_WHOLE: Final = "enter: open full log"
_SEPARATOR: Final = 3  # Cells between two pieces

_UNBOUNDED: Final = 1 << 30

_WORST: Final = {"failed": 0, "running": 1}
_MUTED: Final = SpanStyle(role="muted")
_NAME: Final = SpanStyle(bold=True)
# Roles as colours, since log spans have only colours.
_STYLES: Final = {
    "failed": SpanStyle(role="error"),
    "success": SpanStyle(foreground="green"),
    "running": SpanStyle(foreground="blue"),
    "pending": SpanStyle(foreground="yellow"),
    "manual": SpanStyle(foreground="magenta"),
}


def describe_notice(news: FollowerNotice, now: datetime) -> tuple[Span, ...]:
    cell = status_cell(news.status)
    # An unknown status is shown as received, without colour.
    state = Span(cell.text or "unknown", _STYLES.get(cell.role, _MUTED))
    if news.event is FollowerEvent.PIPELINE_ENDED:
        name = Span(f"pipeline #{news.pipeline} ", _NAME)
        return (Span("━━ ", _MUTED), name, state)
    name = Span(f"{clean(news.job.name) if news.job is not None else ''} ", _NAME)
    said = [Span(words, _MUTED)] if (words := _words(news, now)) else []
    return (Span("── ", _MUTED), name, state, *said)


def _words(news: FollowerNotice, now: datetime) -> str:
    words: list[str] = []
    if news.exit_code is not None:
        words.append(f"exit {news.exit_code}")
    seconds = run_seconds(news.job, now) if news.job is not None else None
    if seconds is not None:
        words.append(duration(seconds))
    if news.event is FollowerEvent.ANEW:
        words.append("log was rewritten")
    if news.event is FollowerEvent.MISSING:
        why = news.error.sentence if news.error is not None else ""
        words.append(f"no log: {why}" if why else "no log")
    elif news.from_error:
        words.append(f"from the error, {news.shown:,} of {counted(news.total, 'line')} · {_WHOLE}")
    elif 0 < news.shown < news.total:
        words.append(f"last {news.shown:,} of {counted(news.total, 'line')} · {_WHOLE}")
    return "".join(f" · {word}" for word in words)


def jobs_status(stream: StreamJobs, now: datetime, room: int = _UNBOUNDED) -> list[Piece]:
    """Return the status line; jobs that do not fit `room` are only counted, the least first."""
    pieces: list[Piece] = []
    if stream.pipeline_status:
        cell = status_cell(stream.pipeline_status)
        pieces.append((cell.text, cell.role))
    shown = len({job.name for job in stream.jobs})
    if 0 < shown < stream.total:
        those = f"{shown} of {counted(stream.total, 'job')} (running or failed)"
        pieces.append((those, "muted"))
    worst_first = sorted(
        stream.jobs, key=lambda job: (_WORST.get(job.status, 2), bool(job.allow_failure))
    )
    jobs = [_job_piece(job, now) for job in worst_first]
    rest: list[Piece] = [(f"{stream.waiting} not started", "muted")] if stream.waiting else []
    if jobs and pieces_width((*pieces, *jobs, *rest), _SEPARATOR) > room:
        # A job with its status says more than totals.
        pieces, rest, count = pieces[:1], [], len(jobs)
        while len(jobs) > 1 and pieces_width((*pieces, *jobs, *rest), _SEPARATOR) > room:
            jobs.pop()
            rest = [(f"… {count - len(jobs)} more", "muted")]
    return [*pieces, *jobs, *rest]


def partial_note(stream: StreamJobs) -> str:
    return f"  partial logs · {_WHOLE}" if stream.is_partial and stream.jobs else ""


def _job_piece(job: Job, now: datetime) -> Piece:
    took = duration(run_seconds(job, now)) if job.status == "running" else ""
    text = f"{glyph_of(job.status)} {clean(job.name)} {clean(job.status)} {took}".rstrip()
    return text, role_of(job.status)


def nothing_to_follow(stream: StreamJobs, back: str) -> str:
    """`back` is the key that leads back."""
    if stream.waiting and stream.pipeline_status not in {"success", "failed", "canceled", "manual"}:
        count = counted(stream.waiting, "job")
        return f"No running or failed job yet: {count} not started.\n\nLog lines appear here."
    status = f" (pipeline: {clean(stream.pipeline_status)})" if stream.pipeline_status else ""
    return f"No running or failed job{status}.\n\n{back}  back to the jobs"
