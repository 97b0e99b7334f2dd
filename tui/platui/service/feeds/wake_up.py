"""A wake-up event: waits for it end early."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.core.clock import Clock


class WakeUp:
    """Ends one wait early; set while nothing waits, it ends the next wait."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._event = asyncio.Event()

    def set(self) -> None:
        self._event.set()

    async def wait(self, seconds: float | None) -> bool:
        """Wait so long, or without end for None; return whether it was set."""
        if seconds is None:
            await self._event.wait()
        elif not self._event.is_set():
            await self._doze(seconds)
        was_set = self._event.is_set()
        self._event.clear()
        return was_set

    async def _doze(self, seconds: float) -> None:
        """Wait for the time or the event, whichever is first, and leave no task behind."""
        waits = {
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._event.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
