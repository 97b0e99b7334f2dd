"""Which schedules callers made, changed or deleted, and which pipelines those started."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from platui_emulator.world.clock import CompanyClock, moment

if TYPE_CHECKING:
    from platui_emulator.records import Input, Variable
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.plans import Run
    from platui_emulator.world.project_simulation import ProjectSimulation
    from platui_emulator.world.timetable import CompanySchedule


_STARTED_KEPT: Final = 500
"""Pipelines that one schedule keeps: a machine may sleep for a year."""


@dataclass(slots=True)
class StoredSchedule:
    """A schedule that is no function of the seed, or is none any more."""

    standing: CompanySchedule
    project_id: int
    created_at: datetime
    updated_at: datetime
    fired_until: datetime
    variables: tuple[Variable, ...] = ()
    inputs: tuple[Input, ...] = ()


class StoredSchedules:
    """The kept schedules by their numbers; the pipelines of those that are the company's, too."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._kept: dict[int, dict[int, StoredSchedule]] = {}
        self._started: dict[int, list[int]] = {}
        self._next = journal.numbering.first_added_schedule

    def of(self, project_id: int) -> list[StoredSchedule]:
        """Return the kept schedules of a project, in id order."""
        found = self._kept.get(project_id, {})
        return [found[number] for number in sorted(found)]

    def projects(self) -> list[int]:
        return list(self._kept)

    def find(self, project_id: int, schedule_id: int) -> StoredSchedule | None:
        return self._kept.get(project_id, {}).get(schedule_id)

    def add(self, project_id: int, standing: CompanySchedule, now: datetime) -> StoredSchedule:
        """Store a new schedule with a new number."""
        standing = replace(standing, id=self._next)
        self._next += 1
        return self.keep(StoredSchedule(standing, project_id, now, now, fired_until=now))

    def keep(self, schedule: StoredSchedule) -> StoredSchedule:
        self._kept.setdefault(schedule.project_id, {})[schedule.standing.id] = schedule
        return schedule

    def drop(self, project_id: int, schedule_id: int) -> None:
        """Forget a schedule; its pipelines stay."""
        self._kept.get(project_id, {}).pop(schedule_id, None)
        self._started.pop(schedule_id, None)

    def note_started(self, schedule_id: int, run: Run) -> None:
        """Note a pipeline that a schedule started, and forget its oldest."""
        started = self._started.setdefault(schedule_id, [])
        started.append(run.id)
        if len(started) > _STARTED_KEPT:
            oldest, project_id = started.pop(0), run.blueprint.id
            if self._journal.run(project_id, oldest) is not None:
                self._journal.drop_run(project_id, oldest)

    def started(self, project_id: int, schedule_id: int, now: float) -> list[int]:
        """Return the pipelines noted for a schedule that exist by then, the oldest first."""
        numbers = self._started.get(schedule_id, ())
        runs = (self._journal.run(project_id, number) for number in numbers)
        return sorted(run.id for run in runs if run is not None and run.created <= now)


class _Found(NamedTuple):
    """The due minutes of one schedule within a stretch of minutes, its end left out."""

    since: int
    until: int
    minutes: list[int]


class ScheduleRuns:
    """The minutes in which each schedule started something, evaluated on demand."""

    def __init__(self, clockwork: CompanyClock) -> None:
        self._clockwork = clockwork
        self._found: dict[int, _Found] = {}

    def pipelines(
        self, site: ProjectSimulation, standing: CompanySchedule, now: float
    ) -> list[int]:
        """Return the numbers of the pipelines a schedule started and that exist, oldest first."""
        since = site.diary.oldest(now) * site.blueprint.period
        until = self._clockwork.minute(now)
        known = self._found.get(standing.id)
        if known is None or not known.since <= since <= known.until:
            known = _Found(since, since, [])
        if known.until < until:
            # Only minutes that are over: what is due in this one can still be called off.
            known.minutes.extend(self._between(site, standing, known.until, until))
            known = _Found(known.since, until, known.minutes)
        self._found[standing.id] = known
        minutes = known.minutes[bisect_left(known.minutes, since) :]
        minutes += self._between(site, standing, max(until, known.until), until + 1)
        lane = site.blueprint.lane * 2
        numbering = self._clockwork.numbering
        numbers = [numbering.pipeline_id(minute, lane) for minute in minutes]
        return numbers[: bisect_right(numbers, self._newest(site, now))]

    def _newest(self, site: ProjectSimulation, now: float) -> int:
        minute = self._clockwork.minute(now)
        over = self._clockwork.created(minute, site.blueprint.lane * 2) <= now
        numbering = self._clockwork.numbering
        return numbering.pipeline_id(minute if over else minute - 1, numbering.lanes - 1)

    def _between(
        self, site: ProjectSimulation, standing: CompanySchedule, since: int, until: int
    ) -> list[int]:
        found: list[int] = []
        due = standing.next_after(moment(self._clockwork.seconds(since) - 1))
        while due is not None and (minute := self._clockwork.minute(due.timestamp())) < until:
            slot = site.diary.slot_at(minute)
            starter = site.diary.due(slot)
            if slot > 0 and starter and starter[0] == minute and starter[1].id == standing.id:
                found.append(minute)
            due = standing.next_after(due)
        return found
