"""Detect late runs: slow, waiting, silent, or missed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import GREEN, stage_order
from platui.analysis.schedules.due_times import missed_at
from platui.models.values.triage import Lane, PipelineRun
from platui.models.values.triage_board import BoardItem, BoardState, Late, LateKind, TypicalDuration

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Job, Pipeline, Schedule


FEWEST: Final = 5  # Durations needed for a typical one
MOST: Final = 50  # Newest durations used

_SHARE: Final = 0.95
_LEAST_DELAY: Final = 60.0  # Seconds over p95 that are tolerated
_OVER_MEDIAN: Final = 1.25  # Tolerated factor over the median, for nearly constant durations

LONGEST_WAIT: Final = 15 * 60.0  # Seconds to wait for a runner, without a typical duration
SHORTEST_WAIT: Final = 3 * 60.0  # Seconds of waiting that are always tolerated
LONGEST_SILENCE: Final = 10 * 60.0  # Seconds without output, without a typical duration


def usual(lengths: Iterable[float]) -> TypicalDuration | None:
    """Return the typical duration of lengths in seconds, newest first; None if too few."""
    newest = [length for length, _ in zip(lengths, range(MOST), strict=False)]
    if len(newest) < FEWEST:
        return None
    ordered = sorted(newest)
    return TypicalDuration(median(ordered), ordered[ceil(len(ordered) * _SHARE) - 1], len(ordered))


def typical_pipeline_duration(pipelines: Iterable[Pipeline]) -> TypicalDuration | None:
    """Return the typical duration of successful pipelines, waiting included."""
    return usual(
        (end - one.created_at).total_seconds()
        for one in pipelines
        if one.status == GREEN
        and one.created_at is not None
        and (end := one.finished_at or one.updated_at) is not None
    )


def slow_limit(known: TypicalDuration) -> float:
    return max(known.p95 + _LEAST_DELAY, known.median * _OVER_MEDIAN)


def slow_pipeline(newest: PipelineRun, known: TypicalDuration | None, now: datetime) -> Late | None:
    if known is None or newest.created_at is None or newest.ended_at is not None:
        return None
    seconds = (now - newest.created_at).total_seconds()
    return Late(LateKind.SLOW, seconds, known) if seconds > slow_limit(known) else None


def waiting_since(jobs: Sequence[Job]) -> dict[int, datetime]:
    """Return since when each pending job waits for a runner only, by id."""
    ends: dict[str, datetime] = {}
    for job in jobs:
        if job.finished_at is not None:
            ends[job.stage] = max(job.finished_at, ends.get(job.stage, job.finished_at))
    ended_before: dict[str, datetime | None] = {}
    latest: datetime | None = None
    for stage in stage_order(jobs):
        ended_before[stage] = latest
        latest = max(filter(None, (latest, ends.get(stage))), default=None)
    found = (
        (job.id, max(filter(None, (job.created_at, ended_before[job.stage])), default=None))
        for job in jobs
        if job.status == "pending"
    )
    return {number: at for number, at in found if at is not None}


def stuck_waiting(job: Job, seconds: float, known: TypicalDuration | None = None) -> Late | None:
    limit = LONGEST_WAIT if known is None else max(slow_limit(known), SHORTEST_WAIT)
    if seconds <= limit:
        return None
    return Late(LateKind.WAITING, seconds, known, what=job.name, job=job.id, tags=job.tag_list)


def stuck_silent(job: Job, seconds: float) -> Late | None:
    if seconds <= LONGEST_SILENCE:
        return None
    return Late(LateKind.SILENT, seconds, what=job.name, job=job.id)


def missed_run(schedule: Schedule, asked_at: datetime, now: datetime) -> Late | None:
    # Lists do not include the last run, and one request per schedule is too much: the run
    # announced by the platform is enough.
    last = schedule.last_pipeline
    due = missed_at(schedule, asked_at, last, knows_last=last is not None)
    if due is None:
        return None
    seconds = max(0.0, (now - due).total_seconds())
    what = schedule.description
    return Late(LateKind.MISSED, seconds, what=what, due_at=due, schedule=schedule.id)


_UNBEGUN: Final = frozenset({"created", "waiting_for_resource", "preparing", "pending"})
_AHEAD: Final = 60.0  # Seconds to check before a job can be stuck, so that it is noticed as new


def stuck_check_time(newest: PipelineRun, known: TypicalDuration | None) -> datetime | None:
    """Return from when on a job of a pipeline may be stuck; None: never."""
    if newest.created_at is None:
        return None
    if newest.status in _UNBEGUN:
        seconds = SHORTEST_WAIT - _AHEAD
    elif newest.status == "running":
        seconds = LONGEST_SILENCE if known is None else slow_limit(known)
    else:
        return None
    try:
        return newest.created_at + timedelta(seconds=seconds)
    except OverflowError:
        return None  # A platform may send any times


def typical_queue_times(jobs: Iterable[Job]) -> dict[str, TypicalDuration]:
    """Return typical waiting times by job name; jobs newest first."""
    lengths: dict[str, list[float]] = {}
    for job in jobs:
        if job.started_at is not None and job.queued_duration is not None:
            lengths.setdefault(job.name, []).append(job.queued_duration)
    found = {name: usual(waited) for name, waited in lengths.items()}
    return {name: known for name, known in found.items() if known is not None}


def longest_waiting(
    jobs: Sequence[Job], asked_at: datetime, now: datetime, queues: Mapping[str, TypicalDuration]
) -> Late | None:
    unasked = waiting_since(jobs)
    found: list[Late | None] = []
    for job in jobs:
        since, waited = unasked.get(job.id), 0.0
        if job.queued_duration is not None:
            since, waited = asked_at, max(0.0, job.queued_duration)
        if job.status == "pending" and since is not None:
            seconds = (now - since).total_seconds() + waited
            found.append(stuck_waiting(job, seconds, queues.get(job.name)))
    return max(filter(None, found), key=lambda late: late.seconds, default=None)


def missed_run_items(
    project: ProjectRef, schedules: Iterable[Schedule], main: str, asked_at: datetime, now: datetime
) -> list[BoardItem]:
    """Return items of missed runs; `main` is "" if unknown."""
    found = []
    for schedule in schedules:
        late = missed_run(schedule, asked_at, now)
        if late is not None:
            ref = schedule.ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
            is_main = bool(main) and ref == main
            found.append(BoardItem(BoardState.LATE, Lane(project, ref), late=late, is_main=is_main))
    return found
