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
QUIET: Final = 0.5
"""Share of the quota, with all that the user does, up to which causes are no matter of rations."""
_MINUTE: Final = 60.0


def obstacle(around: Surroundings) -> float | None:
    """Return the seconds until something may be asked; None: not before something rings."""
    if around.line.value.state in {LineState.OFFLINE, LineState.UNAUTHORIZED}:
        return None
    budget = around.budget.value
    if around.pause or budget.used >= budget.limit * RESERVE:
        return around.pause or RECHECK
    return 0.0


def is_quiet(surroundings: Surroundings) -> bool:
    """Return whether all that the user's dashboards ask for leaves most of the quota to him.

    Causes are read at once then, and put off nothing else: in a bad night there are a hundred.
    """
    budget = surroundings.budget.value
    return budget.used < budget.limit * QUIET


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
        self._spared: deque[float] = deque()
        """Those that no ration was asked for."""
        self._begun: tuple[str, float] = ("", 0.0)
        """What was begun last that nobody waits for, and when."""

    @property
    def spent(self) -> int:
        """Return how many requests were sent in the last minute."""
        return self._rationed + self._in_a_minute(self._spared)

    @property
    def _rationed(self) -> int:
        return self._in_a_minute(self._sent)

    def count(self, *, spared: bool = False) -> None:
        """Take note of a request that is about to be sent.

        Args:
            spared: whether it puts off no other: the quota is quiet; see `is_quiet`.
        """
        (self._spared if spared else self._sent).append(self._clock.monotonic())

    def begin(self, kind: str) -> None:
        """Take note that something of a kind is begun that nobody waits for."""
        self._begun = (kind, self._clock.monotonic())

    def wait(self) -> float:
        """Return the seconds until something may be begun that is waited for."""
        spent = self._rationed
        if spent < MOST:
            return 0.0
        # When so many are more than a minute ago that one fits.
        return self._sent[spent - MOST] + _MINUTE - self._clock.monotonic()

    def rest(self, kind: str) -> float:
        """Return the seconds until something of a kind may be begun that nobody waits for."""
        spent = self._rationed
        if spent < CALM:
            return 0.0
        if spent >= MOST:
            return self.wait()
        now = self._clock.monotonic()
        gap = (self._sent[0] + _MINUTE - now) / (MOST - spent)
        before, at = self._begun
        # Twice as long after one of its own kind, so that others get their turn in between.
        return max(0.0, at + (gap * 2 if kind == before else gap) - now)

    def _in_a_minute(self, sent: deque[float]) -> int:
        while sent and sent[0] <= self._clock.monotonic() - _MINUTE:
            sent.popleft()
        return len(sent)
