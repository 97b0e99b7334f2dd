"""Starting pipelines, with an access token or with a trigger token (spec 4.3, 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.emulator.http.access import DEVELOPER
from platui.emulator.http.answers import json_answer
from platui.emulator.http.credentials import Credential, Kind
from platui.emulator.http.failures import bad_parameters, bad_request, invalid, not_found
from platui.emulator.http.render.pipelines import pipeline_detail
from platui.emulator.records import Variable
from platui.emulator.world_acts import WorldError

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Person, Project

_VARIABLE_TYPES: Final = ("env_var", "file")


def start_pipeline(call: Call) -> Response:
    """Start a pipeline with an access token: `ref` in query or body, variables in the body."""
    project = call.writable_project()
    [ref] = call.params.required("ref")
    variables = listed_variables(call.params.raw("variables"))
    return _start(call, project, ref, variables, call.credential.user, "api")


def trigger_pipeline(call: Call) -> Response:
    """Start a pipeline with the field `token`, which is all the credential there is (spec 5.2).

    It holds the project's trigger token. GitLab also takes the token of a running job there; the
    spec does not say how a job sends its token, so this one does as GitLab.
    """
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
    """Return as whom a job triggers, if its token lets it into the project and it still runs."""
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
        started = call.world.start_pipeline(
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
    """Read `{KEY: text}`, which is how a trigger says its variables."""
    if value is None:
        return []
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise bad_request("variables needs to be a map of key-valued strings")
    return [Variable(key, text) for key, text in value.items()]


ROUTES: Table = {
    "projects/{project}/pipeline": {"POST": start_pipeline},
    "projects/{project}/trigger/pipeline": {"POST": trigger_pipeline},
}
