"""Request the end of a long log first, while the rest is still loading."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.errors import PlatuiError
from platui.logs.preview import TAIL, preview_of
from platui.logs.stamps import STAMP_LENGTH
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from platui.api.api_client import LogStream
    from platui.logs import Log
    from platui.models.values.queries import ProjectRef
    from platui.service.logs.copy import LogCopy
    from platui.service.logs.job_logs import JobLogs
    from platui.service.logs.source import RangeSupport

MIN_END_BYTES: Final = 512 * 1024  # minimum size of a log for two more requests
PATIENCE: Final = 0.7  # seconds to wait for the end before the beginning is shown

# a byte beyond any log: requesting it returns the length of the log without content
BEYOND: Final = 10**14


@dataclass(eq=False)
class LogEnd:
    """Requests the last bytes once, if the log is long and ranges are supported."""

    open_from: Callable[[int], AbstractAsyncContextManager[LogStream]]
    range_support: RangeSupport
    came: Callable[[], None]
    _task: asyncio.Task[None] | None = None

    def may_come_first(self, total: int | None) -> bool:
        """Return whether to wait for the end of a log of this size."""
        return self.range_support.may_be_honoured and (total is None or total >= MIN_END_BYTES)

    def ask_for(self, copy: LogCopy, total: int | None) -> None:
        """Request the end of a log of `total` bytes in the background, once and if it is long."""
        long = max(copy.size, total or 0) >= MIN_END_BYTES and copy.size >= STAMP_LENGTH
        if long and self._task is None and self.range_support.may_be_honoured:
            self._task = asyncio.ensure_future(self._fetch(copy, total))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            if not self._task.cancelled():
                self._task.result()

    async def _fetch(self, copy: LogCopy, total: int | None) -> None:
        try:
            size = await self._size() if total is None else total
            if size is not None and size - copy.size > TAIL:
                await self._fetch_last(copy, size)
        except PlatuiError:
            # The whole log is loading anyway, and reports connection errors.
            pass
        finally:
            copy.awaits_end = False
            self.came()

    async def _size(self) -> int | None:
        async with self.open_from(BEYOND) as stream:
            if stream.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return stream.total
            self.range_support.learn(asked=BEYOND, came=stream.start)
            return None

    async def _fetch_last(self, copy: LogCopy, size: int) -> None:
        start = size - TAIL
        async with self.open_from(start) as stream:
            if stream.status != HTTPStatus.PARTIAL_CONTENT:
                self.range_support.learn(asked=start, came=0)
                return
            self.range_support.learn(asked=start, came=stream.start)
            if stream.start != start:
                return
            tail = await _first_of(stream, 2 * TAIL)
        head = copy.document.read(0, STAMP_LENGTH)
        copy.show_end(preview_of(head, tail, start + len(tail)), start + len(tail))


async def read_end(
    logs: JobLogs, project: ProjectRef, job: int, size: int, length: int
) -> Log | None:
    """Return about `length` last bytes of an ended log of `size` bytes; None: no range support.

    Raises PlatuiError.
    """
    key = (project, job, size)
    if (known := logs.ends.get(key)) is not None:
        return known
    if not logs.range_support.may_be_honoured:
        return None
    start = size - length
    with logs.line.observed():
        async with logs.caller.stream_log(project, job, Urgency.BACKGROUND, start=start) as stream:
            logs.range_support.learn(asked=start, came=stream.start)
            if stream.status != HTTPStatus.PARTIAL_CONTENT or stream.start != start:
                return None
            tail = await _first_of(stream, length)
    first = tail.find(b"\n") + 1
    head = tail[first : first + STAMP_LENGTH]
    end = await asyncio.to_thread(preview_of, head, tail, size, logs.error_rules)
    if end is None:
        return None
    logs.ends.put(key, end.document)
    return end.document


async def _first_of(stream: LogStream, length: int) -> bytes:
    """Read a response up to about `length`, to bound memory for a fast growing log."""
    tail = bytearray()
    async for piece in stream.chunks():
        tail += piece
        if len(tail) >= length:
            break
    return bytes(tail)
