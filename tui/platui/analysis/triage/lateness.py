"""What is behind its time: runs longer than usual, waits, says nothing, or did not begin."""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import GREEN, stage_order
from platui.analysis.schedules.dues import missed_at
from platui.models.values.triage import Lane
from platui.models.values.triage_board import BoardItem, BoardState, Late, LateKind, TypicalDuration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import PipelineRun
    from platui.models.wire import Job, Pipeline, Schedule


FEWEST: Final = 5
"""With fewer lengths than these nothing is known of what is usual."""
MOST: Final = 50
"""The newest lengths that count: what was usual last year is not any more."""

_SHARE: Final = 0.95
_LEAST_DELAY: Final = 60.0
"""Seconds over the longest usual run that are nothing to speak of."""
_OVER_MEDIAN: Final = 1.25
"""How much longer than the median is still usual, where all lengths are nearly the same."""

LONGEST_WAIT: Final = 15 * 60.0
"""Seconds for which a job may wait for a runner, where nothing is known of what is usual."""
SHORTEST_WAIT: Final = 3 * 60.0
"""Seconds that nobody minds to wait, however quick it usually is."""
LONGEST_SILENCE: Final = 10 * 60.0
"""Seconds for which a log may rest, where nothing is known of what is usual."""


def usual(lengths: Iterable[float]) -> TypicalDuration | None:
    """Return what is usual of these lengths in seconds, the newest first; None of too few."""
    newest = [length for length, _ in zip(lengths, range(MOST), strict=False)]
    if len(newest) < FEWEST:
        return None
    ordered = sorted(newest)
    return TypicalDuration(median(ordered), ordered[ceil(len(ordered) * _SHARE) - 1], len(ordered))


def usual_of_pipelines(pipelines: Iterable[Pipeline]) -> TypicalDuration | None:
    """Return how long successful pipelines take, waiting included, the newest first."""
    return usual(
        (end - one.created_at).total_seconds()
        for one in pipelines
        if one.status == GREEN
        and one.created_at is not None
        and (end := one.finished_at or one.updated_at) is not None
    )


def longest_usual(known: TypicalDuration) -> float:
    """Return the seconds after which something takes longer than it usually does."""
    return max(known.p95 + _LEAST_DELAY, known.median * _OVER_MEDIAN)


def slow_pipeline(newest: PipelineRun, known: TypicalDuration | None, now: datetime) -> Late | None:
    """Return by how much a pipeline that goes on is late; None where it is not, or not known."""
    if known is None or newest.created_at is None or newest.ended_at is not None:
        return None
    seconds = (now - newest.created_at).total_seconds()
    return Late(LateKind.SLOW, seconds, known) if seconds > longest_usual(known) else None


def waiting_since(jobs: Sequence[Job]) -> dict[int, datetime]:
    """Return since when each pending job waits for nothing but a runner, by its id."""
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
    limit = LONGEST_WAIT if known is None else max(longest_usual(known), SHORTEST_WAIT)
    if seconds <= limit:
        return None
    return Late(LateKind.WAITING, seconds, known, what=job.name, job=job.id, tags=job.tag_list)


def stuck_silent(job: Job, seconds: float) -> Late | None:
    if seconds <= LONGEST_SILENCE:
        return None
    return Late(LateKind.SILENT, seconds, what=job.name, job=job.id)


def did_not_fire(schedule: Schedule, asked_at: datetime, now: datetime) -> Late | None:
    # Of the last run mostly only the schedule's own record tells, and that is a request each:
    # what the platform itself announced is enough.
    last = schedule.last_pipeline
    due = missed_at(schedule, asked_at, last, knows_last=last is not None)
    if due is None:
        return None
    seconds = max(0.0, (now - due).total_seconds())
    what = schedule.description
    return Late(LateKind.MISSED, seconds, what=what, due_at=due, schedule=schedule.id)


_UNBEGUN: Final = frozenset({"created", "waiting_for_resource", "preparing", "pending"})
_AHEAD: Final = 60.0
"""Seconds before anything can be stuck: what was looked at before it was is news when it is."""


def worth_a_look(newest: PipelineRun, known: TypicalDuration | None) -> datetime | None:
    """Return from when on something in a pipeline may be stuck; None where nothing ever is."""
    if newest.created_at is None:
        return None
    if newest.status in _UNBEGUN:
        return newest.created_at + timedelta(seconds=SHORTEST_WAIT - _AHEAD)
    if newest.status != "running":
        return None
    seconds = LONGEST_SILENCE if known is None else longest_usual(known)
    return newest.created_at + timedelta(seconds=seconds)


def usual_queues(jobs: Iterable[Job]) -> dict[str, TypicalDuration]:
    """Return how long jobs wait for a runner, by name; the newest first."""
    lengths: dict[str, list[float]] = {}
    for job in jobs:
        if job.started_at is not None and job.queued_duration is not None:
            lengths.setdefault(job.name, []).append(job.queued_duration)
    found = {name: usual(waited) for name, waited in lengths.items()}
    return {name: known for name, known in found.items() if known is not None}


def longest_waiting(
    jobs: Sequence[Job], asked_at: datetime, now: datetime, queues: Mapping[str, TypicalDuration]
) -> Late | None:
    """Return the job that waits longest of those that wait too long at `asked_at`, if any."""
    unasked = waiting_since(jobs)
    found = (
        stuck_waiting(job, (now - since).total_seconds(), queues.get(job.name))
        for job in jobs
        if job.status == "pending"
        and (since := _queued_at(job, asked_at) or unasked.get(job.id)) is not None
    )
    return max(filter(None, found), key=lambda late: late.seconds, default=None)


def _queued_at(job: Job, asked_at: datetime) -> datetime | None:
    """Return since when a job waits, where the platform tells."""
    if job.queued_duration is None:
        return None
    return asked_at - timedelta(seconds=max(0.0, job.queued_duration))


def missed_items(
    project: ProjectRef, schedules: Iterable[Schedule], main: str, asked_at: datetime, now: datetime
) -> list[BoardItem]:
    """Return the rows of missed runs; `main` is empty where it is unknown."""
    found = []
    for schedule in schedules:
        late = did_not_fire(schedule, asked_at, now)
        if late is not None:
            ref = schedule.ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
            is_main = bool(main) and ref == main
            found.append(BoardItem(BoardState.LATE, Lane(project, ref), late=late, is_main=is_main))
    return found
