"""What is behind its time: runs longer than usual, waits, says nothing, or did not begin."""

from __future__ import annotations

from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import stage_order
from platui.analysis.schedules.firing import missed_at
from platui.analysis.triage.statuses import GREEN
from platui.models.values.triage_lateness import Late, LateKind, Usual

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from platui.analysis.schedules.firing import Facts
    from platui.models import Job, Pipeline
    from platui.models.values.triage import Ran

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


def usual(lengths: Iterable[float]) -> Usual | None:
    """Return what is usual of these lengths in seconds, the newest first; None of too few."""
    newest = [length for length, _ in zip(lengths, range(MOST), strict=False)]
    if len(newest) < FEWEST:
        return None
    ordered = sorted(newest)
    return Usual(median(ordered), ordered[ceil(len(ordered) * _SHARE) - 1], len(ordered))


def usual_of_pipelines(pipelines: Iterable[Pipeline]) -> Usual | None:
    """Return how long pipelines of a lane take, the newest first; what failed ended early.

    From creation to the end, as lists tell no more: waiting is a part of it.
    """
    return usual(
        (end - one.created_at).total_seconds()
        for one in pipelines
        if one.status == GREEN
        and one.created_at is not None
        and (end := one.finished_at or one.updated_at) is not None
    )


def longest_usual(known: Usual) -> float:
    """Return the seconds after which something takes longer than it usually does."""
    return max(known.p95 + _LEAST_DELAY, known.median * _OVER_MEDIAN)


def slow_pipeline(newest: Ran, known: Usual | None, now: datetime) -> Late | None:
    """Return by how much a pipeline that goes on is late; None where it is not, or not known."""
    if known is None or newest.created_at is None or newest.ended_at is not None:
        return None
    seconds = (now - newest.created_at).total_seconds()
    return Late(LateKind.SLOW, seconds, known) if seconds > longest_usual(known) else None


def waiting_since(jobs: Sequence[Job]) -> dict[int, datetime]:
    """Return since when each pending job waits for nothing but a runner, by its id.

    It was created with its pipeline; what came before it may have ended much later.
    """
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


def stuck_waiting(job: Job, seconds: float, known: Usual | None = None) -> Late | None:
    """Return that a job waits for longer than it usually does; None where it does not.

    Args:
        job: which one; it is pending.
        seconds: for how long it has been.
        known: how long it usually waits.
    """
    limit = LONGEST_WAIT if known is None else max(longest_usual(known), SHORTEST_WAIT)
    if seconds <= limit:
        return None
    return Late(LateKind.WAITING, seconds, known, what=job.name, job=job.id, tags=job.tag_list)


def stuck_silent(job: Job, seconds: float, known: Usual | None = None) -> Late | None:
    """Return that the log of a running job has rested for long; None where it has not.

    Args:
        job: which one; it runs.
        seconds: since its log grew.
        known: how long its log usually rests at the most, where that is known.
    """
    limit = LONGEST_SILENCE if known is None else max(longest_usual(known), SHORTEST_WAIT)
    if seconds <= limit:
        return None
    return Late(LateKind.SILENT, seconds, known, what=job.name, job=job.id)


def did_not_fire(
    facts: Facts, description: str, now: datetime, schedule: int | None = None
) -> Late | None:
    """Return that a run of a schedule is missing; None where it is not."""
    due = missed_at(facts)
    if due is None:
        return None
    seconds = max(0.0, (now - due).total_seconds())
    return Late(LateKind.MISSED, seconds, what=description, due_at=due, schedule=schedule)
