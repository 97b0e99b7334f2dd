"""Jobs: lists, details, log and artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api.endpoint import Endpoint, ListEndpoint, StreamEndpoint, record
from platui.api.endpoints import paths
from platui.models.wire.jobs import Job

if TYPE_CHECKING:
    from platui.models.values.queries import JobsQuery, ProjectRef


def jobs(query: JobsQuery) -> ListEndpoint[Job]:
    """List the jobs of one pipeline, or of a whole project, newest first (spec §4.3)."""
    if query.pipeline is None:
        scope = query.scope
        keep = (lambda job: job.status in scope) if scope else None
        filters = tuple(("scope[]", one) for one in scope)
        return ListEndpoint(f"{paths.project(query.project)}/jobs", Job, filters, keep)
    retried = ("include_retried", "true" if query.with_retried else "")
    return ListEndpoint(f"{paths.pipeline(query.project, query.pipeline)}/jobs", Job, (retried,))


def job(ref: ProjectRef, job_id: int) -> Endpoint[Job]:
    """Get one job (spec §4.3)."""
    return record(paths.job(ref, job_id), Job)


def log(ref: ProjectRef, job_id: int) -> StreamEndpoint:
    """Get a job's log as plain text (spec §4.3)."""
    return StreamEndpoint(f"{paths.job(ref, job_id)}/trace")


def artifacts(ref: ProjectRef, job_id: int) -> StreamEndpoint:
    return StreamEndpoint(f"{paths.job(ref, job_id)}/artifacts", optional=True)
