"""The log of a finished job, kept for the credential that may see it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.service.page_cache import PageCache
    from platui.service.scribe import Scribe
    from platui.store.logs import LogStore


class LogShelf:
    """Where the logs of one platform are kept: read in a thread, written behind one's back."""

    def __init__(self, logs: LogStore, scribe: Scribe, origin: str, cache: PageCache) -> None:
        self._logs = logs
        self._scribe = scribe
        self._origin = origin
        self._cache = cache

    async def get(self, project: ProjectRef, job: int) -> bytes | None:
        """Return a finished job's log; None where it is not kept."""
        owner = self._cache.owner
        return await asyncio.to_thread(self._logs.get, self._origin, owner, project, job)

    def put(self, project: ProjectRef, job: int, content: bytes) -> None:
        """Keep a finished job's log."""
        owner = self._cache.owner
        self._scribe.write(lambda: self._logs.put(self._origin, owner, project, job, content))


class KeptLog:
    """The place of one job's log on the shelf."""

    def __init__(self, shelf: LogShelf, project: ProjectRef, job: int) -> None:
        self._shelf = shelf
        self._project = project
        self._job = job

    async def get(self) -> bytes | None:
        """Return the log; None where it is not kept."""
        return await self._shelf.get(self._project, self._job)

    def put(self, content: bytes) -> None:
        """Keep the log."""
        self._shelf.put(self._project, self._job, content)
