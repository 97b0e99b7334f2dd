"""Calculations on jobs: run time, critical path, failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from platui.analysis.attempts import current_attempts, stage_order
from platui.models.values.statuses import ACTIVE
from platui.present.counts import counted
from platui.present.status import FAILED, glyph_of, role_of, severity

if TYPE_CHECKING:
    from platui.models.wire import Job
    from platui.models.wire.jobs import Step


def run_seconds(job: Step, now: datetime) -> float | None:
    if job.status in ACTIVE and job.started_at is not None:
        return max(0.0, (now - job.started_at).total_seconds())
    return job.duration


def critical_path(jobs: Sequence[Job], now: datetime) -> frozenset[int]:
    """Return the ids of the jobs on the critical path: the last to end in each stage."""
    last: dict[str, Job] = {}
    for job in jobs:
        if job.started_at is None or job.status == "skipped":
            continue
        if job.stage not in last or run_end(job, now) > run_end(last[job.stage], now):
            last[job.stage] = job
    return frozenset(job.id for job in last.values())


def run_end(job: Step, now: datetime) -> float:
    """Return when a job ended, or now, in Unix seconds."""
    return (job.finished_at or now).timestamp()


def current_ids(jobs: Sequence[Job]) -> frozenset[int]:
    return frozenset(job.id for job in current_attempts(jobs).values())


def _rank(jobs: Sequence[Job]) -> Callable[[Job], tuple[bool, int, int]]:
    order = stage_order(jobs)
    return lambda job: (job.allow_failure, order[job.stage], job.id)


def failed_jobs(jobs: Sequence[Job]) -> list[Job]:
    failed = [job for job in current_attempts(jobs).values() if job.status == FAILED]
    return sorted(failed, key=_rank(jobs))


def first_failed(jobs: Sequence[Job]) -> Job | None:
    """Return the first failed job in stage order, preferring those not allowed to fail."""
    return next(iter(failed_jobs(jobs)), None)


def relevant_job(jobs: Sequence[Job]) -> Job | None:
    """Return the first failed job, else a running one, else the first that has started."""
    started = [job for job in jobs if job.started_at is not None]
    running = [job for job in started if job.status == "running"]
    return next(iter((*failed_jobs(started), *running, *started)), None)


def failed_beside(jobs: Sequence[Job], job: int, step: int) -> Job | None:
    """Return the next failed job (step 1) or the previous one (step -1), if any."""
    failed, rank = failed_jobs(jobs), _rank(jobs)
    here = next((rank(one) for one in jobs if one.id == job), None)
    if here is not None:
        failed = [one for one in failed if (rank(one) > here if step > 0 else rank(one) < here)]
    return failed[0 if step > 0 else -1] if failed else None


def jobs_summary(jobs: Sequence[Job]) -> tuple[tuple[str, str], ...]:
    current = list(current_attempts(jobs).values())
    counts = Counter(job.status for job in current)
    pieces = [(counted(len(current), "job"), "text")]
    pieces += [
        (f"{glyph_of(status)}{counts[status]}", role_of(status))
        for status in sorted(counts, key=severity)
    ]
    return tuple(pieces)
