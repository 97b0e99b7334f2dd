"""The log of a job's last successful run: what is new in a failed log is compared with it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import GREEN
from platui.analysis.errors.novelty import KnownLines

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import PipelineRun
    from platui.models.wire import Job
    from platui.service.logs.job_logs import JobLog

_MOST_BYTES: Final = 50_000_000  # A larger log is not compared


class SuccessfulLog:
    """Reads the log of a job of a successful pipeline: one request each for its jobs and log.

    What the cache has is not requested again.
    """

    def __init__(
        self,
        jobs: Callable[[ProjectRef, PipelineRun, bool], Awaitable[tuple[Job, ...] | None]],
        open_log: Callable[..., JobLog],
        ask: Callable[[], Urgency],
    ) -> None:
        """`jobs` returns the jobs of a pipeline, if asked to with requests; None: unknown."""
        self._jobs = jobs
        self._open_log = open_log
        self._ask = ask

    async def known_lines(
        self, project: ProjectRef, green: PipelineRun, name: str, *, asks: bool
    ) -> KnownLines | None:
        """Return the lines of the job `name`; None without one, or if the cache has not all of it.

        Raises `PlatuiError` for a failed request.
        """
        jobs = await self._jobs(project, green, asks)
        passed = [one.id for one in jobs or () if one.name == name and one.status == GREEN]
        if not passed:
            return None
        log = self._open_log(project, max(passed), with_errors=False)
        try:
            if not await log.recall():
                if not asks:
                    return None
                await log.read(self._ask(), final=True)
            if log.document.size > _MOST_BYTES:
                return None
            return await asyncio.to_thread(KnownLines, log.document)
        finally:
            log.close()
