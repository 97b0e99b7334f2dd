"""Logs of running jobs that a search read a moment ago, for the next search.

Who looks for one word looks for another one next. What ended is kept on disk anyway; what still
runs is held here for a while, so that the next search asks for nothing, or for what is new alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.clock import Clock
    from platui.service.logs.job_logs import JobLog

FRESH: Final = 10.0
"""Seconds in which a running job's log is looked through again without asking for it."""

KEPT: Final = 120.0
"""Seconds in which a log is held, so that only what is new in it has to come."""

MOST_BYTES: Final = 32_000_000
"""Bytes of all that is held; a log beyond that is let go."""


class RecentLog(NamedTuple):
    """A log, and when it was asked for."""

    log: JobLog
    read_at: float
    """In monotonic seconds."""
    fetched_at: datetime
    """In UTC."""


class RecentLogs:
    """Holds logs that nobody uses: whoever takes one has it alone until it is brought back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._logs: dict[int, RecentLog] = {}

    def take(self, job: int) -> RecentLog | None:
        self._let_go()
        return self._logs.pop(job, None)

    def is_fresh(self, recent: RecentLog) -> bool:
        return self._clock.monotonic() - recent.read_at < FRESH

    def read_now(self, log: JobLog) -> RecentLog:
        return RecentLog(log, self._clock.monotonic(), self._clock.now())

    def bring(self, job: int, recent: RecentLog) -> None:
        self._logs[job] = recent
        self._let_go()

    def _let_go(self) -> None:
        oldest_first = sorted(self._logs.items(), key=lambda item: item[1].read_at)
        size = sum(recent.log.document.size for _, recent in oldest_first)
        for job, recent in oldest_first:
            is_old = self._clock.monotonic() - recent.read_at >= KEPT
            if not is_old and size <= MOST_BYTES:
                return
            size -= recent.log.document.size
            del self._logs[job]
            recent.log.close()
