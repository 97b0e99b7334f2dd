"""Every writing operation of the project API (spec §4.3), as values, in both payload forms.

What the spec does not promise is marked as a neighbour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api import routes
from platui.api.decoding import RecordDecoder, ResultDecoder, acknowledged
from platui.api.operations import Pairs, Write
from platui.core.secrets import Secret
from platui.models.values.writes import (
    PIPELINE_FILE_VARIABLE,
    Act,
    ActOn,
    Encoding,
    NewPipeline,
    NewProject,
    NewSchedule,
    RunVariable,
    ScheduleChange,
)
from platui.models.wire import Job, Pipeline, Project, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.models.wire import Record


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


def change_schedule(change: ScheduleChange) -> Write[Schedule | None]:
    """Change a pipeline schedule (a neighbour)."""
    fields: dict[str, object] = {
        "description": change.description,
        "ref": change.ref,
        "cron": change.cron,
        "cron_timezone": change.cron_timezone,
        "active": change.active,
    }
    return Write(
        name="change schedule",
        path=routes.schedule(change.project, change.schedule),
        decode=ResultDecoder(Schedule),
        method="PUT",
        payload={name: value for name, value in fields.items() if value is not None},
    )


def act_on(what: ActOn) -> Write[Record | None]:
    """Act on a pipeline, job or schedule (a neighbour)."""
    project, number = what.project, what.id
    pipeline, job = routes.pipeline(project, number), routes.job(project, number)
    schedule = routes.schedule(project, number)
    match what.act:
        case Act.CANCEL_PIPELINE:
            return Write(what.act.value, f"{pipeline}/cancel", ResultDecoder(Pipeline))
        case Act.RETRY_PIPELINE:
            return Write(what.act.value, f"{pipeline}/retry", ResultDecoder(Pipeline))
        case Act.CANCEL_JOB:
            return Write(what.act.value, f"{job}/cancel", ResultDecoder(Job))
        case Act.RETRY_JOB:
            return Write(what.act.value, f"{job}/retry", ResultDecoder(Job))
        case Act.PLAY_JOB:
            return Write(what.act.value, f"{job}/play", ResultDecoder(Job))
        case Act.RUN_SCHEDULE:
            return Write(what.act.value, f"{schedule}/play", acknowledged)
        case Act.OWN_SCHEDULE:
            return Write(what.act.value, f"{schedule}/take_ownership", ResultDecoder(Schedule))
        case Act.DELETE_SCHEDULE:
            return Write(what.act.value, schedule, acknowledged, method="DELETE")


def create_project(new: NewProject, encoding: Encoding | None = None) -> Write[Project | None]:
    """Create a project in the token owner's own namespace."""
    encoding = new.encoding if encoding is None else encoding
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
