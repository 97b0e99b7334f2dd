"""Everything that is asked about schedules, and every change to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.world.desk import PipelineDesk
from platui.emulator.world_acts import WorldError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.records import Person, Pipeline, Schedule, ScheduleChange
    from platui.emulator.world.sites import Site


class ScheduleDesk(PipelineDesk):
    """The part of the company that knows about schedules."""

    def schedules(self, project_id: int, now: datetime) -> Sequence[Schedule]:
        """Return the schedules of a project, in id order."""
        site = self._sites.get(project_id)
        if site is None:
            return ()
        self._schedules.fire(site, now)
        return self._schedules.of(site, now)

    def schedule_pipelines(
        self, project_id: int, schedule_id: int, now: datetime, *, offset: int, limit: int
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window on what a schedule started, newest first, and how much that is."""
        site = self._sites.get(project_id)
        if site is None:
            return (), 0
        started = self._schedules.pipelines(site, schedule_id, now)[::-1]
        numbers = [one for one in started if not self._journal.is_deleted(project_id, one)]
        page = (self.pipeline(project_id, one, now) for one in numbers[offset : offset + limit])
        return [one for one in page if one is not None], len(numbers)

    def create_schedule(
        self, project_id: int, wanted: ScheduleChange, *, owner: Person, now: datetime
    ) -> Schedule:
        """Create a schedule, which fires from now on.

        Raises:
            WorldError: too many, unknown ref or zone, or a cron line that is none.
        """
        return self._schedules.create(self._site(project_id), wanted, owner=owner, now=now)

    def change_schedule(
        self, project_id: int, schedule_id: int, change: ScheduleChange, *, now: datetime
    ) -> Schedule:
        """Change a schedule from now on; the company's own ones too.

        Raises:
            WorldError: unknown schedule, ref or zone, or a cron line that is none.
        """
        return self._schedules.change(self._site(project_id), schedule_id, change, now)

    def delete_schedule(self, project_id: int, schedule_id: int, *, now: datetime) -> None:
        """Delete a schedule; the pipelines that it started stay.

        Raises:
            WorldError: unknown schedule.
        """
        self._schedules.delete(self._site(project_id), schedule_id, now)

    def play_schedule(
        self, project_id: int, schedule_id: int, *, user: Person, now: datetime
    ) -> None:
        """Start what a schedule starts, shortly after now.

        Raises:
            WorldError: unknown schedule.
        """
        self._schedules.play(self._site(project_id), schedule_id, user, now)

    def _site(self, project_id: int) -> Site:
        site = self._sites.get(project_id)
        if site is None:
            # Added projects are empty: they have no branch to run anything on.
            raise WorldError("Reference not found")
        return site
