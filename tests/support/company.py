"""The simulated company at hand: one for all tests that only look, and moments to look at."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Final

from platui_emulator.world import Company
from platui_emulator.world.storm import Storm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.records import Job, Pipeline, Project

NOW: Final = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


@lru_cache(maxsize=1)
def company() -> Company:
    """Return a company that nobody writes to."""
    return Company(7)


def stormy_company(began: datetime) -> Company:
    """Return a company in whose worst night it is that moment."""
    found = Company(7, setup=Storm())
    found.showcase(began)
    return found


def planted_cause(own: Company, project_id: int, job_id: int, now: datetime) -> str | None:
    """Return the key of the cause that a failed job's log was written for."""
    _, attempt = own.pipelines.find_attempt(project_id, job_id, now)
    if attempt is None or attempt.status_at(now.timestamp()) != "failed":
        return None
    return attempt.cause.key if attempt.cause else None


def moments(count: int, seed: int = 1) -> list[datetime]:
    """Return moments spread over two years."""
    dice = Random(seed)
    return [NOW + timedelta(seconds=dice.randrange(730 * 86_400)) for _ in range(count)]


def newest(project: Project, now: datetime, limit: int = 20) -> list[Pipeline]:
    """Return the newest pipelines of a project."""
    return list(company().pipelines.page(project.id, now, offset=0, limit=limit)[0])


def newest_first(project: Project, now: datetime, limit: int) -> Iterator[Pipeline]:
    """Yield the newest pipelines of a project, made a few at a time: often the first will do."""
    for offset in range(0, limit, 5):
        yield from company().pipelines.page(
            project.id, now, offset=offset, limit=min(5, limit - offset)
        )[0]


def jobs(pipeline: Pipeline, now: datetime) -> list[Job]:
    """Return all jobs of a pipeline, retried ones too."""
    return list(company().pipelines.jobs(pipeline.project_id, pipeline.id, now, with_retried=True))


@lru_cache(maxsize=4)
def every_job(now: datetime, per_project: int) -> tuple[tuple[Pipeline, Job], ...]:
    """Return the jobs of the newest pipelines of all projects."""
    return tuple(
        (pipeline, job)
        for project in company().projects()
        for pipeline in newest(project, now, per_project)
        for job in jobs(pipeline, now)
    )


def long_running_job(seconds: float = 120) -> tuple[Project, Job]:
    """Return a job that runs at NOW and for so long after it."""
    for project, job in _running_jobs():
        if _status(job, seconds) == "running":
            return project, job
    raise LookupError(f"no job runs for {seconds} s")


def ending_job(seconds: float = 60, least: float = 5) -> tuple[Project, Job, str]:
    """Return a job that runs at NOW and ends within that time, and how it ends.

    Args:
        seconds: after which it has ended.
        least: seconds for which it runs on.
    """
    for project, job in _running_jobs():
        status = _status(job, seconds)
        if status in {"success", "failed"} and _status(job, least) == "running":
            return project, job, status
    raise LookupError(f"no job ends within {seconds} s")


def failing_job(seconds: float) -> tuple[Job, Job]:
    """Return a job that runs at NOW and has failed then, and the first of its pipeline."""
    for project, job in _running_jobs():
        if _status(job, seconds) == "failed":
            listed = company().pipelines.jobs(project.id, job.pipeline_id, NOW, with_retried=False)
            return job, min(listed, key=lambda one: one.id)
    raise LookupError(f"no job fails within {seconds} s")


def _running_jobs() -> Iterator[tuple[Project, Job]]:
    for project in company().projects():
        for pipeline in newest(project, NOW, 5):
            if pipeline.status == "running":
                for job in company().pipelines.jobs(
                    project.id, pipeline.id, NOW, with_retried=False
                ):
                    if job.status == "running":
                        yield project, job


def _status(job: Job, later: float) -> str:
    then = company().pipelines.job(job.project_id, job.id, NOW + timedelta(seconds=later))
    return then.status if then is not None else ""
