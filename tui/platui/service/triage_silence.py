"""Whether running jobs still say something, told by how long their logs are."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.lateness import stuck_silent
from platui.core.errors import PlatuiError, UnreadableAnswerError
from platui.service.job_log import is_refusal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from datetime import datetime

    from platui.models import Job
    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_lateness import Late
    from platui.service.surroundings import Surroundings

EVERY: Final = 60.0
"""Seconds between two looks at one log."""
MOST: Final = 3
"""Logs of one pipeline that are looked at: those of the jobs that run longest."""


@dataclass
class _Log:
    """What is known of one log."""

    job: Job
    asked_at: float = -inf
    """Monotonic second of the last look."""
    told_at: datetime | None = None
    """When the platform said how long it is."""
    size: int | None = None
    since: datetime | None = None
    """Since when it is so long, as far as anybody looked."""
    is_untold: bool = False
    """Whether the platform does not say how long it is."""


class Silence:
    """Knows which running jobs of one pipeline say nothing, with a request a minute for each."""

    def __init__(
        self,
        project: ProjectRef,
        size_of: Callable[[ProjectRef, int, Urgency], Awaitable[int | None]],
        surroundings: Surroundings,
        ask: Callable[[], Urgency],
    ) -> None:
        """Know of no log yet.

        Args:
            project: where the pipeline is.
            size_of: asks how many bytes the log of a job has; returns None where nobody says.
            surroundings: when that is.
            ask: is called for each request, and tells who waits for it.
        """
        self._project = project
        self._size_of = size_of
        self._around = surroundings
        self._ask = ask
        self._logs: dict[int, _Log] = {}

    def among(self, jobs: Iterable[Job]) -> None:
        """Look at the logs of those of these jobs that run longest, from now on."""
        running = [job for job in jobs if job.status == "running" and job.started_at is not None]
        longest = sorted(running, key=lambda job: (job.started_at, job.id))[:MOST]
        before = self._logs
        self._logs = {job.id: before.get(job.id) or _Log(job) for job in longest}

    async def renew(self) -> None:
        """Ask how long the logs are, those that are due.

        Raises:
            PlatuiError: no usable answer; it may come later.
        """
        for log in list(self._logs.values()):
            now = self._around.clock.monotonic()
            if log.is_untold or now - log.asked_at < EVERY:
                continue
            log.asked_at = now
            try:
                self._take(log, await self._size_of(self._project, log.job.id, self._ask()))
            except PlatuiError as error:
                if not is_refusal(error) and not isinstance(error, UnreadableAnswerError):
                    raise
                log.is_untold = True

    def late(self, now: datetime, old: float) -> Late | None:
        """Return the job that is silent longest of those that are for too long.

        Args:
            now: the time.
            old: seconds after which what was told of a log counts no more.
        """
        found = (
            stuck_silent(log.job, (now - log.since).total_seconds())
            for log in self._logs.values()
            if log.since is not None
            and log.told_at is not None
            and (now - log.told_at).total_seconds() <= old
        )
        return max(filter(None, found), key=lambda late: late.seconds, default=None)

    def _take(self, log: _Log, size: int | None) -> None:
        now = self._around.clock.now()
        log.is_untold = size is None
        if size is None:
            log.since = None
        elif size != log.size:
            # Of one that is empty it is known for how long; of others only from the first look on.
            log.since = log.job.started_at if size == 0 else now
        log.size, log.told_at = size, now
