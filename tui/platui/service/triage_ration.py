"""How many requests the triage board may send a minute, and how those are spread that can wait."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from platui.models.values.connection import LineState
from platui.service.cadence import RECHECK, RESERVE

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.service.surroundings import Surroundings

MOST: Final = 235
"""Requests in any minute after which nothing is begun but what somebody asked for. What was begun
before takes a few more: of a hundred projects and all their causes it is less than 250."""
CALM: Final = MOST // 2
"""Requests up to which nothing is put off."""
_MINUTE: Final = 60.0


def obstacle(around: Surroundings) -> float | None:
    """Return the seconds until something may be asked; None: not before something rings."""
    if around.line.value.state in {LineState.OFFLINE, LineState.UNAUTHORIZED}:
        return None
    budget = around.budget.value
    if around.pause or budget.used >= budget.limit * RESERVE:
        return around.pause or RECHECK
    return 0.0


class Ration:
    """Counts the requests of the last minute, and tells how long others are put off.

    What somebody waits for (lists that are not known yet, the causes of default branches) may
    take all of it at once. What nobody waits for is spread over what is left of the minute, so
    that the board stands still for none of it.
    """

    def __init__(self, clock: Clock) -> None:
        """Begin with nothing spent."""
        self._clock = clock
        self._sent: deque[float] = deque()
        self._begun: tuple[str, float] = ("", 0.0)
        """What was begun last that nobody waits for, and when."""

    @property
    def spent(self) -> int:
        """Return how many requests were sent in the last minute."""
        while self._sent and self._sent[0] <= self._clock.monotonic() - _MINUTE:
            self._sent.popleft()
        return len(self._sent)

    def count(self) -> None:
        """Take note of a request that is about to be sent."""
        self._sent.append(self._clock.monotonic())

    def begin(self, kind: str) -> None:
        """Take note that something of a kind is begun that nobody waits for."""
        self._begun = (kind, self._clock.monotonic())

    def wait(self) -> float:
        """Return the seconds until something may be begun that is waited for."""
        spent = self.spent
        if spent < MOST:
            return 0.0
        # When so many are more than a minute ago that one fits.
        return self._sent[spent - MOST] + _MINUTE - self._clock.monotonic()

    def rest(self, kind: str) -> float:
        """Return the seconds until something of a kind may be begun that nobody waits for."""
        spent = self.spent
        if spent < CALM:
            return 0.0
        if spent >= MOST:
            return self.wait()
        now = self._clock.monotonic()
        gap = (self._sent[0] + _MINUTE - now) / (MOST - spent)
        before, at = self._begun
        # Twice as long after one of its own kind, so that others get their turn in between.
        return max(0.0, at + (gap * 2 if kind == before else gap) - now)
