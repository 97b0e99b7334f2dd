"""Calculations on schedules: next runs and missed runs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import read_cron
from platui.analysis.schedules.due_times import Due, Shift, due_at, missed_at, upcoming
from platui.analysis.schedules.zones import find_zone
from platui.core.dataclass import dataclass
from platui.core.text import clean
from platui.models.values.writes import PIPELINE_FILE_VARIABLE

if TYPE_CHECKING:
    from platui.models.values.drafts import SentSchedule
    from platui.models.wire import Pipeline, Schedule

DEFAULT_ZONE: Final = "UTC"  # Spec §4.3: zone of a schedule without one

_SAME: Final = timedelta(seconds=59)  # Tolerance between an announced run and the cron line


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """A schedule with its last run."""

    schedule: Schedule
    last: Pipeline | None = None
    knows_last: bool = False  # `last` is known, also where it is None: it never ran
    last_at: datetime | None = None  # When `last` was fetched; None: with the schedule
    is_sent: bool = False  # As platui created it: the platform does not list schedules

    @property
    def is_active(self) -> bool:
        """Whether it runs automatically; the field is optional (spec §4.3)."""
        return self.schedule.active is not False


def sent_records(sent: Iterable[SentSchedule]) -> tuple[Schedule, ...]:
    """Return records of sent schedules; unknown ids are negative."""
    from platui.models.wire import Schedule  # noqa: PLC0415  (pydantic: only where it is needed)

    return tuple(
        Schedule(
            id=one.schedule if one.schedule is not None else -number,
            description=one.new.description,
            ref=one.new.ref,
            cron=one.new.cron,
            cron_timezone=one.new.cron_timezone,
            active=one.new.active,
            created_at=one.at,
        )
        for number, one in enumerate(sent, 1)
    )


def zone_of(schedule: Schedule) -> str:
    return clean(schedule.cron_timezone).strip() or DEFAULT_ZONE


def ref_of(schedule: Schedule) -> str:
    return clean(schedule.ref).removeprefix("refs/heads/").removeprefix("refs/tags/")


def file_of(schedule: Schedule) -> str:
    files = (one.value for one in schedule.variables if one.key == PIPELINE_FILE_VARIABLE)
    return next(files, None) or ""


def next_runs(schedule: Schedule, now: datetime, count: int = 3) -> tuple[Due, ...]:
    """Return the next runs: the announced one, then those of the cron line."""
    if schedule.active is False:
        return ()
    cron, zone = read_cron(schedule.cron).cron, find_zone(schedule.cron_timezone)
    runs = upcoming(cron, zone, now, count) if cron and zone is not None else ()
    said = schedule.next_run_at
    if said is None or said <= now:
        return runs
    if runs and abs(runs[0].at - said) <= _SAME:
        return (runs[0]._replace(at=said), *runs[1:])
    shown = said.astimezone(zone or UTC).replace(tzinfo=None)
    shift = due_at(shown, zone).shift if zone else Shift.NONE
    announced = Due(said, shown, shift, runs[0].at if runs else None)
    return (announced, *(run for run in runs if run.at > said))[:count]


def missed(standing: ScheduleState, asked_at: datetime) -> datetime | None:
    """Return when a schedule missed a run; None: no missed run."""
    last, knows_last = standing.last, standing.knows_last
    last_at = standing.last_at
    return missed_at(standing.schedule, asked_at, last, knows_last=knows_last, last_at=last_at)


def owner_name(schedule: Schedule) -> str:
    owner = schedule.owner
    return "" if owner is None else owner.username or owner.name
