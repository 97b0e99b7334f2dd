"""Pipeline schedules. The specification only has creation; all else is optional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api.decoding import ResultDecoder
from platui.api.endpoint import Endpoint, ListEndpoint, Pairs, record, segment
from platui.api.endpoints import projects
from platui.api.write import Write
from platui.models.values.writes import Encoding
from platui.models.wire import Schedule

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule, ScheduleChange


def _schedules(ref: ProjectRef) -> str:
    return f"{projects.path(ref)}/pipeline_schedules"


def path(ref: ProjectRef, schedule_id: int) -> str:
    return f"{_schedules(ref)}/{segment(schedule_id)}"


def schedules(ref: ProjectRef) -> ListEndpoint[Schedule]:
    return ListEndpoint(_schedules(ref), Schedule, optional=True)


def schedule(ref: ProjectRef, schedule_id: int) -> Endpoint[Schedule]:
    """Get one schedule with its last pipeline and its variables (optional)."""
    return record(path(ref, schedule_id), Schedule, cacheable=False, optional=True)


def create(new: NewSchedule, encoding: Encoding = Encoding.FORM) -> Write[Schedule | None]:
    """Create a schedule (spec §4.3)."""
    texts = (("description", new.description), ("ref", new.ref), ("cron", new.cron))
    zone = (("cron_timezone", new.cron_timezone),) if new.cron_timezone else ()
    payload: Pairs | dict[str, object]
    if encoding is Encoding.JSON:
        payload = {**dict(texts + zone), "active": new.active}
    else:
        payload = (*texts, *zone, ("active", "true" if new.active else "false"))
    return Write(
        name="create schedule",
        path=_schedules(new.project),
        decode=ResultDecoder(Schedule),
        payload=payload,
    )


def change(change: ScheduleChange) -> Write[Schedule | None]:
    fields: dict[str, object] = {
        "description": change.description,
        "ref": change.ref,
        "cron": change.cron,
        "cron_timezone": change.cron_timezone,
        "active": change.active,
    }
    return Write(
        name="change schedule",
        path=path(change.project, change.schedule),
        decode=ResultDecoder(Schedule),
        method="PUT",
        payload={name: value for name, value in fields.items() if value is not None},
        optional=True,
    )
