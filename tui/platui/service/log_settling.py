"""Finding the lines of a log that grows, where that holds nobody up."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from platui.logs import Log

IN_THE_LOOP: Final = 16 * 1024
"""Bytes whose lines are found at once: where every line is an error it takes ten milliseconds."""

PAUSE: Final = 0.05
"""Seconds between two times, while bytes stream in: each costs the same, however many came."""


class Settling:
    """Takes in what the spool of one log got; one thread at a time does."""

    def __init__(self, log: Log) -> None:
        """Begin with a log of which nothing is taken in."""
        self._log = log
        self._settled = 0
        self._thread: asyncio.Future[None] | None = None

    async def settle(self) -> None:
        """Find the lines in what came since; where that is much, in a thread."""
        if self._thread is not None:
            # Who waited before was called off; the thread was not.
            await asyncio.shield(self._thread)
        pending, self._settled = self._log.size - self._settled, self._log.size
        if pending > IN_THE_LOOP:
            self._thread = asyncio.ensure_future(asyncio.to_thread(self._log.take_in))
            await asyncio.shield(self._thread)
        elif pending:
            self._log.take_in()
        self._thread = None


@asynccontextmanager
async def settling_beside(
    settle: Callable[[], Awaitable[None]], told: Callable[[], None]
) -> AsyncIterator[Callable[[], None]]:
    """Find lines beside bytes coming; yields what is to be called when some came.

    Args:
        settle: finds the lines in what came; called again and again, and at the end.
        told: told after each time that found any.
    """
    came, has_news = asyncio.Event(), False

    def take_note() -> None:
        nonlocal has_news
        has_news = True
        came.set()

    async def beside() -> None:
        while await came.wait():
            came.clear()
            await settle()
            told()
            await asyncio.sleep(PAUSE)

    task = asyncio.ensure_future(beside())
    try:
        yield take_note
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()
        if has_news:
            await settle()
            told()
