"""Reading one log from the platform into our copy of it."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from math import inf
from time import process_time
from typing import TYPE_CHECKING, Final

from platui.core.errors import InvalidResponseError, PlatuiError
from platui.service.logs.end import PATIENCE, LogEnd
from platui.service.logs.indexing import index_in_background

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from platui.api.api_client import ApiClient
    from platui.api.log_stream import LogStream
    from platui.core.clock import Clock
    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.service.connection_state import ConnectionWatch
    from platui.service.logs.copy import LogCopy

WORTH_IT: Final = 4 * 1024 * 1024
"""Bytes of a log from which it matters how it came, and can be told."""

BUSY: Final = 0.2
"""Share of a transfer that a processor worked from which it may not be the line that took time:
the platform, which packs, is no faster than we are."""

SLOWER: Final = 2.0
"""How much slower than packed a log may come unpacked."""

TRIAL: Final = 2.0
"""Seconds after which it is seen how fast a log comes unpacked."""

MIN_RANGE_BYTES: Final = 16 * 1024
"""Bytes from which the first try for a part is worth its lost compression."""

OVERLAP: Final = 64
"""Known bytes that are asked for again, to see that the log is still the same."""


class RangeSupport:
    """Whether the platform honours `Range` requests for logs."""

    def __init__(self) -> None:
        self._honoured: bool | None = None

    @property
    def may_be_honoured(self) -> bool:
        return self._honoured is not False

    def start_for(self, size: int) -> int:
        """Return the byte to ask from when `size` are known; 0 asks for the whole log."""
        if self._honoured is False or size < MIN_RANGE_BYTES:
            return 0
        return size - OVERLAP

    def learn(self, *, asked: int, came: int) -> None:
        if asked > 0:
            self._honoured = came == asked


class CompressionSupport:
    """Whether to request logs compressed.

    A log that is sent whole each time has to be unpacked each time, which is most of what
    following it costs; to pack it costs the platform more still. Over a line that is fast
    enough it is asked for as it is, until that turns out slow.
    """

    def __init__(self) -> None:
        self._is_work = False
        """Whether what came packed took the processor's time rather than the line's."""
        self._packed_speed = self._plain_speed = 0.0  # bytes of the log a second

    @property
    def is_requested(self) -> bool:
        return not self._is_work or 0 < self._plain_speed * SLOWER < self._packed_speed

    def is_too_slow(self, came: int, seconds: float) -> bool:
        """Return whether to request compression instead of what comes unpacked; remember that."""
        if seconds < TRIAL or came >= seconds * self._packed_speed / SLOWER:
            return False
        self._plain_speed = came / seconds
        return True

    def learn(self, *, packed: bool, size: int, seconds: float, cpu_seconds: float) -> None:
        """Take note of a whole log that came.

        `cpu_seconds`: seconds of a processor that went into it.
        """
        if size < WORTH_IT or seconds <= 0:
            return
        if packed:
            self._is_work = cpu_seconds > seconds * BUSY
            self._packed_speed = size / seconds
        else:
            self._plain_speed = size / seconds


WITHOUT_PAUSE: Final = 256 * 1024
"""Bytes that are held against what is there at once: less than a millisecond's work."""

FORGETS: Final = 1.25
"""By how much the cost of a byte may have grown from one look to the next."""

FIRST_LOOK: Final = 5e-9
"""Seconds that a byte takes at the most when a log is read for the first time.

The process has much else to do then: it shows its first frames.
"""


class CpuCost:
    """Seconds of a processor that a look takes, by what the cheapest of late took for a byte.

    What the clock of the process tells has in it all that the user did during the look: a
    search, or a key that was held. Taken at its word, that would put the next look off.
    """

    def __init__(self) -> None:
        self._per_byte = inf

    def of(self, seconds: float, size: int, *, first: bool = False) -> float:
        """Return the seconds that a look took by itself.

        `seconds`: of a processor that the process took meanwhile.
        """
        if size <= 0:
            return 0.0
        if first:
            seconds = min(seconds, size * FIRST_LOOK)
        self._per_byte = min(seconds / size, self._per_byte * FORGETS)
        return self._per_byte * size


