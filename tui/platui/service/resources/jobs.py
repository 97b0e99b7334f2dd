"""Jobs of a pipeline or of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.statuses import ACTIVE, FINAL, UNSTARTED
from platui.service.resources.pipelines import (
    all_ended,
    any_active,
    is_active,
    last_change,
)
from platui.service.resources.resource import Poll, Resource, endpoints

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import JobsQuery, ProjectRef
    from platui.models.wire import Job


def jobs(query: JobsQuery) -> Resource[Listing[Job]]:
    pipeline = query.pipeline
    if pipeline is None:
        return Resource(
            lambda: endpoints.jobs.jobs(query), poll=Poll.NEWEST_FIRST, is_active=any_active
        )
    return Resource(
        lambda: endpoints.jobs.jobs(query),
        poll=Poll.WHILE_ACTIVE,
        is_active=any_active,
        is_final=all_ended,
        depends_on=lambda items: (pipeline, last_change(items)),
        whole=True,
    )


def job(project: ProjectRef, job_id: int, *, poll: Poll = Poll.WHILE_ACTIVE) -> Resource[Job]:
    return Resource(
        lambda: endpoints.jobs.job(project, job_id),
        poll=poll,
        is_active=is_active,
        is_final=is_final,
    )


def own_job() -> Resource[Job]:
    """Return the job of the job token; it runs as long as it can send requests."""
    return Resource(
        lambda: endpoints.session.own_job(),  # noqa: PLW0108  (not imported before it is called)
        is_active=lambda _: True,
    )


def is_final(job: Job) -> bool:
    return job.status in FINAL


def has_log(job: Job) -> bool:
    """Return whether a job has or will have a log; a skipped one has none."""
    return job.status not in UNSTARTED and (job.status in ACTIVE or job.started_at is not None)
