"""Pipeline schedules as they stand at a moment: the company's own and the added ones."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from platui.emulator.records import Schedule, Variable
from platui.emulator.world.clockwork import moment
from platui.emulator.world.cron import Cron, zone
from platui.emulator.world.jobs import DEFAULT_FILE, FILE_VARIABLE
from platui.emulator.world.timetable import Standing
from platui.emulator.world_protocol import WorldError

if TYPE_CHECKING:
    from datetime import datetime

    from platui.emulator.records import Person
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.journal import AddedSchedule, Journal
    from platui.emulator.world.sites import Site
    from platui.emulator.world.starter import Starter

_LOOK_BACK = (timedelta(days=1), timedelta(days=8), timedelta(days=32))


class Schedules:
    """The schedules of all projects."""

    def __init__(self, clockwork: Clockwork, journal: Journal, starter: Starter) -> None:
        self._clockwork = clockwork
        self._journal = journal
        self._starter = starter

    def of(self, site: Site, now: datetime) -> list[Schedule]:
        """Return the schedules of a project, in id order."""
        found = [self._own(site, one, now) for one in site.standings]
        added = self._journal.schedules.get(site.blueprint.id, [])
        return found + [_added(one, now) for one in added if one.created_at <= now]

    def create(
        self,
        site: Site,
        *,
        description: str,
        ref: str,
        cron: str,
        cron_timezone: str,
        active: bool,
        owner: Person,
        now: datetime,
    ) -> Schedule:
        """Add a schedule, which fires from now on.

        Raises:
            WorldError: unknown ref or zone, or a cron line that is none.
        """
        if site.history.find(ref, now.timestamp()) is None:
            raise WorldError("Reference not found")
        try:
            parsed = Cron.parse(cron)
        except ValueError as error:
            raise WorldError("Cron syntax is invalid") from error
        try:
            where = zone(cron_timezone)
        except ValueError as error:
            raise WorldError("Cron timezone syntax is invalid") from error
        standing = Standing(
            id=0,
            lane=site.blueprint.lane,
            description=description,
            ref=ref,
            line=cron,
            cron=parsed,
            zone_name=cron_timezone,
            zone=where,
            active=active,
            owner=owner,
            file=DEFAULT_FILE,
        )
        added = self._journal.add_schedule(site.blueprint.id, standing, owner, now)
        return _added(added, now)

    def fire(self, site: Site, now: datetime) -> None:
        """Start what added schedules of a project have become due for."""
        for added in self._journal.schedules.get(site.blueprint.id, []):
            if added.standing.active:
                self._fire(site, added, now)

    def _fire(self, site: Site, added: AddedSchedule, now: datetime) -> None:
        standing, since = added.standing, added.fired_until or added.created_at
        # A schedule that nobody looked at for long catches up with the last day only.
        since = max(since, now - _LOOK_BACK[0])
        while (due := standing.next_after(since)) is not None and due <= now:
            since = due
            try:
                run = self._starter.start(
                    site,
                    ref=standing.ref,
                    variables=added.variables,
                    user=added.owner,
                    source="schedule",
                    now=due.timestamp(),
                )
            except WorldError:
                continue  # its branch is gone: the platform starts nothing either
            self._journal.note_fired(added, run)
        if since > (added.fired_until or added.created_at):
            added.fired_until = since

    def _own(self, site: Site, standing: Standing, now: datetime) -> Schedule:
        minute = self._clockwork.minute(now.timestamp())
        due = standing.next_after(now)
        if standing.stalled(minute):
            # What never fired stays due, in the past.
            stall = moment(self._clockwork.seconds(standing.stalled_since(minute)) - 1)
            due = standing.next_after(stall)
        created = site.blueprint.record.created_at + timedelta(hours=standing.id % 97)
        return Schedule(
            id=standing.id,
            project_id=site.blueprint.id,
            description=standing.description,
            ref=standing.ref,
            cron=standing.line,
            cron_timezone=standing.zone_name,
            active=standing.active,
            next_run_at=due if standing.active else None,
            created_at=created,
            updated_at=created + timedelta(days=standing.id % 11),
            owner=standing.owner,
            last_pipeline_id=self._last(site, standing, now),
            variables=(Variable(FILE_VARIABLE, standing.file),),
        )

    def _last(self, site: Site, standing: Standing, now: datetime) -> int | None:
        """Return the newest pipeline that a schedule of the company started."""
        newest = site.diary.newest(now.timestamp())
        for span in _LOOK_BACK:
            due, last = standing.next_after(now - span), None
            while due is not None and due <= now:
                slot = site.diary.slot_at(self._clockwork.minute(due.timestamp()))
                if slot <= newest and site.diary.occasion(slot).standing is standing:
                    last = slot
                due = standing.next_after(due)
            if last is not None:
                return site.runs.run(last).id
        return None


def _added(added: AddedSchedule, now: datetime) -> Schedule:
    standing = added.standing
    return Schedule(
        id=standing.id,
        project_id=added.project_id,
        description=standing.description,
        ref=standing.ref,
        cron=standing.line,
        cron_timezone=standing.zone_name,
        active=standing.active,
        next_run_at=standing.next_after(now) if standing.active else None,
        created_at=added.created_at,
        updated_at=added.created_at,
        owner=standing.owner,
        last_pipeline_id=added.pipelines[-1] if added.pipelines else None,
        variables=added.variables,
    )