class LogSource:
    """Asks for one job's log: unchanged, a part, or the whole of it."""

    def __init__(
        self,
        caller: ApiClient,
        line: ConnectionWatch,
        range_support: RangeSupport,
        compression: CompressionSupport,
        clock: Clock,
        project: ProjectRef,
        job: int,
    ) -> None:
        self.transfer = 0.0
        self.cpu_seconds = 0.0
        """Seconds of a processor that it took to find what was new in it."""
        self._caller = caller
        self._line = line
        self._range_support = range_support
        self._compression = compression
        self._clock = clock
        self._project = project
        self._job = job
        self._cpu_cost = CpuCost()
        self._etag: str | None = None

    async def read(
        self, copy: LogCopy, urgency: Urgency, grew: Callable[[], None] | None = None
    ) -> None:
        """Bring the copy up to date.

        `grew`: told at each chunk that changed the copy; None where nobody looks at it before all
        is there: then its end is not asked for ahead of the rest.
        Raises PlatuiError: no usable answer; what came before it stays.
        """
        known, begun, number = copy.size, process_time(), self._line.begin()
        try:
            start = self._range_support.start_for(known)
            if not await self._read_from(start, copy, urgency, grew):
                # Less is there than we have, or something else: the log is another one. Or it
                # is the same, and comes faster in another way.
                self._etag = None
                await self._read_from(0, copy, urgency, grew)
        except PlatuiError as error:
            self._line.failed(error, number)
            raise
        finally:
            # The platform sends a running job's log from its first byte each time.
            self.cpu_seconds = self._cpu_cost.of(process_time() - begun, copy.size, first=not known)
        self._line.answered(number)

    async def _read_from(
        self, start: int, copy: LogCopy, urgency: Urgency, grew: Callable[[], None] | None
    ) -> bool:
        """Read the log from a byte on; return False where it has to be read from the first one.

        What is there does not join on, or it comes too slowly as it is.
        """
        end, asked_plain = None, start > 0 or not self._compression.is_requested
        if grew is not None:
            end = LogEnd(lambda at: self._open(at, urgency), self._range_support, grew)
        async with self._open(start, urgency, self._etag) as stream:
            began, worked = self._clock.monotonic(), process_time()
            if stream.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return False
            if not stream.not_modified:
                self._range_support.learn(asked=start, came=stream.start)
                try:
                    whole = stream.status == HTTPStatus.OK and not stream.packed
                    if not await self._take(
                        stream, copy, end, grew or _nobody, may_be_packed=asked_plain and whole
                    ):
                        return False
                finally:
                    copy.awaits_end = False
                    if end is not None:
                        await end.close()
                self._etag = stream.etag
            self.transfer = self._clock.monotonic() - began
            if stream.status == HTTPStatus.OK:
                self._compression.learn(
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
        """Hold the bytes that come against the copy; return False where it is not to be ended.

        A part is of another log, or the whole came sooner if it was asked for packed.
        """
        clock, began = self._clock, self._clock.monotonic()
        is_first = copy.size == 0
        if not copy.begin(stream.start):
            raise InvalidResponseError("A part of the log came that does not join on to the rest.")
        copy.awaits_end = is_first and end is not None and end.may_come_first(stream.total)
        shown_by = clock.monotonic() + PATIENCE
        size = since_pause = 0
        async with index_in_background(copy, grew) as came:
            async for chunk in stream.chunks():
                if stream.start and copy.contradicts(chunk):
                    # What stands before this part is not that of this log either, or may not be.
                    return False
                if copy.take(chunk):
                    await came()
                    if is_first and end is not None:
                        end.ask_for(copy, stream.total)
                    copy.awaits_end = copy.awaits_end and clock.monotonic() < shown_by
                # Chunks that are there already come without a pause: keys must get through.
                since_pause += len(chunk)
                if since_pause >= WITHOUT_PAUSE:
                    size, since_pause = size + since_pause, 0
                    if may_be_packed and self._compression.is_too_slow(
                        size, clock.monotonic() - began
                    ):
                        return False
                    await asyncio.sleep(0)
        if copy.end():
            await copy.index_lines()
            grew()
        copy.complete()
        return True

    def _open(
        self, start: int, urgency: Urgency, etag: str | None = None
    ) -> AbstractAsyncContextManager[LogStream]:
        return self._caller.stream_log(
            self._project,
            self._job,
            urgency,
            start=start,
            etag=etag,
            packed=self._compression.is_requested,
        )


def _nobody() -> None:
    """Tell nobody: the log is looked at when all of it is there."""
