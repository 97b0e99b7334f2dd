"""Attempts and stages of jobs, and conclusive statuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.wire import Job
    from platui.models.wire.jobs import Step


def stage_order(jobs: Iterable[Step]) -> dict[str, int]:
    """Return the stages in order: jobs are created stage by stage, with ascending ids."""
    first: dict[str, int] = {}
    for job in jobs:
        first[job.stage] = min(job.id, first.get(job.stage, job.id))
    return {stage: place for place, stage in enumerate(sorted(first, key=first.__getitem__))}


def current_attempts(jobs: Iterable[Job]) -> dict[str, Job]:
    newest: dict[str, Job] = {}
    for job in jobs:
        if job.name not in newest or job.id > newest[job.name].id:
            newest[job.name] = job
    return newest


def by_stage(jobs: Sequence[Job], *, with_retried: bool = False) -> list[Job]:
    """Return the jobs of a pipeline by stage; `jobs` has all attempts, whose order counts."""
    order = stage_order(jobs)
    shown = jobs if with_retried else current_attempts(jobs).values()
    return sorted(shown, key=lambda one: (order[one.stage], one.id))


GREEN: Final = "success"
RED: Final = "failed"
# Other statuses say nothing about whether a pipeline works.
DECISIVE: Final = frozenset({GREEN, RED})
