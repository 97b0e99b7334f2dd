"""A word on stderr where a command stands still because the quota is spent."""

from __future__ import annotations

import asyncio
from math import ceil
from typing import TYPE_CHECKING, Final, Self

from platui.cli.patience import narrate

if TYPE_CHECKING:
    from platui.models.values.connection import BudgetState
    from platui.service import PlatformService

_WORTH: Final = 3.0
"""Seconds of a pause of which something is said."""
_STILL: Final = 1.0
"""Seconds for which a command goes on with what it has already."""


class QuotaWait:
    """Says once of each pause how long it is, to a terminal and into a pipe alike.

    Whether a command waits at all is told by its being there a second later still.
    """

    def __init__(self, service: PlatformService) -> None:
        self._clock = service.clock
        self._budget = service.budget
        self._until = float("-inf")
        self._later: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._stop = self._budget.observe(self._changed)
        self._changed(self._budget.value)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        if self._later is not None:
            self._later.cancel()

    def _changed(self, state: BudgetState) -> None:
        until = state.paused_until
        if until is None or until <= self._until + _WORTH:
            return
        if until - self._clock.monotonic() < _WORTH:
            return
        self._until = until
        if self._later is not None:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(_STILL, self._say, state)

    def _say(self, state: BudgetState) -> None:
        left = self._until - self._clock.monotonic()
        narrate(
            f"The quota of {state.limit:,} requests a minute is spent: "
            f"it goes on in {max(1, ceil(left))} s."
        )
