"""A wake-up event that ends waits early."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.core.clock import Clock


class WakeUp:
    """Ends one wait early; set before a wait, it ends the next one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._event = asyncio.Event()
        self.set = self._event.set

    async def wait(self, seconds: float | None) -> bool:
        """Wait for the seconds, None: for ever; return whether the event was set."""
        if seconds is None:
            await self._event.wait()
        elif not self._event.is_set():
            waits = {
                asyncio.ensure_future(self._clock.sleep(seconds)),
                asyncio.ensure_future(self._event.wait()),
            }
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
        was_set = self._event.is_set()
        self._event.clear()
        return was_set
