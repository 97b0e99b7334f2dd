"""The budget as the ui observes it: counts fall as requests leave the last minute."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.api.budget import Budget
    from platui.core.clock import Clock
    from platui.core.observers import Observable
    from platui.models.values.connection import BudgetState

STEP: Final = 5.0
"""Seconds between two looks at what time alone has changed."""


class BudgetMirror:
    """Shows the budget; its one timer runs only while there is something to count down."""

    def __init__(self, budget: Budget, shown: Observable[BudgetState], clock: Clock) -> None:
        self._budget = budget
        self._shown = shown
        self._clock = clock
        self._timer: asyncio.Task[None] | None = None
        self._stop = budget.changes.observe(self._changed)
        self._changed(budget.state())

    def close(self) -> None:
        """Stop counting."""
        self._stop()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self, state: BudgetState) -> None:
        """Show a state, and see to it that it does not stay when time passes."""
        # Not from inside the request that changed it: what an observer raises is its own affair.
        asyncio.get_running_loop().call_soon(self._shown.set, state)
        if _falls(state) and (self._timer is None or self._timer.done()):
            self._timer = asyncio.ensure_future(self._count_down())

    async def _count_down(self) -> None:
        """Look again every few seconds, and when a pause ends, until all is quiet."""
        while _falls(state := self._budget.state()):
            pause = STEP
            if state.paused_until is not None:
                pause = min(STEP, max(0.1, state.paused_until - self._clock.monotonic()))
            await self._clock.sleep(pause)
            self._budget.refresh()


def _falls(state: BudgetState) -> bool:
    return state.used > 0 or state.paused_until is not None
