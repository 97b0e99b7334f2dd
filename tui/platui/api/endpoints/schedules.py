"""Pipeline schedules. The specification only has creation; all else is optional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api.decoding import ResultDecoder, acknowledged
from platui.api.endpoint import Endpoint, ListEndpoint, record, segment
from platui.api.endpoints import paths
from platui.api.write import Write
from platui.core.secrets import Secret
from platui.models.wire.schedules import Schedule

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule, ScheduleChange, ScheduleVariable


def schedules(ref: ProjectRef) -> ListEndpoint[Schedule]:
    return ListEndpoint(paths.schedules(ref), Schedule, optional=True)


def schedule(ref: ProjectRef, schedule_id: int) -> Endpoint[Schedule]:
    """Get one schedule with its last pipeline and its variables (optional)."""
    return record(paths.schedule(ref, schedule_id), Schedule, cacheable=False, optional=True)


def create(new: NewSchedule) -> Write[Schedule | None]:
    """Create a schedule (spec §4.3)."""
    texts = (("description", new.description), ("ref", new.ref), ("cron", new.cron))
    zone = (("cron_timezone", new.cron_timezone),) if new.cron_timezone else ()
    payload = (*texts, *zone, ("active", "true" if new.active else "false"))
    return Write(
        "create schedule", paths.schedules(new.project), ResultDecoder(Schedule), payload=payload
    )


def change(change: ScheduleChange) -> Write[Schedule | None]:
    names = ("description", "ref", "cron", "cron_timezone", "active")
    fields = {name: getattr(change, name) for name in names}
    return Write(
        name="change schedule",
        path=paths.schedule(change.project, change.schedule),
        decode=ResultDecoder(Schedule),
        method="PUT",
        payload={name: value for name, value in fields.items() if value is not None},
        optional=True,
    )


def set_variable(one: ScheduleVariable) -> Write[None]:
    """Add, change or delete a variable; the response may hold its value and is not kept."""
    where = f"{paths.schedule(one.project, one.schedule)}/variables"
    own = f"{where}/{segment(one.key)}"
    if one.value is None:
        return Write("delete variable", own, acknowledged, method="DELETE", optional=True)
    value = one.value.reveal() if isinstance(one.value, Secret) else one.value
    if one.exists:
        new = {"value": value}
        return Write("set variable", own, acknowledged, method="PUT", payload=new, optional=True)
    added = {"key": one.key, "value": value}
    return Write("set variable", where, acknowledged, payload=added, optional=True)
