"""Everything that is asked about what jobs left behind: archives and reports of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.world.schedule_desk import ScheduleDesk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.long_text import ArchiveText
    from platui.emulator.records import SuiteReport


class ArtifactDesk(ScheduleDesk):
    """The part of the company that knows about artifacts."""

    def archive(self, project_id: int, job_id: int, now: datetime) -> ArchiveText | None:
        """Return the archive of a job; None where there is none, or none any more."""
        plan, attempt = self._attempt(project_id, job_id, now)
        if plan is None or attempt is None:
            return None
        return self._leavings.archive(plan.run, attempt, now.timestamp())

    def keep_artifacts(self, job_id: int) -> None:
        """Let the archive of a job stay for good."""
        self._leavings.keep(job_id)

    def delete_artifacts(self, job_id: int) -> None:
        """Throw the archive of a job away; its log stays."""
        self._leavings.delete(job_id)

    def delete_all_artifacts(self, project_id: int, now: datetime) -> None:
        """Throw away the archives that a project's jobs made so far, but for the kept ones."""
        self._leavings.delete_all(project_id, now.timestamp())

    def suites(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[SuiteReport]:
        """Return what the tests of a pipeline came to, job by job; retried ones don't count."""
        _, plan = self._plan(project_id, pipeline_id, now)
        if plan is None:
            return ()
        when = now.timestamp()
        found = (self._leavings.suite(plan.run, one, when) for one in plan.latest_at(when))
        return [suite for suite in found if suite is not None]
