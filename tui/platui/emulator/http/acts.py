"""What callers do to pipelines and jobs: retry, cancel, play, erase, delete, rename.

GitLab's operations, neighbours of spec 4.3. All of them take a token that may write and at least
a Developer; the tokens of jobs open none.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from platui.emulator.http.access import MAINTAINER, OWNER
from platui.emulator.http.answers import json_answer
from platui.emulator.http.failures import bad_request, forbidden, invalid, not_found
from platui.emulator.http.jobs import find_job, job_body, pipeline_of
from platui.emulator.http.pipelines import find_pipeline, show_pipeline
from platui.emulator.http.render.jobs import bridge
from platui.emulator.http.render.pipelines import pipeline_detail, variable
from platui.emulator.http.starting import listed_variables
from platui.emulator.records import Bridge
from platui.emulator.world_acts import WorldError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from platui.emulator.http.call import Call
    from platui.emulator.http.failures import ApiFailure
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Job, Project

_LONGEST_NAME: Final = 255


def retry_pipeline(call: Call) -> Response:
    """Try again what failed or was canceled in a pipeline."""
    call.writable_project()
    project, pipeline = find_pipeline(call)
    with _refused_with(forbidden):
        record = call.world.retry_pipeline(
            project.id, pipeline.id, user=call.credential.user, now=call.now
        )
    return json_answer(pipeline_detail(record, project, call.links), 201)


def cancel_pipeline(call: Call) -> Response:
    """Cancel a pipeline; one that has ended stays as it is."""
    call.writable_project()
    project, pipeline = find_pipeline(call)
    record = call.world.cancel_pipeline(
        project.id, pipeline.id, user=call.credential.user, now=call.now
    )
    return json_answer(pipeline_detail(record, project, call.links))


def delete_pipeline(call: Call) -> Response:
    """Delete a pipeline with its jobs, which only an Owner may."""
    _require(call, call.writable_project(), OWNER)
    project, pipeline = find_pipeline(call)
    call.world.delete_pipeline(project.id, pipeline.id, call.now)
    return Response(status_code=204)


def rename_pipeline(call: Call) -> Response:
    """Give a pipeline another name."""
    call.writable_project()
    project, pipeline = find_pipeline(call)
    [name] = call.params.required("name")
    if not name.strip():
        raise invalid(name=["can't be blank"])
    if len(name) > _LONGEST_NAME:
        raise invalid(name=[f"is too long (maximum is {_LONGEST_NAME} characters)"])
    record = call.world.rename_pipeline(project.id, pipeline.id, name, call.now)
    return json_answer(pipeline_detail(record, project, call.links))


def list_variables(call: Call) -> Response:
    """List a pipeline's variables, all at once: for who started it, and for Maintainers.

    GitLab keeps what was sent as `secret_value` like any value and shows it here. This platform
    does not: the variable is listed, its value is null.
    """
    project, pipeline = find_pipeline(call)
    level = call.platform.access.level(call.credential, project)
    if level < MAINTAINER and pipeline.user.id != call.credential.user.id:
        raise forbidden()
    return json_answer([variable(one) for one in pipeline.variables])


def retry_job(call: Call) -> Response:
    """Try a job again as a new one; a bridge may be named, too."""
    call.writable_project()
    project, job_id = _job_or_bridge(call)
    with _refused_with(forbidden):
        record = call.world.retry_job(project.id, job_id, user=call.credential.user, now=call.now)
    if isinstance(record, Bridge):
        pipeline = pipeline_of(call, project, record.job.pipeline_id)
        return json_answer(bridge(record, pipeline, project, call.links), 201)
    return json_answer(job_body(call, project, record), 201)


def cancel_job(call: Call) -> Response:
    """Cancel a job; to force it, without waiting for the runner, takes a Maintainer."""
    call.writable_project()
    project, job = find_job(call)
    force = call.params.flag("force", default=False)
    if force:
        _require(call, project, MAINTAINER)
    record = call.world.cancel_job(
        project.id, job.id, user=call.credential.user, now=call.now, force=force
    )
    return json_answer(job_body(call, project, record), 201)


def play_job(call: Call) -> Response:
    """Let a manual job run, with variables of its own if there are any."""
    call.writable_project()
    project, job_id = _job_or_bridge(call)
    name = "job_variables_attributes"
    variables = listed_variables(call.params.raw(name), name)
    with _refused_with(lambda reason: bad_request(f"400 Bad request - {reason}")):
        record = call.world.play_job(
            project.id, job_id, variables=variables, user=call.credential.user, now=call.now
        )
    return json_answer(job_body(call, project, record))


def erase_job(call: Call) -> Response:
    """Throw log and artifacts away: a Maintainer anybody's, a Developer those of own jobs."""
    call.writable_project()
    project, job = find_job(call)
    if not _is_own(call, job):
        _require(call, project, MAINTAINER)
    with _refused_with(forbidden):
        record = call.world.erase_job(project.id, job.id, user=call.credential.user, now=call.now)
    return json_answer(job_body(call, project, record), 201)


def _job_or_bridge(call: Call) -> tuple[Project, int]:
    project, job_id = call.project(), call.path_id("job")
    world = call.world
    if not (world.job(project.id, job_id, call.now) or world.bridge(project.id, job_id, call.now)):
        raise not_found()
    return project, job_id


def _is_own(call: Call, job: Job) -> bool:
    return job.user.id == call.credential.user.id


def _require(call: Call, project: Project, level: int) -> None:
    if call.platform.access.level(call.credential, project) < level:
        raise forbidden()


@contextmanager
def _refused_with(failure: Callable[[str], ApiFailure]) -> Iterator[None]:
    """Turn the company's refusal into the platform's."""
    try:
        yield
    except WorldError as refusal:
        raise failure(str(refusal)) from refusal


_PIPELINE: Final = "projects/{project}/pipelines/{pipeline}"
_JOB: Final = "projects/{project}/jobs/{job}"

ROUTES: Table = {
    _PIPELINE: {"GET": show_pipeline, "DELETE": delete_pipeline},
    f"{_PIPELINE}/retry": {"POST": retry_pipeline},
    f"{_PIPELINE}/cancel": {"POST": cancel_pipeline},
    f"{_PIPELINE}/metadata": {"PUT": rename_pipeline},
    f"{_PIPELINE}/variables": {"GET": list_variables},
    f"{_JOB}/retry": {"POST": retry_job},
    f"{_JOB}/cancel": {"POST": cancel_job},
    f"{_JOB}/play": {"POST": play_job},
    f"{_JOB}/erase": {"POST": erase_job},
}
