"""Write operations on pipelines and jobs, GitLab's besides spec 4.3, for Developers and above."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from platui_emulator.http.access import DEVELOPER, MAINTAINER, OWNER
from platui_emulator.http.answers import json_answer
from platui_emulator.http.credentials import Credential, Kind
from platui_emulator.http.failures import bad_parameters, bad_request, forbidden, invalid, not_found
from platui_emulator.http.jobs import find_job, job_body, pipeline_of
from platui_emulator.http.pipelines import find_pipeline, show_pipeline
from platui_emulator.http.render.jobs import bridge, pipeline_detail, variable
from platui_emulator.records import Bridge, Job, Person, Project, Variable, WorldError

if TYPE_CHECKING:
    from platui_emulator.http.call import Call
    from platui_emulator.http.failures import ApiFailure
    from platui_emulator.http.routing import Table


_VARIABLE_TYPES: Final = ("env_var", "file")


def start_pipeline(call: Call) -> Response:
    """Start a pipeline with an access token: `ref` in query or body, variables in the body."""
    project = call.writable_project()
    [ref] = call.params.required("ref")
    variables = listed_variables(call.params.raw("variables"))
    return _start(call, project, ref, variables, call.credential.user, "api")


def trigger_pipeline(call: Call) -> Response:
    """Start a pipeline with a trigger token (spec 5.2) or, as in GitLab, with a job's."""
    token, ref = call.params.required("token", "ref")
    project = call.find_project(call.path["project"])
    if project is None:
        raise not_found()
    if call.platform.credentials.triggered_project(token) == project.id:
        user, source = call.platform.access.project_keeper(project), "trigger"
    else:
        user, source = _job_user(call, token, project), "pipeline"
    if call.tally is None:
        call.charge(user)
    variables = _mapped_variables(call.params.raw("variables"))
    return _start(call, project, ref, variables, user, source)


def _job_user(call: Call, token: str, project: Project) -> Person:
    credentials, access = call.platform.credentials, call.platform.access
    job = credentials.job_of(token, call.now)
    if job is None:
        raise not_found()
    caller = Credential(Kind.JOB, job.project_id, job.user, job.id)
    if not access.sees(caller, project):
        raise not_found()
    if job.status != "running":
        raise bad_request("400 Job has to be running")
    if job.user.state != "active" or access.level(caller, project) < DEVELOPER:
        raise invalid(base=["Insufficient permissions to create a new pipeline"])
    return job.user


def _start(
    call: Call,
    project: Project,
    ref: str,
    variables: list[Variable],
    user: Person,
    source: str,
) -> Response:
    try:
        started = call.world.actions.start_pipeline(
            project.id, ref=ref, variables=variables, user=user, source=source, now=call.now
        )
    except WorldError as refusal:
        raise invalid(base=[str(refusal)]) from refusal
    return json_answer(pipeline_detail(started, project, call.links), 201)


def listed_variables(value: Any, name: str = "variables") -> list[Variable]:
    """Read `[{key, value | secret_value, variable_type}]`."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise bad_parameters(f"{name} is invalid")
    return [_variable(f"{name}[{index}]", item) for index, item in enumerate(value)]


def _variable(place: str, item: dict[str, Any]) -> Variable:
    key = item.get("key")
    value = item.get("value", item.get("secret_value"))
    kind = item.get("variable_type", "env_var")
    if not isinstance(key, str) or not key:
        raise bad_parameters(f"{place}[key] is missing")
    if not isinstance(value, str):
        raise bad_parameters(f"{place}[value] is {'missing' if value is None else 'invalid'}")
    if kind not in _VARIABLE_TYPES:
        raise bad_parameters(f"{place}[variable_type] does not have a valid value")
    return Variable(key, value, kind, secret="value" not in item)


def _mapped_variables(value: Any) -> list[Variable]:
    """Read `{KEY: text}`, the variables of a trigger."""
    if value is None:
        return []
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise bad_request("variables needs to be a map of key-valued strings")
    return [Variable(key, text) for key, text in value.items()]


_LONGEST_NAME: Final = 255


def retry_pipeline(call: Call) -> Response:
    """Try again what failed or was canceled in a pipeline."""
    call.writable_project()
    project, pipeline = find_pipeline(call)
    with _refused_with(forbidden):
        record = call.world.actions.retry_pipeline(
            project.id, pipeline.id, user=call.credential.user, now=call.now
        )
    return json_answer(pipeline_detail(record, project, call.links), 201)


def cancel_pipeline(call: Call) -> Response:
    """Cancel a pipeline; a finished one stays unchanged."""
    call.writable_project()
    project, pipeline = find_pipeline(call)
    record = call.world.actions.cancel_pipeline(
        project.id, pipeline.id, user=call.credential.user, now=call.now
    )
    return json_answer(pipeline_detail(record, project, call.links))


def delete_pipeline(call: Call) -> Response:
    """Delete a pipeline with its jobs, which only an Owner may."""
    _require(call, call.writable_project(), OWNER)
    project, pipeline = find_pipeline(call)
    call.world.actions.delete_pipeline(project.id, pipeline.id, call.now)
    return Response(status_code=204)


def rename_pipeline(call: Call) -> Response:
    call.writable_project()
    project, pipeline = find_pipeline(call)
    [name] = call.params.required("name")
    if not name.strip():
        raise invalid(name=["can't be blank"])
    if len(name) > _LONGEST_NAME:
        raise invalid(name=[f"is too long (maximum is {_LONGEST_NAME} characters)"])
    record = call.world.actions.rename_pipeline(project.id, pipeline.id, name, call.now)
    return json_answer(pipeline_detail(record, project, call.links))


def list_variables(call: Call) -> Response:
    """List a pipeline's variables; unlike in GitLab, the value of a `secret_value` is null."""
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
        record = call.world.actions.retry_job(
            project.id, job_id, user=call.credential.user, now=call.now
        )
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
    record = call.world.actions.cancel_job(
        project.id, job.id, user=call.credential.user, now=call.now, force=force
    )
    return json_answer(job_body(call, project, record), 201)


def play_job(call: Call) -> Response:
    """Start a manual job, optionally with variables."""
    call.writable_project()
    project, job_id = _job_or_bridge(call)
    name = "job_variables_attributes"
    variables = listed_variables(call.params.raw(name), name)
    with _refused_with(lambda reason: bad_request(f"400 Bad request - {reason}")):
        record = call.world.actions.play_job(
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
        record = call.world.actions.erase_job(
            project.id, job.id, user=call.credential.user, now=call.now
        )
    return json_answer(job_body(call, project, record), 201)


def _job_or_bridge(call: Call) -> tuple[Project, int]:
    project, job_id = call.project(), call.path_id("job")
    known, now = call.world.pipelines, call.now
    if not (known.job(project.id, job_id, now) or known.bridge(project.id, job_id, now)):
        raise not_found()
    return project, job_id


def _is_own(call: Call, job: Job) -> bool:
    return job.user.id == call.credential.user.id


def _require(call: Call, project: Project, level: int) -> None:
    if call.platform.access.level(call.credential, project) < level:
        raise forbidden()


@contextmanager
def _refused_with(failure: Callable[[str], ApiFailure]) -> Iterator[None]:
    try:
        yield
    except WorldError as refusal:
        raise failure(str(refusal)) from refusal


_PIPELINE: Final = "projects/{project}/pipelines/{pipeline}"
_JOB: Final = "projects/{project}/jobs/{job}"


ROUTES: Table = {
    "projects/{project}/pipeline": {"POST": start_pipeline},
    "projects/{project}/trigger/pipeline": {"POST": trigger_pipeline},
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
