"""A clock that is moved by hand."""

from __future__ import annotations

import asyncio
import heapq
import time
from datetime import UTC, datetime, timedelta
from itertools import count

from platui.core.clock import SystemClock

START = datetime(2026, 3, 14, 3, 12, 0, tzinfo=UTC)


class FakeClock:
    """Time stands still until `advance`; sleepers wake in order, each at its time."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._elapsed = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        """Return the wall time."""
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        """Return seconds since the start, plus a thousand so that nothing leans on zero."""
        return 1000.0 + self._elapsed

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has been moved that far."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        wake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed + seconds, next(self._order), wake))
        await wake

    def jump(self, seconds: float) -> None:
        """Move the time without waking anybody: for code that does not wait."""
        self._elapsed += seconds

    async def advance(self, seconds: float) -> None:
        """Move the time, waking each sleeper at its moment and letting it run."""
        target = self._elapsed + seconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= target:
            at, _, wake = heapq.heappop(self._sleepers)
            self._elapsed = max(self._elapsed, at)
            if not wake.done():
                wake.set_result(None)
            await self.settle()
        self._elapsed = target
        await self.settle()

    async def settle(self) -> None:
        """Let every task that is ready run."""
        for _ in range(20):
            await asyncio.sleep(0)


class FastClock:
    """The machine's time, run through faster; several threads may look at it."""

    def __init__(self, factor: float = 1.0, start: datetime | None = None) -> None:
        self._factor = factor
        self._start = start or SystemClock().now()
        self._began = time.monotonic()

    def now(self) -> datetime:
        """Return the wall time, which runs away from the machine's."""
        return self._start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        """Return seconds since the start."""
        return (time.monotonic() - self._began) * self._factor

    async def sleep(self, seconds: float) -> None:
        """Wait for what is a shorter time on the machine's clock."""
        await asyncio.sleep(max(0.0, seconds) / self._factor)
