"""Pipeline schedules as they stand at a moment: the company's own and the kept ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui_emulator.records import Input, Person, Schedule, ScheduleChange, Variable, WorldError
from platui_emulator.world.catalogue import DEFAULT_FILE, FILE_VARIABLE
from platui_emulator.world.clock import CompanyClock, moment
from platui_emulator.world.cron import Cron, zone
from platui_emulator.world.stored_schedules import ScheduleRuns, StoredSchedule, StoredSchedules
from platui_emulator.world.timetable import CompanySchedule

if TYPE_CHECKING:
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.project_pool import ProjectPool
    from platui_emulator.world.project_simulation import ProjectSimulation
    from platui_emulator.world.runs import PipelineStarter

MOST_SCHEDULES: Final = 50

_LOOK_BACK: Final = (timedelta(days=1), timedelta(days=8), timedelta(days=32))
_PLAYED_AFTER: Final = timedelta(seconds=1.5)
"""Seconds between playing a schedule and its pipeline."""


class Schedules:
    """The schedules of all projects: functions of (seed, time) until a caller changes one."""

    def __init__(
        self,
        clockwork: CompanyClock,
        sites: ProjectPool,
        journal: Journal,
        starter: PipelineStarter,
        stand_in: Person,
    ) -> None:
        self._sites = sites
        self._clockwork = clockwork
        self._starter = starter
        self._stand_in = stand_in
        self._firings = ScheduleRuns(clockwork)
        self._book = StoredSchedules(journal)

    def of(self, project_id: int, now: datetime) -> Sequence[Schedule]:
        """Return the schedules of a project, in id order."""
        site = self._sites.get(project_id)
        if site is None:
            return ()
        self.fire(site, now)
        return self._all(site, now)

    def _all(self, site: ProjectSimulation, now: datetime) -> list[Schedule]:
        found = [self._own(site, one, now) for one in site.roster.standing()]
        kept = self._book.of(site.blueprint.id)
        found += [self._kept(site, one, now) for one in kept if one.created_at <= now]
        return sorted(found, key=lambda one: one.id)

    def create(
        self, project_id: int, wanted: ScheduleChange, *, owner: Person, now: datetime
    ) -> Schedule:
        """Add a schedule. Raises WorldError: too many, unknown ref or zone, or bad cron line."""
        site = self._sites.require(project_id)
        if len(self._all(site, now)) >= MOST_SCHEDULES:
            raise WorldError(f"Maximum number of pipeline schedules ({MOST_SCHEDULES}) exceeded")
        blank = CompanySchedule(
            id=0,
            lane=site.blueprint.lane,
            description="",
            ref="",
            line="* * * * *",
            cron=Cron.parse("* * * * *"),
            zone_name="UTC",
            zone=zone("UTC"),
            active=True,
            owner=owner,
            file=DEFAULT_FILE,
        )
        standing = _changed(site, blank, wanted, now)
        kept = self._book.add(site.blueprint.id, standing, now)
        kept.inputs = wanted.inputs or ()
        return self._kept(site, kept, now)

    def change(
        self, project_id: int, schedule_id: int, change: ScheduleChange, *, now: datetime
    ) -> Schedule:
        """Change a schedule. Raises WorldError: unknown schedule, ref or zone, or bad cron line."""
        site = self._sites.require(project_id)
        self.fire(site, now)
        standing = self._standing(site, schedule_id)
        changed = _changed(site, standing, change, now)
        kept = self._book.find(site.blueprint.id, schedule_id) or self._adopt(site, standing, now)
        # What would have been due before, had it always been like this, is not made up for.
        kept.standing, kept.updated_at, kept.fired_until = changed, now, now
        if change.variables is not None:
            kept.variables = change.variables
        if change.inputs is not None:
            kept.inputs = change.inputs
        return self._kept(site, kept, now)

    def delete(self, project_id: int, schedule_id: int, *, now: datetime) -> None:
        """Delete a schedule; its pipelines stay. Raises WorldError: unknown schedule."""
        site = self._sites.require(project_id)
        self.fire(site, now)
        standing = self._standing(site, schedule_id)
        if self._book.find(site.blueprint.id, schedule_id) is None:
            self._adopt(site, standing, now)
        self._book.drop(site.blueprint.id, schedule_id)

    def play(self, project_id: int, schedule_id: int, *, user: Person, now: datetime) -> None:
        """Start a schedule's pipeline soon, active or not. Raises WorldError: unknown schedule."""
        site = self._sites.require(project_id)
        standing = self._standing(site, schedule_id)
        kept = self._book.find(site.blueprint.id, schedule_id)
        variables = kept.variables if kept else _variables(standing)
        self._start(site, standing, variables, user, now + _PLAYED_AFTER)

    def pipelines(self, site: ProjectSimulation, schedule_id: int, now: datetime) -> list[int]:
        """Return the numbers of the pipelines that a schedule started, the oldest first."""
        self.fire(site, now)
        started = self._book.started(site.blueprint.id, schedule_id, now.timestamp())
        own = next((one for one in site.roster.all if one.id == schedule_id), None)
        if own is not None:
            started += self._firings.pipelines(site, own, now.timestamp())
        return sorted(started)

    def keeps(self, project_id: int) -> bool:
        """Return whether a project has schedules that are evaluated on demand."""
        return bool(self._book.of(project_id))

    def kept_in(self) -> Sequence[int]:
        return self._book.projects()

    def fire(self, site: ProjectSimulation, now: datetime) -> None:
        """Start what kept schedules of a project have become due for."""
        for kept in self._book.of(site.blueprint.id):
            if kept.standing.active:
                self._fire(site, kept, now)

    # within

    def _standing(self, site: ProjectSimulation, schedule_id: int) -> CompanySchedule:
        kept = self._book.find(site.blueprint.id, schedule_id)
        if kept is not None:
            return kept.standing
        for standing in site.roster.standing():
            if standing.id == schedule_id:
                return standing
        raise WorldError("Pipeline schedule not found")

    def _adopt(
        self, site: ProjectSimulation, standing: CompanySchedule, now: datetime
    ) -> StoredSchedule:
        minute = self._clockwork.minute(now.timestamp())
        if self._clockwork.created(minute, site.blueprint.lane * 2) <= now.timestamp():
            minute += 1  # what this minute has started stays the company's own
        site.retire(standing, minute)
        return self._book.keep(
            StoredSchedule(
                # Whatever kept it from firing is over once somebody has touched it.
                replace(standing, stall=None),
                site.blueprint.id,
                _created(site, standing),
                now,
                fired_until=now,
                variables=_variables(standing),
            )
        )

    def _fire(self, site: ProjectSimulation, kept: StoredSchedule, now: datetime) -> None:
        standing = kept.standing
        # A schedule that nobody looked at for long catches up with the last day only.
        since = max(kept.fired_until, now - _LOOK_BACK[0])
        while (due := standing.next_after(since)) is not None and due <= now:
            since = due
            self._start(site, standing, kept.variables, standing.owner or self._stand_in, due)
        kept.fired_until = max(since, kept.fired_until)

    def _start(
        self,
        site: ProjectSimulation,
        standing: CompanySchedule,
        variables: Sequence[Variable],
        user: Person,
        when: datetime,
    ) -> None:
        try:
            run = self._starter.start(
                site,
                ref=standing.ref,
                variables=variables,
                user=user,
                source="schedule",
                now=when.timestamp(),
            )
        except WorldError:
            return  # its branch or its file is gone: the platform starts nothing either
        self._book.note_started(standing.id, run)

    def _own(self, site: ProjectSimulation, standing: CompanySchedule, now: datetime) -> Schedule:
        minute = self._clockwork.minute(now.timestamp())
        due = standing.next_after(now)
        if standing.stalled(minute):
            # What never fired stays due, in the past.
            stall = moment(self._clockwork.seconds(standing.stalled_since(minute)) - 1)
            due = standing.next_after(stall)
        created = _created(site, standing)
        return _record(
            site,
            standing,
            next_run_at=due,
            created_at=created,
            updated_at=created + timedelta(days=standing.id % 11),
            last_pipeline_id=self._last(site, standing, now),
            variables=_variables(standing),
        )

    def _kept(self, site: ProjectSimulation, kept: StoredSchedule, now: datetime) -> Schedule:
        return _record(
            site,
            kept.standing,
            next_run_at=kept.standing.next_after(now),
            created_at=kept.created_at,
            updated_at=kept.updated_at,
            last_pipeline_id=self._last(site, kept.standing, now),
            variables=kept.variables,
            inputs=kept.inputs,
        )

    def _last(
        self, site: ProjectSimulation, standing: CompanySchedule, now: datetime
    ) -> int | None:
        started = self._book.started(site.blueprint.id, standing.id, now.timestamp())
        own = next((one for one in site.roster.all if one.id == standing.id), None)
        last = self._last_of_own(site, own, now) if own else None
        return max([*started, last] if last else started, default=None)

    def _last_of_own(
        self, site: ProjectSimulation, standing: CompanySchedule, now: datetime
    ) -> int | None:
        newest = site.diary.newest(now.timestamp())
        for span in _LOOK_BACK:
            due, last = standing.next_after(now - span), None
            while due is not None and due <= now:
                slot = site.diary.slot_at(self._clockwork.minute(due.timestamp()))
                starter = site.diary.due(slot)
                if slot <= newest and starter and starter[1] is standing:
                    last = slot
                due = standing.next_after(due)
            if last is not None:
                return site.runs.run(last).id
        return None


