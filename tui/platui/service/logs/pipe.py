"""The log of a pipe, which ends with its writer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileReadError
from platui.logs import Log
from platui.models.values.log import ErrorRules, LogState, LogUpdate
from platui.service.cancellation import cancel_and_wait
from platui.service.feeds.wake_up import WakeUp
from platui.service.logs.indexing import LogIndexer

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.core.open_file import OpenFile

GAP: Final = 0.1  # seconds between two updates

_CHUNK: Final = 256 * 1024


class PipeFeed:
    """The feed of a pipe, read while iterated."""

    def __init__(self, file: OpenFile, clock: Clock, errors: ErrorRules) -> None:
        self._file = file
        self._clock = clock
        self._log = Log(errors=errors)
        self._indexer = LogIndexer(self._log)
        self._news = WakeUp(clock)
        self._state = LogState.FOLLOWING
        self._last_growth: datetime | None = None
        self._error: FileReadError | None = None

    async def __aiter__(self) -> AsyncIterator[LogUpdate]:
        reading = asyncio.ensure_future(self._read())
        reading.add_done_callback(lambda _: self._news.set())
        shown: tuple[int, LogState] | None = None
        try:
            while True:
                now = (self._log.version, self._state)
                if now == shown:
                    if reading.done():
                        reading.result()
                    await self._news.wait(None)
                    continue
                shown = now
                yield LogUpdate(
                    self._log,
                    self._state,
                    "",
                    last_growth=self._last_growth,
                    fetched_at=self._clock.now(),
                    error=self._error,
                    is_current=True,
                )
                await self._clock.sleep(GAP)
        finally:
            await cancel_and_wait(reading)

    def refresh(self) -> None:
        """Do nothing: a pipe is read continuously."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Do nothing: pausing would block the writer."""

    async def _read(self) -> None:
        if self._state is LogState.ENDED:
            return
        try:
            while data := await _receive(self._file):
                self._log.spool.append(data)
                await self._indexer.index_lines()
                self._last_growth = self._clock.now()
                self._news.set()
                # Available bytes arrive without a pause: let key presses through.
                await asyncio.sleep(0)
        except OSError as error:
            self._error = FileReadError(f"Reading failed: {error.strerror}.")
        await self._indexer.index_lines()
        self._log.finish()
        self._state = LogState.ENDED
        self._news.set()


async def _receive(file: OpenFile) -> bytes:
    """Return the next bytes; empty at the end. Raises OSError: reading failed."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    try:
        loop.add_reader(file.fileno(), readable.set)
    except PermissionError:  # such as /dev/null, which never blocks
        return os.read(file.fileno(), _CHUNK)
    try:
        while True:
            await readable.wait()
            try:
                return os.read(file.fileno(), _CHUNK)
            except BlockingIOError:
                readable.clear()
    finally:
        loop.remove_reader(file.fileno())
