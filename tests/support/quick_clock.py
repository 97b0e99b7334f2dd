"""A clock for code that waits while real sockets work."""

from __future__ import annotations

import asyncio

from tests.support.clock import FakeClock


class QuickClock(FakeClock):
    """Remembers how long it was asked to sleep, and moves its own time by that instead."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Let others run, and be that much later."""
        self.slept.append(seconds)
        self.jump(max(0.0, seconds))
        await asyncio.sleep(0)
