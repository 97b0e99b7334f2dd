"""Logs of jobs, loaded on demand and cached on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.errors import (
    ApiError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.named_tuple import NamedTuple
from platui.logs.spool import LogSpool
from platui.service.logs.copy import LogCopy
from platui.service.logs.end import BEYOND
from platui.service.logs.source import CompressionSupport, LogSource, RangeSupport
from platui.service.lru_cache import LruCache

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.core.clock import Clock
    from platui.logs import Log
    from platui.models.values.connection import Urgency
    from platui.models.values.log import ErrorRules
    from platui.models.values.queries import ProjectRef
    from platui.service.connection_state import ConnectionWatch
    from platui.service.page_cache import PageCache
    from platui.service.service_context import BackgroundWriter, ServiceContext
    from platui.store.cache import EntryKey
    from platui.store.pages import PageStore

FRESH: Final = 10.0  # seconds in which the log of a running job is searched again without a request
MEMORY_SECONDS: Final = 120.0  # seconds a log stays in memory, so that only new bytes are requested
MOST_BYTES: Final = 32_000_000  # total bytes of logs in memory
_ENDS: Final = 30  # ends of long logs in memory, of at most 256 kB each


class RecentLog(NamedTuple):
    log: JobLog
    read_at: float  # monotonic seconds
    fetched_at: datetime  # UTC


class RecentLogs:
    """Logs of running jobs, kept in memory from one search to the next; lent to one at a time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._logs: dict[int, RecentLog] = {}

    def take(self, job: int) -> RecentLog | None:
        self._drop_old()
        return self._logs.pop(job, None)

    def is_fresh(self, recent: RecentLog) -> bool:
        return self._clock.monotonic() - recent.read_at < FRESH

    def read_now(self, log: JobLog) -> RecentLog:
        return RecentLog(log, self._clock.monotonic(), self._clock.now())

    def put_back(self, job: int, recent: RecentLog) -> None:
        self._logs[job] = recent
        self._drop_old()

    def _drop_old(self) -> None:
        oldest_first = sorted(self._logs.items(), key=lambda item: item[1].read_at)
        size = sum(recent.log.document.size for _, recent in oldest_first)
        for job, recent in oldest_first:
            is_old = self._clock.monotonic() - recent.read_at >= MEMORY_SECONDS
            if not is_old and size <= MOST_BYTES:
                return
            size -= recent.log.document.size
            del self._logs[job]
            recent.log.close()


@dataclass(eq=False)
class CachedLog:
    """The cache entry of one job's log: read in a thread, written in the background."""

    store: PageStore
    background_writer: BackgroundWriter
    name: Callable[[], EntryKey]
    unwritten: dict[EntryKey, LogSpool]
    """The logs of all jobs that are still to be written."""
    fetched_at: datetime | None = None  # of the log that `get` returned; None: unknown
    _stored: tuple[LogSpool, int] | None = None

    async def get(self) -> LogSpool | None:
        name, self._stored, self.fetched_at = self.name(), None, None
        unwritten = self.unwritten.get(name)
        if unwritten is not None:
            if not unwritten.size:
                return None
            spool = unwritten.beginning(unwritten.size)
        else:
            stored = await asyncio.to_thread(self.store.get_log, name)
            if stored is None:
                return None
            if isinstance(stored, bytes):
                spool = LogSpool()
                spool.append(stored)
                self.fetched_at = await asyncio.to_thread(self.store.log_fetched_at, name)
            else:
                spool = LogSpool(stored, stored.size)
        self._stored = (spool, spool.size)
        return spool

    def put(self, spool: LogSpool) -> None:
        """Cache the log of a finished job, unless it is cached; frees the memory of a long one.

        If it is empty, it may have been erased on the platform: the entry is deleted.
        """
        name, size = self.name(), spool.size
        if self._stored == (spool, size):
            return
        self._stored = (spool, size)
        self.unwritten[name] = spool

        def write() -> None:
            stored = None
            try:
                if size:
                    stored = self.store.put_log(name, size, spool.slices(0, size))
                else:
                    self.store.forget_log(name)
            finally:
                if self.unwritten.get(name) is spool:
                    del self.unwritten[name]
            if stored is not None:
                spool.adopt_file(stored, stored.size)

        self.background_writer.write(write)


class JobLog:
    """A log that is read on request, unlike `LogTail`."""

    def __init__(
        self, source: LogSource, cached_log: CachedLog, errors: ErrorRules | None = None
    ) -> None:
        self._source = source
        self._cached_log = cached_log
        self._copy = LogCopy(errors)

    @property
    def document(self) -> Log:
        return self._copy.document

    @property
    def job(self) -> int:
        return self._source.job

    @property
    def transfer(self) -> float:
        return self._source.transfer

    def take_reset(self) -> bool:
        """Return whether the document was replaced since the last call."""
        reset, self._copy.reset = self._copy.reset, False
        return reset

    async def recall(self) -> bool:
        stored = await self._cached_log.get()
        if stored is None:
            return False
        await self._copy.adopt(stored)
        await self._copy.indexer.index_lines()
        self._copy.complete()
        self._copy.document.finish()
        return True

    async def read(self, urgency: Urgency, *, final: bool) -> None:
        """Fetch new bytes; cache the log on disk if the job had ended (`final`)."""
        await self._source.read(self._copy, urgency)
        if final:
            self._copy.document.finish()
            self._cached_log.put(self._copy.document.spool)

    def close(self) -> None:
        # Not closed: the background writer may still need its bytes.
        self._copy = LogCopy()


def is_refusal(error: PlatuiError) -> bool:
    """Return whether an error is lasting for this log only, so that retrying is useless."""
    return isinstance(error, ApiError) and not isinstance(
        error, RateLimitedError | ServerFailedError | UnauthorizedError
    )


class JobLogs:
    """Provides the logs of one platform; tracks its range and compression support."""

    def __init__(
        self,
        context: ServiceContext,
        caller: ApiClient,
        line: ConnectionWatch,
        store: PageStore,
        cache: PageCache,
    ) -> None:
        self.caller = caller
        self.line = line
        self.clock = context.clock
        self.range_support = RangeSupport()
        self.compression = CompressionSupport()
        self.recent = RecentLogs(context.clock)
        self.ends: LruCache[tuple[ProjectRef, int, int], Log] = LruCache(_ENDS)
        """The last lines of ended logs, by project, job and bytes of the log."""
        self._context = context
        self._store = store
        self._cache = cache
        self._unwritten: dict[EntryKey, LogSpool] = {}

    def log(self, project: ProjectRef, job: int, *, with_errors: bool = True) -> JobLog:
        errors = self.error_rules if with_errors else None
        return JobLog(LogSource(self, project, job), self.cached_log(project, job), errors)

    async def size(self, project: ProjectRef, job: int, urgency: Urgency) -> int | None:
        """Return a log's bytes by the header, without reading the body; None: unknown."""
        with self.line.observed():
            async with self.caller.stream_log(project, job, urgency, start=BEYOND) as stream:
                return stream.total

    def cached_log(self, project: ProjectRef, job: int) -> CachedLog:
        writer = self._context.background_writer
        return CachedLog(
            self._store, writer, lambda: self._cache.log_name(project, job), self._unwritten
        )

    @cached_property
    def error_rules(self) -> ErrorRules:
        from platui.service.logs.errors import error_rules  # noqa: PLC0415  (for the first log)

        return error_rules(self._context.settings.errors)