def _created(site: ProjectSimulation, standing: CompanySchedule) -> datetime:
    return site.blueprint.record.created_at + timedelta(hours=standing.id % 97)


def _variables(standing: CompanySchedule) -> tuple[Variable, ...]:
    return (Variable(FILE_VARIABLE, standing.file),)


def _record(
    site: ProjectSimulation,
    standing: CompanySchedule,
    *,
    next_run_at: datetime | None,
    created_at: datetime,
    updated_at: datetime,
    last_pipeline_id: int | None,
    variables: tuple[Variable, ...],
    inputs: tuple[Input, ...] = (),
) -> Schedule:
    return Schedule(
        id=standing.id,
        project_id=site.blueprint.id,
        description=standing.description,
        ref=standing.ref,
        cron=standing.line,
        cron_timezone=standing.zone_name,
        active=standing.active,
        next_run_at=next_run_at if standing.active else None,
        created_at=created_at,
        updated_at=updated_at,
        owner=standing.owner,
        last_pipeline_id=last_pipeline_id,
        variables=variables,
        inputs=inputs,
    )


def _changed(
    site: ProjectSimulation, standing: CompanySchedule, change: ScheduleChange, now: datetime
) -> CompanySchedule:
    """Raises WorldError for an unknown ref or zone, or a cron line that is none."""
    if change.ref is not None and not site.history.is_named(change.ref, now.timestamp()):
        raise WorldError("Reference not found")
    if change.cron is not None:
        try:
            standing = replace(standing, line=change.cron, cron=Cron.parse(change.cron))
        except ValueError as error:
            raise WorldError("Cron syntax is invalid") from error
    if change.cron_timezone is not None:
        try:
            where = zone(change.cron_timezone)
        except ValueError as error:
            raise WorldError("Cron timezone syntax is invalid") from error
        standing = replace(standing, zone_name=change.cron_timezone, zone=where)
    return replace(
        standing,
        description=standing.description if change.description is None else change.description,
        ref=standing.ref if change.ref is None else change.ref,
        active=standing.active if change.active is None else change.active,
        owner=change.owner or standing.owner,
    )
