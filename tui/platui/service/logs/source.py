"""Load one log from the platform into the local copy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from math import inf
from time import process_time
from typing import TYPE_CHECKING, Final

from platui.core.errors import InvalidResponseError
from platui.service.logs.end import PATIENCE, LogEnd
from platui.service.logs.indexing import index_in_background

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from platui.api.api_client import LogStream
    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.service.connection_state import ObservedRequest
    from platui.service.logs.copy import LogCopy
    from platui.service.logs.job_logs import JobLogs

MIN_MEASURED_BYTES: Final = 4 * 1024 * 1024  # minimum bytes of a log for measuring the transfer
BUSY: Final = 0.2  # share of CPU time in a transfer above which unpacking may be the bottleneck
SLOWER: Final = 2.0  # how much slower than compressed an uncompressed log may arrive
TRIAL: Final = 2.0  # seconds until the speed of an uncompressed log is judged

# minimum bytes for a first range request, which loses compression
MIN_RANGE_BYTES: Final = 16 * 1024

OVERLAP: Final = 64  # known bytes to request again, to verify that the log is the same


class RangeSupport:
    """Whether the platform honours `Range` requests for logs."""

    def __init__(self) -> None:
        self._honoured: bool | None = None

    @property
    def may_be_honoured(self) -> bool:
        return self._honoured is not False

    def start_for(self, size: int) -> int:
        """Return the byte to request from when `size` are known; 0: the whole log."""
        if self._honoured is False or size < MIN_RANGE_BYTES:
            return 0
        return size - OVERLAP

    def learn(self, *, asked: int, came: int) -> None:
        if asked > 0:
            self._honoured = came == asked


class CompressionSupport:
    """Whether to request logs compressed: unpacking costs more than a fast connection saves."""

    def __init__(self) -> None:
        # whether the CPU rather than the connection limited a compressed transfer
        self._is_cpu_bound = False
        self._packed_speed = self._plain_speed = 0.0  # bytes of the log a second

    @property
    def is_requested(self) -> bool:
        return not self._is_cpu_bound or 0 < self._plain_speed * SLOWER < self._packed_speed

    def is_too_slow(self, came: int, seconds: float) -> bool:
        """Return whether to request compression instead, and remember that."""
        if seconds < TRIAL or came >= seconds * self._packed_speed / SLOWER:
            return False
        self._plain_speed = came / seconds
        return True

    def learn(self, *, packed: bool, size: int, seconds: float, cpu_seconds: float) -> None:
        """Record a whole transfer; `cpu_seconds` were spent on it."""
        if size < MIN_MEASURED_BYTES or seconds <= 0:
            return
        if packed:
            self._is_cpu_bound = cpu_seconds > seconds * BUSY
            self._packed_speed = size / seconds
        else:
            self._plain_speed = size / seconds


# bytes to compare without yielding to the event loop: less than a millisecond
WITHOUT_PAUSE: Final = 256 * 1024

MAX_COST_GROWTH: Final = 1.25  # maximum growth of the cost of a byte from one poll to the next

# maximum seconds per byte of the first read, when the process is busy starting
MAX_FIRST_COST: Final = 5e-9

_TRIES: Final = 3  # a part, the whole, and the whole in another transfer mode


class CpuCost:
    """Estimates the CPU time of a poll by the cheapest recent cost per byte."""

    def __init__(self) -> None:
        self._per_byte = inf

    def of(self, seconds: float, size: int, *, first: bool = False) -> float:
        """Return the estimated CPU time of a poll; `seconds`: CPU time of the process meanwhile."""
        if size <= 0:
            return 0.0
        if first:
            seconds = min(seconds, size * MAX_FIRST_COST)
        self._per_byte = min(seconds / size, self._per_byte * MAX_COST_GROWTH)
        return self._per_byte * size


class LogSource:
    """Requests one job's log: unchanged, a part, or the whole of it."""

    def __init__(self, logs: JobLogs, project: ProjectRef, job: int) -> None:
        self.transfer = 0.0
        self.cpu_seconds = 0.0  # CPU time of the last read
        self._logs = logs
        self._clock = logs.clock
        self._project = project
        self.job = job
        self._cpu_cost = CpuCost()
        self._etag: str | None = None

    async def read(
        self, copy: LogCopy, urgency: Urgency, grew: Callable[[], None] | None = None
    ) -> None:
        """Update the copy, calling `grew` after each chunk (None: do not fetch the end first)."""
        known, begun = copy.size, process_time()
        try:
            with self._logs.line.observed() as request:
                start = self._logs.range_support.start_for(known)
                for _ in range(_TRIES):
                    if await self._read_from(start, copy, urgency, grew, request):
                        break
                    # The log was replaced, or another transfer mode is faster.
                    start, self._etag = 0, None
        finally:
            # The platform sends the whole log of a running job each time.
            self.cpu_seconds = self._cpu_cost.of(process_time() - begun, copy.size, first=not known)

    async def _read_from(
        self,
        start: int,
        copy: LogCopy,
        urgency: Urgency,
        grew: Callable[[], None] | None,
        request: ObservedRequest,
    ) -> bool:
        """Read the log from a byte; return False to read it from the start instead."""
        end, asked_plain = None, start > 0 or not self._logs.compression.is_requested
        if grew is not None:
            end = LogEnd(lambda at: self._open(at, urgency), self._logs.range_support, grew)
        async with self._open(start, urgency, self._etag, request.sent) as stream:
            request.answered()
            began, worked = self._clock.monotonic(), process_time()
            if stream.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return False
            if not stream.not_modified:
                self._logs.range_support.learn(asked=start, came=stream.start)
                try:
                    whole = stream.status == HTTPStatus.OK and not stream.packed
                    if not await self._take(
                        stream,
                        copy,
                        end,
                        grew or (lambda: None),
                        may_be_packed=asked_plain and whole,
                    ):
                        return False
                finally:
                    copy.awaits_end = False
                    if end is not None:
                        await end.close()
                self._etag = stream.etag
            self.transfer = self._clock.monotonic() - began
            if stream.status == HTTPStatus.OK:
                self._logs.compression.learn(
                    packed=stream.packed, size=copy.size, seconds=self.transfer,
                    cpu_seconds=process_time() - worked,
                )  # fmt: skip
        return True

    async def _take(
        self,
        stream: LogStream,
        copy: LogCopy,
        end: LogEnd | None,
        grew: Callable[[], None],
        *,
        may_be_packed: bool,
    ) -> bool:
        """Add the bytes of a response to the copy; return False to start again."""
        clock, began = self._clock, self._clock.monotonic()
        is_first, at = copy.size == 0, stream.start
        if not copy.begin(stream.start):
            raise InvalidResponseError(
                "The received part of the log does not continue the known part."
            )
        copy.awaits_end = is_first and end is not None and end.may_come_first(stream.total)
        shown_by = clock.monotonic() + PATIENCE
        size = since_pause = 0
        async with index_in_background(copy, grew) as came:
            async for chunk in stream.chunks():
                if stream.start and copy.contradicts(chunk):
                    # The part belongs to another log, so the bytes before it may too.
                    return False
                if copy.take(chunk):
                    await came()
                    if is_first and end is not None:
                        end.ask_for(copy, stream.total)
                    copy.awaits_end = copy.awaits_end and clock.monotonic() < shown_by
                at += len(chunk)
                # Available chunks arrive without a pause: let key presses through.
                since_pause += len(chunk)
                if since_pause >= WITHOUT_PAUSE:
                    size, since_pause = size + since_pause, 0
                    if may_be_packed and self._logs.compression.is_too_slow(
                        size, clock.monotonic() - began
                    ):
                        return False
                    await asyncio.sleep(0)
        if stream.start and stream.total is not None and at < stream.total:
            self._logs.range_support.learn(asked=stream.start, came=0)
            return False  # a part may be shorter than requested (RFC 9110, 15.3.7)
        if copy.end():
            await copy.indexer.index_lines()
            grew()
        copy.complete()
        return True

    def _open(
        self,
        start: int,
        urgency: Urgency,
        etag: str | None = None,
        before_send: Callable[[], Awaitable[None]] | None = None,
    ) -> AbstractAsyncContextManager[LogStream]:
        return self._logs.caller.stream_log(
            self._project,
            self.job,
            urgency,
            start=start,
            etag=etag,
            packed=self._logs.compression.is_requested,
            before_send=before_send,
        )
