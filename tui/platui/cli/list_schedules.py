"""What `platui schedules` and `platui schedule list` print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.asking import first
from platui.cli.connecting import platform_of
from platui.cli.exits import Exit
from platui.cli.list_printing import Sheet, look_of, printing
from platui.cli.listing import Gathered, gather, tell_rest
from platui.cli.patience import narrate
from platui.cli.project_words import in_project
from platui.cli.targets import project_at
from platui.core.text import clean
from platui.models.values.queries import PipelinesQuery
from platui.present.schedules import next_runs, owner_name, ref_of, sent_records, zone_of
from platui.present.times import dated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from platui.cli.list_options import Asked
    from platui.config.settings import Options
    from platui.models import Schedule
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService

_HEADS: Final = ("ID", "ON", "CRON", "ZONE", "NEXT RUN", "REF", "OWNER", "DESCRIPTION")
_COLUMNS: Final = (
    "id", "description", "ref", "cron", "cron_timezone", "active", "next_run_at", "owner",
)  # fmt: skip
# In which zone it runs and whose it is counts more than how somebody has described it.
_SPARE: Final = ((7, 12), (6, 8), (5, 8), (3, 8), (7, 0), (6, 6), (5, 6), (3, 6))


def list_schedules(options: Options, words: Sequence[str], asked: Asked, hint: str) -> int:
    """Print the schedules of a project; returns the exit code.

    Args:
        options: which profile's.
        words: name the project.
        asked: how many, and in which form.
        hint: where the right words are told.

    Raises:
        PlatuiError: there is no such project, or nobody tells.
    """
    with platform_of(options, words) as platform:
        service = platform.service
        where = project_at(words, platform.address, hint)
        look = look_of(platform, options)

        def sheet() -> Sheet[Schedule]:
            return _sheet(service.clock.now(), utc=options.utc)

        with printing("schedules", asked, sheet, look) as printer:
            gathered = platform.read(_gathered(service, where, asked, printer.take))
        if not gathered.items and gathered.offered:
            narrate("There are no schedules in this project.")
        tell_rest(gathered, "schedules")
        return Exit.DONE if gathered.offered else Exit.REFUSED


async def _gathered(
    service: PlatformService,
    project: ProjectRef,
    asked: Asked,
    take: Callable[[Iterable[Schedule]], None],
) -> Gathered[Schedule]:
    await service.start()

    async def ask(of: ProjectRef) -> Gathered[Schedule]:
        feed = service.feeds.watch_schedules(of)
        gathered = await gather("schedules", feed, asked.limit, take)
        if gathered.offered:
            return gathered
        # A project that is not there answers as a platform without this list does.
        pipelines = service.feeds.watch_pipelines(PipelinesQuery(of))
        await first("the project", pipelines, lambda _: True)
        sent = await _sent(service, of)
        take(sent.items)
        return sent

    return await in_project(service, project, ask)


async def _sent(service: PlatformService, project: ProjectRef) -> Gathered[Schedule]:
    """Return what is remembered of a project where the platform lists no schedules."""
    schedules = tuple(sent_records(await service.drafts.sent_schedules(project)))
    known = ": these are those that platui created, as they were then."
    narrate(
        "This platform offers no list of schedules"
        + (known if schedules else ", and platui created none here.")
    )
    return Gathered(schedules, offered=False)


def _sheet(now: datetime, *, utc: bool) -> Sheet[Schedule]:
    return Sheet(
        _HEADS,
        lambda one: _row(one, now, utc=utc),
        lambda one: _object(one, now),
        _COLUMNS,
        right={0},
        spare=_SPARE,
    )


def _next(schedule: Schedule, now: datetime) -> datetime | None:
    runs = next_runs(schedule, now, 1)
    return runs[0].at if runs else None


def _row(schedule: Schedule, now: datetime, *, utc: bool) -> tuple[str, ...]:
    due = _next(schedule, now)
    return (
        str(schedule.id) if schedule.id > 0 else "?",
        "no" if schedule.active is False else "yes",
        clean(schedule.cron),
        zone_of(schedule),
        dated(due, utc=utc) or "-",
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
