"""The log of a job's last successful run: what is new in a failed log is compared with it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import GREEN
from platui.analysis.errors.novelty import KnownLines

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.models.values.connection import Urgency
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import PipelineRun
    from platui.models.wire import Job
    from platui.service.feeds.reading import Reading
    from platui.service.logs.job_logs import JobLog

_MOST_BYTES: Final = 50_000_000  # A larger log is not compared


class SuccessfulLog:
    """Reads a job of a successful pipeline: at most two requests, none of what is cached."""

    def __init__(
        self,
        jobs_of: Callable[[ProjectRef, int], Reading[Listing[Job]]],
        open_log: Callable[..., JobLog],
    ) -> None:
        self._jobs_of = jobs_of
        self._open_log = open_log

    async def known_lines(
        self, project: ProjectRef, green: PipelineRun, name: str, urgency: Urgency | None
    ) -> KnownLines | None:
        """Return the lines of the job `name`; None without one. Without `urgency` no request.

        Raises `PlatuiError` for a failed request.
        """
        jobs = self._jobs_of(project, green.id)
        await jobs.recall()
        if jobs.value is None and urgency is not None:
            await jobs.renew(urgency)
        found = () if jobs.value is None else jobs.value.items
        passed = [one.id for one in found if one.name == name and one.status == GREEN]
        if not passed:
            return None
        log = self._open_log(project, max(passed), with_errors=False)
        try:
            if not await log.recall():
                if urgency is None:
                    return None
                await log.read(urgency, final=True)
            if log.document.size > _MOST_BYTES:
                return None
            return await asyncio.to_thread(KnownLines, log.document)
        finally:
            log.close()
