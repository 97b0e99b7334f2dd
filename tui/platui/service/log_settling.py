"""Finding the lines of a log that grows, where that holds nobody up."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.logs import Log

IN_THE_LOOP: Final = 16 * 1024
"""Bytes whose lines are found at once: where every line is an error it takes ten milliseconds."""


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
