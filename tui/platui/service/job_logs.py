"""The logs of jobs, each with where it comes from and where it is kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from platui.service.job_log import JobLog
from platui.service.log_shelf import KeptLog
from platui.service.log_size import log_size
from platui.service.log_source import LogSource
from platui.service.packing_habit import PackingHabit
from platui.service.range_habit import RangeHabit

if TYPE_CHECKING:
    from platui.api.caller import Caller
    from platui.models.values.connection import Urgency
    from platui.models.values.log import ErrorRules
    from platui.models.values.queries import ProjectRef
    from platui.service.line_watch import LineWatch
    from platui.service.log_shelf import LogShelf
    from platui.service.recent_logs import RecentLogs
    from platui.service.surface import Surface


class JobLogs:
    """Hands out logs of one platform, and remembers how it is used to send them."""

    def __init__(self, surface: Surface, caller: Caller, line: LineWatch, shelf: LogShelf) -> None:
        self._surface = surface
        self._caller = caller
        self._line = line
        self._shelf = shelf
        self._habit = RangeHabit()
        self._packing = PackingHabit()

    def log(self, project: ProjectRef, job: int, *, with_errors: bool = True) -> JobLog:
        """Return a job's log without a rhythm of its own.

        Args:
            project: where the job is.
            job: its number.
            with_errors: whether errors are looked for in it.
        """
        errors = self.error_rules if with_errors else None
        return JobLog(self.source(project, job), self.kept(project, job), errors)

    async def size(self, project: ProjectRef, job: int, urgency: Urgency) -> int | None:
        """Return how many bytes a job's log has; None where the platform does not say.

        Raises:
            PlatuiError: no usable answer.
        """
        return await log_size(self._caller, self._line, project, job, urgency)

    def source(self, project: ProjectRef, job: int) -> LogSource:
        """Return where the bytes of a job's log come from."""
        return LogSource(
            self._caller,
            self._line,
            self._habit,
            self._packing,
            self._surface.clock,
            project,
            job,
        )

    def kept(self, project: ProjectRef, job: int) -> KeptLog:
        """Return where a job's log is kept once it has ended."""
        return KeptLog(self._shelf, project, job)

    @cached_property
    def error_rules(self) -> ErrorRules:
        """Return what knows errors."""
        from platui.service.log_errors import error_rules  # noqa: PLC0415  (for the first log)

        return error_rules(self._surface.settings.errors)

    @cached_property
    def recent(self) -> RecentLogs:
        """Return what the last searches have read."""
        from platui.service.recent_logs import RecentLogs  # noqa: PLC0415  (for the first search)

        return RecentLogs(self._surface.clock)
