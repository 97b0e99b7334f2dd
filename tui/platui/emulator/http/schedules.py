"""Pipeline schedules (spec 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.http.answers import json_answer
from platui.emulator.http.failures import invalid, record_not_found
from platui.emulator.http.paging import whole_list
from platui.emulator.http.render.pipelines import schedule, schedule_detail
from platui.emulator.world.cron import Cron, zone
from platui.emulator.world_protocol import WorldError

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Project, Schedule


def list_schedules(call: Call) -> Response:
    """List the schedules of a project."""
    project = call.project()
    found = call.world.schedules(project.id, call.now)
    scope = call.params.choice("scope", ("active", "inactive"))
    if scope is not None:
        found = [record for record in found if record.active == (scope == "active")]
    return whole_list(call, found, lambda record: schedule(record, call.links))


def show_schedule(call: Call) -> Response:
    """Show one schedule with its last run and its variables."""
    project = call.project()
    wanted = call.path_id("schedule")
    for record in call.world.schedules(project.id, call.now):
        if record.id == wanted:
            return json_answer(_detail(call, project, record))
    raise record_not_found()


def create_schedule(call: Call) -> Response:
    """Create a schedule: description, ref and cron; zone and activity as defaults say."""
    project = call.writable_project()
    description, ref, cron = call.params.required("description", "ref", "cron")
    cron_timezone = call.params.text("cron_timezone") or "UTC"
    active = call.params.flag("active", default=True)
    _check(description, cron, cron_timezone)
    try:
        created = call.world.create_schedule(
            project.id,
            description=description,
            ref=ref,
            cron=cron,
            cron_timezone=cron_timezone,
            active=active,
            owner=call.credential.user,
            now=call.now,
        )
    except WorldError as refusal:
        raise invalid(base=[str(refusal)]) from refusal
    return json_answer(_detail(call, project, created), 201)


def _check(description: str, cron: str, cron_timezone: str) -> None:
    wrong: dict[str, list[str]] = {}
    if not description.strip():
        wrong["description"] = ["can't be blank"]
    try:
        Cron.parse(cron)
    except ValueError:
        wrong["cron"] = ["syntax is invalid"]
    try:
        zone(cron_timezone)
    except ValueError:
        wrong["cron_timezone"] = ["syntax is invalid"]
    if wrong:
        raise invalid(**wrong)


def _detail(call: Call, project: Project, record: Schedule) -> dict[str, object]:
    last = None
    if record.last_pipeline_id is not None:
        last = call.world.pipeline(project.id, record.last_pipeline_id, call.now)
    return schedule_detail(record, last, project, call.links)


ROUTES: Table = {
    "projects/{project}/pipeline_schedules": {"GET": list_schedules, "POST": create_schedule},
    "projects/{project}/pipeline_schedules/{schedule}": {"GET": show_schedule},
}
