"""Pipeline schedules (spec 4.3) and their variables."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.http.access import DEVELOPER, MAINTAINER
from platui_emulator.http.answers import json_answer, no_content
from platui_emulator.http.failures import (
    bad_parameters,
    forbidden,
    invalid,
    not_found,
    precondition_failed,
)
from platui_emulator.http.filters import SEARCHED, PipelineFilter
from platui_emulator.http.paging import counted_page, whole_list, window_of
from platui_emulator.http.render.jobs import pipeline_summary, schedule, schedule_detail, variable
from platui_emulator.records import Input, Project, Schedule, ScheduleChange, Variable, WorldError
from platui_emulator.world.cron import Cron, zone

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table


_MOST_WORDS: Final = 255


def list_schedules(call: Call) -> Response:
    project = call.project()
    found = call.world.schedules.of(project.id, call.now)
    scope = call.params.choice("scope", ("active", "inactive"))
    if scope is not None:
        found = [record for record in found if record.active == (scope == "active")]
    return whole_list(call, found, lambda record: schedule(record, call.links))


def show_schedule(call: Call) -> Response:
    """Show one schedule with its last run, and its variables to those who may see them."""
    project, record = find_schedule(call)
    return json_answer(_detail(call, project, record))


def list_schedule_pipelines(call: Call) -> Response:
    """List what a schedule started; unlike other lists, the oldest first by default."""
    project, record = find_schedule(call)
    wanted = PipelineFilter.of(call.params)
    ascending = (call.params.choice("sort", ("asc", "desc")) or "asc") == "asc"
    if wanted.narrows:
        newest, _ = _started(call, record, 0, SEARCHED)
        found = [one for one in newest if wanted.admits(one)]
        if ascending:
            found.reverse()
        return whole_list(call, found, lambda one: pipeline_summary(one, project, call.links))
    window = window_of(call.params)
    _, total = _started(call, record, 0, 0)
    start, end = window.offset, min(total, window.offset + window.per_page)
    if ascending:
        # The company counts from the newest.
        start, end = max(0, total - end), max(0, total - start)
    page, _ = _started(call, record, start, max(0, end - start))
    rows = [pipeline_summary(one, project, call.links) for one in page]
    return counted_page(call, window, rows[::-1] if ascending else rows, total)


def create_schedule(call: Call) -> Response:
    """Create a schedule: description, ref and cron; zone and activity as defaults say."""
    project = call.writable_project()
    call.params.required("description", "ref", "cron")
    wanted = _change(call, inputs=())
    _check(wanted)
    if wanted.ref is not None and not _may_run_on(call, project, wanted.ref):
        raise forbidden()
    try:
        created = call.world.schedules.create(
            project.id, wanted, owner=call.credential.user, now=call.now
        )
    except WorldError as refusal:
        raise invalid(base=[str(refusal)]) from refusal
    return json_answer(_detail(call, project, created), 201)


def edit_schedule(call: Call) -> Response:
    """Change a schedule, which only its owner may."""
    project, record = owned_schedule(call)
    wanted = _change(call, inputs=record.inputs)
    _check(wanted)
    return json_answer(_detail(call, project, changed(call, record, wanted)))


def delete_schedule(call: Call) -> Response:
    """Delete a schedule, which its owner and maintainers may."""
    _, record = find_schedule(call)
    _require(call, administers(call, record))
    since = call.headers.get("if-unmodified-since")
    if since and record.updated_at > _http_date(since):
        raise precondition_failed()
    call.world.schedules.delete(record.project_id, record.id, now=call.now)
    return no_content()


def take_ownership(call: Call) -> Response:
    """Make the caller the owner of a schedule; to say so twice is no error."""
    project, record = find_schedule(call)
    _require(call, administers(call, record))
    if record.owner is not None and record.owner.id == call.credential.user.id:
        return json_answer(_detail(call, project, record))
    taken = changed(call, record, ScheduleChange(owner=call.credential.user))
    return json_answer(_detail(call, project, taken), 201)


def play_schedule(call: Call) -> Response:
    """Start what a schedule starts; the answer does not say which pipeline that will be."""
    project, record = find_schedule(call)
    call.require_write_scope()
    if not _may_run_on(call, project, record.ref):
        raise forbidden()
    call.world.schedules.play(project.id, record.id, user=call.credential.user, now=call.now)
    return json_answer({"message": "201 Created"}, 201)


def find_schedule(call: Call) -> tuple[Project, Schedule]:
    project = call.project()
    wanted = call.path_id("schedule")
    for record in call.world.schedules.of(project.id, call.now):
        if record.id == wanted:
            return project, record
    raise not_found("Pipeline Schedule")


def owned_schedule(call: Call) -> tuple[Project, Schedule]:
    """Return project and schedule of the path, which the caller may change."""
    project, record = find_schedule(call)
    owner = record.owner is not None and record.owner.id == call.credential.user.id
    _require(call, owner and call.platform.access.level(call.credential, project) >= DEVELOPER)
    return project, record


def administers(call: Call, record: Schedule) -> bool:
    """Return whether the caller may see variables of a schedule, take it over and delete it."""
    level = call.platform.access.level(call.credential, call.project())
    owner = record.owner is not None and record.owner.id == call.credential.user.id
    return level >= MAINTAINER or (owner and level >= DEVELOPER)


def changed(call: Call, record: Schedule, change: ScheduleChange) -> Schedule:
    """Return a schedule after a change of it."""
    try:
        return call.world.schedules.change(record.project_id, record.id, change, now=call.now)
    except WorldError as refusal:
        raise invalid(base=[str(refusal)]) from refusal


def _require(call: Call, allowed: bool) -> None:  # noqa: FBT001  (an answer, not an option)
    call.require_write_scope()
    if not allowed:
        raise forbidden()


def _may_run_on(call: Call, project: Project, ref: str) -> bool:
    """Return whether the caller may run pipelines on a ref: tags are protected."""
    level = call.platform.access.level(call.credential, project)
    name = ref.removeprefix("refs/tags/")
    tags = {tag.name for tag in call.world.repositories.tags(project.id, call.now) if tag.protected}
    return level >= (MAINTAINER if name in tags else DEVELOPER)


def _started(call: Call, record: Schedule, offset: int, limit: int) -> tuple[list[Any], int]:
    page, total = call.world.pipelines.of_schedule(
        record.project_id, record.id, call.now, offset=offset, limit=limit
    )
    return list(page), total


def _change(call: Call, *, inputs: tuple[Input, ...]) -> ScheduleChange:
    params = call.params
    return ScheduleChange(
        description=params.text("description"),
        ref=params.text("ref"),
        cron=params.text("cron"),
        cron_timezone=params.text("cron_timezone"),
        active=params.flag("active", default=True) if "active" in params else None,
        inputs=_inputs(params.raw("inputs"), inputs) if "inputs" in params else None,
    )


def _inputs(sent: Any, before: tuple[Input, ...]) -> tuple[Input, ...]:
    """Return the inputs after those that were sent: new, changed, or marked `destroy`."""
    found = {one.name: one for one in before}
    if not isinstance(sent, list) or not all(isinstance(one, dict) for one in sent):
        raise bad_parameters("inputs is invalid")
    for index, one in enumerate(sent):
        name = one.get("name")
        if not isinstance(name, str) or not name:
            raise bad_parameters(f"inputs[{index}][name] is missing")
        if one.get("destroy") in {True, "true", "1"}:
            found.pop(name, None)
        elif one.get("value") is None or isinstance(one["value"], dict):
            raise bad_parameters(f"inputs[{index}][value] is missing")
        else:
            found[name] = Input(name, one["value"])
    return tuple(found.values())


def _check(change: ScheduleChange) -> None:
    wrong: dict[str, list[str]] = {}
    if change.description is not None:
        if not change.description.strip():
            wrong["description"] = ["can't be blank"]
        elif len(change.description) > _MOST_WORDS:
            wrong["description"] = [f"is too long (maximum is {_MOST_WORDS} characters)"]
    try:
        Cron.parse("* * * * *" if change.cron is None else change.cron)
    except ValueError:
        wrong["cron"] = ["syntax is invalid"]
    try:
        zone("UTC" if change.cron_timezone is None else change.cron_timezone)
    except ValueError:
        wrong["cron_timezone"] = ["syntax is invalid"]
    if wrong:
        raise invalid(**wrong)


def _http_date(text: str) -> datetime:
    try:
        return parsedate_to_datetime(text)
    except ValueError as error:
        raise bad_parameters("If-Unmodified-Since is invalid") from error


def _detail(call: Call, project: Project, record: Schedule) -> dict[str, object]:
    last = None
    if record.last_pipeline_id is not None:
        last = call.world.pipelines.get(project.id, record.last_pipeline_id, call.now)
    body = schedule_detail(record, last, project, call.links)
    if not administers(call, record):
        del body["variables"]
    return body


_KEY: Final = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
_LONGEST_KEY: Final = 255
_KINDS: Final = ("env_var", "file")


def create_variable(call: Call) -> Response:
    """Add a variable; its key must be new."""
    _, record = owned_schedule(call)
    key, value = call.params.required("key", "value")
    kind = call.params.choice("variable_type", _KINDS) or "env_var"
    wrong: list[str] = []
    if not _KEY.fullmatch(key):
        wrong.append("can contain only letters, digits and '_'.")
    if len(key) > _LONGEST_KEY:
        wrong.append(f"is too long (maximum is {_LONGEST_KEY} characters)")
    if any(one.key == key for one in record.variables):
        wrong.append("has already been taken")
    if wrong:
        raise invalid(key=wrong)
    made = Variable(key, value, kind)
    _put(call, record, (*record.variables, made))
    return json_answer(variable(made), 201)


def show_variable(call: Call) -> Response:
    _, record = find_schedule(call)
    if not administers(call, record):
        raise forbidden()
    return json_answer(variable(_find(call, record)))


def edit_variable(call: Call) -> Response:
    """Change the value or the kind of a variable."""
    _, record = owned_schedule(call)
    old = _find(call, record)
    value, kind = call.params.text("value"), call.params.choice("variable_type", _KINDS)
    new = replace(
        old,
        value=old.value if value is None else value,
        variable_type=kind or old.variable_type,
        secret=old.secret and value is None,
    )
    _put(call, record, tuple(new if one is old else one for one in record.variables))
    return json_answer(variable(new))


def delete_variable(call: Call) -> Response:
    """Delete a variable and return it."""
    _, record = find_schedule(call)
    call.require_write_scope()
    if not administers(call, record):
        raise forbidden()
    old = _find(call, record)
    _put(call, record, tuple(one for one in record.variables if one is not old))
    return json_answer(variable(old), 202)


def _find(call: Call, record: Schedule) -> Variable:
    for one in record.variables:
        if one.key == call.path["key"]:
            return one
    raise not_found("Pipeline Schedule Variable")


def _put(call: Call, record: Schedule, variables: tuple[Variable, ...]) -> None:
    changed(call, record, ScheduleChange(variables=variables))


_SCHEDULE: Final = "projects/{project}/pipeline_schedules/{schedule}"

ROUTES: Table = {
    "projects/{project}/pipeline_schedules": {"GET": list_schedules, "POST": create_schedule},
    _SCHEDULE: {"GET": show_schedule, "PUT": edit_schedule, "DELETE": delete_schedule},
    f"{_SCHEDULE}/pipelines": {"GET": list_schedule_pipelines},
    f"{_SCHEDULE}/play": {"POST": play_schedule},
    f"{_SCHEDULE}/take_ownership": {"POST": take_ownership},
    f"{_SCHEDULE}/variables": {"POST": create_variable},
    f"{_SCHEDULE}/variables/{{key}}": {
        "GET": show_variable,
        "PUT": edit_variable,
        "DELETE": delete_variable,
    },
}
