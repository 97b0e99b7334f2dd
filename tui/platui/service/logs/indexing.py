"""Index the lines of a growing log without blocking the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

from platui.service.cancellation import cancel_and_wait, computed

if TYPE_CHECKING:
    from platui.logs import Log
    from platui.service.logs.copy import LogCopy

# bytes to index in the event loop: at most 10 ms, where every line is an error
IN_THE_LOOP: Final = 16 * 1024

PAUSE: Final = 0.05  # minimum seconds between two runs, which cost the same for any size
REST: Final = 10.0  # minimum pause in multiples of the last run, since each one costs a frame too


class LogIndexer:
    """Indexes new bytes of one log, in one thread at a time."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._indexed = 0
        self._thread: asyncio.Future[None] | None = None

    @property
    def is_little(self) -> bool:
        return self._thread is None and self._pending <= IN_THE_LOOP

    @property
    def _pending(self) -> int:
        return self._log.size - self._indexed

    async def index_lines(self) -> None:
        """Index the lines of new bytes, in a thread if there are many."""
        while self._thread is not None:
            # The earlier caller was cancelled, the thread was not.
            await self._end_of(self._thread)
        pending, self._indexed = self._pending, self._log.size
        if pending > IN_THE_LOOP:
            self._thread = asyncio.ensure_future(computed(self._log.take_in))
            self._thread.add_done_callback(self._has_ended)
            await self._end_of(self._thread)
        elif pending:
            self._log.take_in()

    async def _end_of(self, thread: asyncio.Future[None]) -> None:
        """Wait for a thread, and handle its end before its callback does."""
        try:
            await asyncio.shield(thread)
        finally:
            if thread.done():
                self._has_ended(thread)

    def _has_ended(self, thread: asyncio.Future[None]) -> None:
        if thread is not self._thread:
            return  # handled already
        self._thread = None
        if thread.cancelled() or thread.exception() is not None:
            self._indexed = 0  # unknown progress: index again


@asynccontextmanager
async def index_in_background(
    copy: LogCopy, on_indexed: Callable[[], None]
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Index lines while bytes arrive, by the yielded function, and the rest at the end."""
    came, is_pending = asyncio.Event(), False

    async def index_lines() -> None:
        nonlocal is_pending
        came.clear()
        await copy.indexer.index_lines()
        is_pending = came.is_set()
        on_indexed()

    async def on_bytes() -> None:
        nonlocal is_pending
        if copy.indexer.is_little:
            await index_lines()
        else:
            is_pending = True
            came.set()

    async def run_loop() -> None:
        while await came.wait():
            began = monotonic()
            await index_lines()
            await asyncio.sleep(max(PAUSE, (monotonic() - began) * REST))

    task = asyncio.ensure_future(run_loop())
    try:
        yield on_bytes
    except asyncio.CancelledError:
        is_pending = False  # The caller does not wait for the rest
        raise
    finally:
        await cancel_and_wait(task)
        if not task.cancelled():
            task.result()
        if is_pending:
            await index_lines()
