"""Every writing operation of the project API (spec §4.3), as values, in both payload forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api import routes
from platui.api.decoding import RecordDecoder, ResultDecoder
from platui.api.operations import Pairs, Write
from platui.core.secrets import Secret
from platui.models.values.writes import (
    PIPELINE_FILE_VARIABLE,
    Encoding,
    NewPipeline,
    NewProject,
    NewSchedule,
    RunVariable,
)
from platui.models.wire import Pipeline, Project, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterator


def start_pipeline(new: NewPipeline) -> Write[Pipeline]:
    """Start a pipeline: `ref` goes in the query, variables in a JSON body."""
    return Write(
        name="start pipeline",
        path=routes.start_pipeline(new.project),
        decode=RecordDecoder(Pipeline),
        query=(("ref", new.ref),),
        payload={"variables": [_json_variable(variable) for variable in _variables(new)]},
    )


def trigger_pipeline(new: NewPipeline, token: Secret) -> Write[Pipeline | None]:
    """Start a pipeline by a trigger token of its project, which stands in for the access token."""
    return Write(
        name="trigger pipeline",
        path=routes.trigger_pipeline(new.project),
        decode=ResultDecoder(Pipeline),
        payload=(
            ("token", token.reveal()),
            ("ref", new.ref),
            *((f"variables[{item.key}]", _revealed(item.value)) for item in _variables(new)),
        ),
        signed=False,
    )


def create_schedule(new: NewSchedule, encoding: Encoding = Encoding.FORM) -> Write[Schedule | None]:
    """Create a pipeline schedule."""
    texts = (("description", new.description), ("ref", new.ref), ("cron", new.cron))
    zone = (("cron_timezone", new.cron_timezone),) if new.cron_timezone else ()
    payload: Pairs | dict[str, object]
    if encoding is Encoding.JSON:
        payload = {**dict(texts + zone), "active": new.active}
    else:
        payload = (*texts, *zone, ("active", "true" if new.active else "false"))
    return Write(
        name="create schedule",
        path=routes.schedules(new.project),
        decode=ResultDecoder(Schedule),
        payload=payload,
    )


def create_project(new: NewProject, encoding: Encoding = Encoding.JSON) -> Write[Project | None]:
    """Create a project in the token owner's own namespace."""
    texts = (("name", new.name), ("description", new.description))
    access = new.project_access
    payload: Pairs | dict[str, object]
    if encoding is Encoding.JSON:
        nested = {"permissions": {"project_access": access}} if access else {}
        payload = {**dict(texts), **nested}
    else:
        payload = (*texts, *((("permissions[project_access]", access),) if access else ()))
    return Write(
        name="create project",
        path=routes.PROJECTS,
        decode=ResultDecoder(Project),
        payload=payload,
    )


def _variables(new: NewPipeline) -> Iterator[RunVariable]:
    if new.pipeline_file:
        yield RunVariable(PIPELINE_FILE_VARIABLE, new.pipeline_file)
    yield from new.variables


def _json_variable(variable: RunVariable) -> dict[str, str]:
    """Return a variable as the spec writes it: `value`, or a type with `secret_value`."""
    if isinstance(variable.value, Secret):
        secret = variable.value.reveal()
        return {"key": variable.key, "variable_type": "env_var", "secret_value": secret}
    return {"key": variable.key, "value": variable.value}


def _revealed(value: str | Secret) -> str:
    return value.reveal() if isinstance(value, Secret) else value
