"""Which jobs of a pipeline that goes on are stuck, and from when on it is worth asking for them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.lateness import (
    LONGEST_SILENCE,
    SHORTEST_WAIT,
    longest_usual,
    stuck_waiting,
    usual,
    waiting_since,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from platui.models import Job
    from platui.models.values.triage import Ran
    from platui.models.values.triage_lateness import Late, Usual

_UNBEGUN: Final = frozenset({"created", "waiting_for_resource", "preparing", "pending"})
_AHEAD: Final = 60.0
"""Seconds before anything can be stuck: what was looked at before it was is news when it is."""


def worth_a_look(newest: Ran, known: Usual | None) -> datetime | None:
    """Return from when on something in a pipeline may be stuck; None where nothing ever is.

    Args:
        newest: the newest pipeline of a lane.
        known: how long pipelines of the lane take.
    """
    if newest.created_at is None:
        return None
    if newest.status in _UNBEGUN:
        return newest.created_at + timedelta(seconds=SHORTEST_WAIT - _AHEAD)
    if newest.status != "running":
        return None
    seconds = LONGEST_SILENCE if known is None else longest_usual(known)
    return newest.created_at + timedelta(seconds=seconds)


def usual_queues(jobs: Iterable[Job]) -> dict[str, Usual]:
    """Return how long jobs wait for a runner, by their names, as far as enough is known.

    Args:
        jobs: of several pipelines, those of the newest first.
    """
    lengths: dict[str, list[float]] = {}
    for job in jobs:
        if job.started_at is not None and job.queued_duration is not None:
            lengths.setdefault(job.name, []).append(job.queued_duration)
    found = {name: usual(waited) for name, waited in lengths.items()}
    return {name: known for name, known in found.items() if known is not None}


def longest_waiting(
    jobs: Sequence[Job], asked_at: datetime, now: datetime, queues: Mapping[str, Usual]
) -> Late | None:
    """Return the job that waits longest of those that wait too long; None where none does.

    Args:
        jobs: of one pipeline, as the platform lists them.
        asked_at: when it said so.
        now: the time.
        queues: how long jobs usually wait, by their names.
    """
    unasked = waiting_since(jobs)
    found = (
        stuck_waiting(job, (now - since).total_seconds(), queues.get(job.name))
        for job in jobs
        if job.status == "pending"
        and (since := _queued_at(job, asked_at) or unasked.get(job.id)) is not None
    )
    return max(filter(None, found), key=lambda late: late.seconds, default=None)


def _queued_at(job: Job, asked_at: datetime) -> datetime | None:
    """Return since when a job waits, where the platform tells.

    It knows better than what came before: what was started by hand was created long ago.
    """
    if job.queued_duration is None:
        return None
    return asked_at - timedelta(seconds=max(0.0, job.queued_duration))
