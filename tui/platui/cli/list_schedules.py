"""What `platui schedule list` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.cli.asking import first
from platui.cli.exits import Exit
from platui.cli.patience import narrate
from platui.cli.told import say, say_object, table
from platui.core.text import clean
from platui.present.schedules import next_runs, owner_name, ref_of, sent_records, zone_of
from platui.present.times import in_zone, zone_name

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models import Schedule
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService

_HEADS = ("ID", "ACTIVE", "CRON", "ZONE", "NEXT RUN", "REF", "OWNER", "DESCRIPTION")


async def list_schedules(
    service: PlatformService, project: ProjectRef, *, as_json: bool, utc: bool
) -> int:
    """Print the schedules of a project; returns the exit code.

    Raises:
        PlatuiError: there is no such project, or nobody tells.
    """
    await service.start()
    feed = service.feeds.watch_schedules(project)
    listing = await first(
        "its schedules", feed, lambda one: one.complete or not one.offered, whole=True
    )
    schedules = listing.items
    if not listing.offered:
        schedules = sent_records(await service.drafts.sent_schedules(project))
        narrate(
            "This platform offers no list of schedules: "
            + ("these are those that platui created, as they were then." if schedules else "")
            + ("" if schedules else "and platui created none here.")
        )
    now = service.clock.now()
    if as_json:
        for one in schedules:
            say_object(_object(one, now))
    elif schedules:
        for line in table([_HEADS, *(_row(one, now, utc=utc) for one in schedules)]):
            say(line)
    elif listing.offered:
        narrate("There are no schedules in this project.")
    return 0 if listing.offered else Exit.REFUSED


def _next(schedule: Schedule, now: datetime) -> datetime | None:
    runs = next_runs(schedule, now, 1)
    return runs[0].at if runs else None


def _row(schedule: Schedule, now: datetime, *, utc: bool) -> tuple[str, ...]:
    due = _next(schedule, now)
    when = "" if due is None else f"{in_zone(due, utc=utc):%Y-%m-%d %H:%M}"
    return (
        str(schedule.id) if schedule.id > 0 else "?",
        "no" if schedule.active is False else "yes",
        clean(schedule.cron),
        zone_of(schedule),
        "-" if due is None else f"{when} {zone_name(due, utc=utc)}",
        ref_of(schedule),
        clean(owner_name(schedule)) or "-",
        clean(schedule.description),
    )


def _object(schedule: Schedule, now: datetime) -> dict[str, Any]:
    due = _next(schedule, now)
    return {
        "id": schedule.id if schedule.id > 0 else None,
        "description": schedule.description,
        "ref": ref_of(schedule),
        "cron": schedule.cron,
        "cron_timezone": zone_of(schedule),
        "active": schedule.active is not False,
        "next_run_at": None if due is None else due.isoformat(),
        "owner": owner_name(schedule) or None,
    }
