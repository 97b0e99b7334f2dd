"""A clock whose wall time stands still while waiting goes on: for pictures of a live program."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime

NIGHT = datetime(2026, 3, 14, 3, 12, 0, tzinfo=UTC)


class FrozenClock:
    """It is always the same moment; sleeping takes its real time."""

    def __init__(self, moment: datetime = NIGHT) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """Return the moment."""
        return self.moment

    def monotonic(self) -> float:
        """Return real seconds, so that waits and budgets work."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for real."""
        await asyncio.sleep(max(0.0, seconds))


class StillClock(FrozenClock):
    """Not even milliseconds pass, so that nothing has taken any time."""

    def monotonic(self) -> float:
        """Return always the same."""
        return 1000.0
