"""Waiting that can be cut short."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.core.clock import Clock


class Alarm:
    """Wakes one sleeper early. A ring that nobody heard is kept for the next wait."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake the sleeper, or keep the next one from falling asleep."""
        self._rung.set()

    async def wait(self, seconds: float | None) -> bool:
        """Wait so long, or without end for None; return whether the alarm rang."""
        if seconds is None:
            await self._rung.wait()
        elif not self._rung.is_set():
            await self._doze(seconds)
        rang = self._rung.is_set()
        self._rung.clear()
        return rang

    async def _doze(self, seconds: float) -> None:
        """Wait for the time or the ring, whichever is first, and leave no task behind."""
        waits = {
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._rung.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
