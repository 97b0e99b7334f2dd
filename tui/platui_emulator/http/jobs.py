"""Jobs and their logs (spec 4.3)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from platui_emulator.http.answers import json_answer, plain_answer
from platui_emulator.http.credentials import Kind
from platui_emulator.http.failures import bad_request, not_found, unauthorized
from platui_emulator.http.filters import STATUSES
from platui_emulator.http.paging import (
    Window,
    by_key,
    cursor_of,
    keyed_page,
    per_page_of,
    read_cursor,
    shallow_window_of,
    uncounted_page,
    whole_list,
)
from platui_emulator.http.pipelines import find_pipeline
from platui_emulator.http.render.jobs import job

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table
    from platui_emulator.records import Job, Pipeline, Project


def list_pipeline_jobs(call: Call) -> Response:
    """List the jobs of a pipeline, newest id first."""
    project, pipeline = find_pipeline(call)
    scope = _scope(call)
    with_retried = call.params.flag("include_retried", default=False)
    found = [
        record
        for record in call.world.pipelines.jobs(
            project.id, pipeline.id, call.now, with_retried=with_retried
        )
        if not scope or record.status in scope
    ]
    return whole_list(call, found, lambda record: job(record, pipeline, project, call.links))


def list_project_jobs(call: Call) -> Response:
    """List the jobs of a project, newest id first, without totals."""
    call.charge_jobs()
    project = call.project()
    keyed, cursor = by_key(call.params), call.params.text("cursor")
    window = Window(1, per_page_of(call.params))
    if not keyed:
        window = shallow_window_of(call.params, "Ci::Build")
    found = call.world.pipelines.project_jobs(
        project.id,
        call.now,
        offset=window.offset,
        limit=window.per_page + 1,
        scope=_scope(call),
        before=read_cursor(cursor) if keyed and cursor else None,
    )
    pipelines = cache(lambda pipeline_id: pipeline_of(call, project, pipeline_id))
    page, more = found[: window.per_page], len(found) > window.per_page
    rows = [job(record, pipelines(record.pipeline_id), project, call.links) for record in page]
    if keyed:
        return keyed_page(call, rows, {"cursor": cursor_of(page[-1].id)} if more else None)
    return uncounted_page(call, window, rows, more=more)


def show_job(call: Call) -> Response:
    project, record = find_job(call)
    return json_answer(job_body(call, project, record))


def show_log(call: Call) -> Response:
    """Send the current log of a job; ranges only for finished jobs."""
    project, record = find_job(call)
    text = call.world.pipelines.trace(project.id, record.id, call.now)
    if text is None:
        raise not_found()
    headers = {"Content-Disposition": f'infile; filename="{record.id}.log"'}
    if record.finished_at is not None:
        headers["Accept-Ranges"] = "bytes"
    return plain_answer(text, headers=headers)


def job_body(call: Call, project: Project, record: Job) -> dict[str, Any]:
    pipeline = pipeline_of(call, project, record.pipeline_id)
    return job(record, pipeline, project, call.links)


def find_job(call: Call) -> tuple[Project, Job]:
    """Return project and job of the path; a bridge is none."""
    project = call.project()
    record = call.world.pipelines.job(project.id, call.path_id("job"), call.now)
    if record is None:
        raise not_found()
    return project, record


def pipeline_of(call: Call, project: Project, pipeline_id: int) -> Pipeline:
    """Return the pipeline of a job that exists."""
    pipeline = call.world.pipelines.get(project.id, pipeline_id, call.now)
    if pipeline is None:
        raise LookupError(f"a job of no pipeline: {pipeline_id}")
    return pipeline


def _scope(call: Call) -> frozenset[str]:
    wanted = frozenset(call.params.texts("scope"))
    if not wanted <= frozenset(STATUSES):
        raise bad_request("Scope contains invalid value(s)")
    return wanted


def show_own_job(call: Call) -> Response:
    """Show the job of a job token; 404 for other credentials."""
    shown = call.credential
    project = call.world.project(shown.owner_id)
    job = call.world.pipelines.job(shown.owner_id, shown.serial, call.now)
    if shown.kind is not Kind.JOB or project is None or job is None:
        raise unauthorized()
    return json_answer(job_body(call, project, job))


ROUTES: Table = {
    "projects/{project}/pipelines/{pipeline}/jobs": {"GET": list_pipeline_jobs},
    "projects/{project}/jobs": {"GET": list_project_jobs},
    "projects/{project}/jobs/{job}": {"GET": show_job},
    "projects/{project}/jobs/{job}/trace": {"GET": show_log},
    "job": {"GET": show_own_job},
}
