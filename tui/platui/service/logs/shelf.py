"""The log of a finished job, kept for the credential that may see it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.logs.spool import LogSpool

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.service.background_writer import BackgroundWriter
    from platui.service.page_cache import PageCache
    from platui.store.logs import LogStore


class LogShelf:
    """Where the logs of one platform are kept: read in a thread, written behind one's back."""

    def __init__(
        self, logs: LogStore, background_writer: BackgroundWriter, origin: str, cache: PageCache
    ) -> None:
        self._logs = logs
        self._background_writer = background_writer
        self._origin = origin
        self._cache = cache

    async def get(self, project: ProjectRef, job: int) -> LogSpool | None:
        owner = self._cache.owner
        kept = await asyncio.to_thread(self._logs.get, self._origin, owner, project, job)
        if kept is None:
            return None
        if not isinstance(kept, bytes):
            return LogSpool(kept.file, kept.size)
        spool = LogSpool()
        spool.append(kept)
        return spool

    def put(self, project: ProjectRef, job: int, spool: LogSpool) -> None:
        """Keep a finished job's log; the spool holds a long one no second time then."""
        owner, size = self._cache.owner, spool.size

        def write() -> None:
            pieces = spool.slices(0, size)
            stored = self._logs.put(self._origin, owner, project, job, size, pieces)
            if stored is not None:
                spool.lies_in(stored.file, stored.size)

        self._background_writer.write(write)


class KeptLog:
    """The place of one job's log on the shelf."""

    def __init__(self, shelf: LogShelf, project: ProjectRef, job: int) -> None:
        self._shelf = shelf
        self._project = project
        self._job = job
        self._kept: tuple[LogSpool, int] | None = None

    async def get(self) -> LogSpool | None:
        spool = await self._shelf.get(self._project, self._job)
        self._kept = None if spool is None else (spool, spool.size)
        return spool

    def put(self, spool: LogSpool) -> None:
        """Keep the log; one that lies there already is not written again."""
        if self._kept != (spool, spool.size):
            self._kept = (spool, spool.size)
            self._shelf.put(self._project, self._job, spool)
