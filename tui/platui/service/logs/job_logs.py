"""The log of a job, looked at when somebody says so; where it comes from, and where it is kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from platui.core.errors import (
    ApiError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.service.logs.copy import LogCopy
from platui.service.logs.end import BEYOND
from platui.service.logs.shelf import KeptLog
from platui.service.logs.source import CompressionSupport, LogSource, RangeSupport

if TYPE_CHECKING:
    from platui.api.caller import Caller
    from platui.logs import Log
    from platui.models.values.connection import Urgency
    from platui.models.values.log import ErrorRules
    from platui.models.values.queries import ProjectRef
    from platui.service.connection_state import LineWatch
    from platui.service.logs.recent import RecentLogs
    from platui.service.logs.shelf import LogShelf
    from platui.service.service_context import ServiceContext


class JobLog:
    """A log without a rhythm of its own: `LogTail` follows one, this is for those of many."""

    def __init__(self, source: LogSource, shelf: KeptLog, errors: ErrorRules | None = None) -> None:
        self._source = source
        self._shelf = shelf
        self._copy = LogCopy(errors)

    @property
    def document(self) -> Log:
        return self._copy.document

    @property
    def transfer(self) -> float:
        return self._source.transfer

    def take_reset(self) -> bool:
        """Return whether the document is another one since this was last asked."""
        reset, self._copy.reset = self._copy.reset, False
        return reset

    async def recall(self) -> bool:
        kept = await self._shelf.get()
        if kept is None:
            return False
        await self._copy.adopt(kept)
        await self._copy.settle()
        self._copy.complete()
        self._copy.document.finish()
        return True

    async def read(self, urgency: Urgency, *, final: bool) -> None:
        """Ask the platform once for what is new.

        `final`: the job had ended before; the log is kept then.
        Raises PlatuiError: no usable answer; what came before it stays.
        """
        await self._source.read(self._copy, urgency)
        if final:
            self._copy.document.finish()
            if self._copy.size:
                self._shelf.put(self._copy.document.spool)

    def close(self) -> None:
        # Not closed: who keeps the log may still be about to write its bytes down.
        self._copy = LogCopy()


def is_refusal(error: PlatuiError) -> bool:
    """Return whether it is of no use to ask for this log again soon, while others may come."""
    return isinstance(error, ApiError) and not isinstance(
        error, RateLimitedError | ServerFailedError | UnauthorizedError
    )


class JobLogs:
    """Hands out logs of one platform, and remembers how it is used to send them."""

    def __init__(
        self, context: ServiceContext, caller: Caller, line: LineWatch, shelf: LogShelf
    ) -> None:
        self._context = context
        self._caller = caller
        self._line = line
        self._shelf = shelf
        self._habit = RangeSupport()
        self._packing = CompressionSupport()

    def log(self, project: ProjectRef, job: int, *, with_errors: bool = True) -> JobLog:
        errors = self.error_rules if with_errors else None
        return JobLog(self.source(project, job), self.kept(project, job), errors)

    async def size(self, project: ProjectRef, job: int, urgency: Urgency) -> int | None:
        """Return how many bytes a job's log has; None where the platform does not say.

        GitLab begins to send all of a running job's log, whatever part is asked for: that says
        how long it is before its first byte, and the rest is not waited for.

        Raises PlatuiError: no usable answer.
        """
        number = self._line.begin()
        try:
            async with self._caller.stream_log(project, job, urgency, start=BEYOND) as stream:
                self._line.answered(number)
                return stream.total
        except PlatuiError as error:
            self._line.failed(error, number)
            raise

    def source(self, project: ProjectRef, job: int) -> LogSource:
        return LogSource(
            self._caller,
            self._line,
            self._habit,
            self._packing,
            self._context.clock,
            project,
            job,
        )

    def kept(self, project: ProjectRef, job: int) -> KeptLog:
        return KeptLog(self._shelf, project, job)

    @cached_property
    def error_rules(self) -> ErrorRules:
        from platui.service.logs.errors import error_rules  # noqa: PLC0415  (for the first log)

        return error_rules(self._context.settings.errors)

    @cached_property
    def recent(self) -> RecentLogs:
        from platui.service.logs.recent import RecentLogs  # noqa: PLC0415  (for the first search)

        return RecentLogs(self._context.clock)
