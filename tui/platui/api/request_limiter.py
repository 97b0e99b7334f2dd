"""Limit concurrent requests by priority, without busy waiting."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import TYPE_CHECKING, Final

from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from platui.api.budget import Budget
    from platui.core.clock import Clock

CONCURRENCY: Final = 6

_RANK: Final = {Urgency.USER: 0, Urgency.VISIBLE: 1, Urgency.BACKGROUND: 2}

_SHARE: Final = {Urgency.USER: 1.0, Urgency.VISIBLE: 0.95, Urgency.BACKGROUND: 0.75}
"""Share of the quota at which each class stops; the rest is reserved for higher classes."""


class RequestLimiter:
    """Starts requests by priority, then by age, within quota and connections."""

    def __init__(self, budget: Budget, clock: Clock, concurrency: int = CONCURRENCY) -> None:
        self.budget = budget
        self._clock = clock
        # One or two connections stay free of slow background work for urgent requests.
        self._room = {urgency: max(1, concurrency - rank) for urgency, rank in _RANK.items()}
        self._inside = 0
        self._order = count()
        self._waiting: list[tuple[int, int, Urgency, asyncio.Future[None]]] = []
        """A heap of rank, age, class and turn."""
        self._wake_up_task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def enter(self, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for a turn; the request is counted at that moment."""
        await self._turn(urgency)
        try:
            yield
        finally:
            self._inside -= 1
            self._serve()

    @property
    def waiting(self) -> int:
        return sum(not turn.cancelled() for *_, turn in self._waiting)

    async def _turn(self, urgency: Urgency) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (_RANK[urgency], next(self._order), urgency, turn))
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._inside -= 1  # the turn came while canceling
            self._serve()
            raise

    def _serve(self) -> None:
        """Start all requests that may start, and schedule a wake-up for the next one."""
        while self._waiting:
            *_, urgency, turn = self._waiting[0]
            if turn.cancelled():
                heapq.heappop(self._waiting)
                continue
            if self._inside >= self._room[urgency]:
                self._schedule_wake_up(None)  # the next finished request calls again
                return
            ceiling = max(1, int(self.budget.limit * _SHARE[urgency]))
            delay = self.budget.wait_for(ceiling)
            if delay > 0:
                # Later requests need at least as much as the first.
                self._schedule_wake_up(delay)
                return
            heapq.heappop(self._waiting)
            self._inside += 1
            self.budget.spend()
            turn.set_result(None)
        self._schedule_wake_up(None)

    def _schedule_wake_up(self, delay: float | None) -> None:
        if self._wake_up_task is not None and self._wake_up_task is not asyncio.current_task():
            self._wake_up_task.cancel()
        self._wake_up_task = None if delay is None else asyncio.create_task(self._wake_up(delay))

    async def _wake_up(self, delay: float) -> None:
        await self._clock.sleep(delay)
        self.budget.refresh()
        self._serve()
