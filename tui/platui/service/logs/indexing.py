"""Finding the lines of a log that grows, where that holds nobody up."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from platui.logs import Log

IN_THE_LOOP: Final = 16 * 1024
"""Bytes whose lines are found at once: where every line is an error it takes ten milliseconds."""

PAUSE: Final = 0.05
"""Seconds between two times, while bytes stream in: each costs the same, however many came."""

REST: Final = 10.0
"""How much longer than it took the pause is at the least: of a flood nobody reads a line that
goes by, and each time costs a frame, too."""


class LogIndexer:
    """Takes in what the spool of one log got; one thread at a time does."""

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
        while self._thread is not None:
            # Who waited before was called off; the thread was not.
            await self._end_of(self._thread)
        pending, self._indexed = self._pending, self._log.size
        if pending > IN_THE_LOOP:
            self._thread = asyncio.ensure_future(asyncio.to_thread(self._log.take_in))
            self._thread.add_done_callback(self._has_ended)
            await self._end_of(self._thread)
        elif pending:
            self._log.take_in()

    async def _end_of(self, thread: asyncio.Future[None]) -> None:
        """Wait for a thread, and know at once that it has ended: its callback comes later."""
        try:
            await asyncio.shield(thread)
        finally:
            if thread.done():
                self._has_ended(thread)

    def _has_ended(self, thread: asyncio.Future[None]) -> None:
        """Know that the thread does nothing more, whoever still waits for it."""
        if thread is not self._thread:
            return  # known already
        self._thread = None
        if thread.cancelled() or thread.exception() is not None:
            self._indexed = 0  # nobody knows how much of it was done


class Indexable(Protocol):
    """What has lines to be found."""

    @property
    def has_little_to_index(self) -> bool: ...

    async def index_lines(self) -> None: ...


@asynccontextmanager
async def index_in_background(
    copy: Indexable, told: Callable[[], None]
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Find lines beside bytes coming, of few at once, and all of them at the end.

    Yields what is to be called when some came.
    """
    came, untold = asyncio.Event(), False

    async def index_lines() -> None:
        nonlocal untold
        came.clear()
        await copy.index_lines()
        untold = came.is_set()
        told()

    async def take_note() -> None:
        nonlocal untold
        if copy.has_little_to_index:
            await index_lines()
        else:
            untold = True
            came.set()

    async def beside() -> None:
        while await came.wait():
            began = monotonic()
            await index_lines()
            await asyncio.sleep(max(PAUSE, (monotonic() - began) * REST))

    task = asyncio.ensure_future(beside())
    try:
        yield take_note
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()
        if untold:
            await index_lines()
