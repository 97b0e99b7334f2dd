"""The request quota, 600 per minute (spec §8): count requests, compute the next free slot.

Headers are guaranteed on a 429 only, so platui counts requests of all its processes through a
`RequestCounter`, and corrects the count from headers. The platform's window is fixed: at its reset
the whole quota is available again.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from platui.api.quota import LONGEST_PAUSE, Quota
from platui.core.dataclass import dataclass
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, RequestCounter

if TYPE_CHECKING:
    from platui.core.clock import Clock

WINDOW: Final = 60.0  # Seconds of the quota's window

UNSTATED_PAUSE: Final = 20.0  # Seconds to wait after a 429 without a time

_JITTER: Final = 2.0
_LEDGER_AGE: Final = 1.0
_SHORTEST_WAIT: Final = 0.05
_GREATEST_LIMIT: Final = 1_000_000


@dataclass(slots=True)
class _Stated:
    """The count reported by the platform, and the requests sent since."""

    observed: int
    resets_at: float
    window: float | None  # End of the window by the platform's clock; None: unknown
    since: int = 0


class Budget:
    """Counts requests of the last 60 s against the quota."""

    def __init__(
        self,
        limit: int,
        clock: Clock,
        ledger: RequestCounter | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.limit = self._limit = max(1, limit)  # Requests a minute
        self._clock = clock
        self._ledger = ledger
        self._jitter = jitter
        self._sent: deque[float] = deque()
        self._reset_at = float("-inf")
        self._stated: _Stated | None = None
        self._paused_until: float | None = None
        self._others = 0  # Requests of other processes, read at most once a second
        self._others_at = float("-inf")
        self.changes: Observable[BudgetState] = Observable(self.state())

    def state(self) -> BudgetState:
        self._expire()
        used = self._used()
        stated, paused_until = self._stated, self._paused_until
        if paused_until is None and used >= self.limit:
            paused_until = self._room_at(self.limit, self._clock.monotonic())
        return BudgetState(
            used=used,
            limit=self.limit,
            from_server=stated is not None and used == stated.observed + stated.since,
            paused_until=paused_until,
        )

    def refresh(self) -> None:
        self.changes.set(self.state())

    def spend(self) -> None:
        self._sent.append(self._clock.monotonic())
        if self._stated is not None:
            self._stated.since += 1
        if self._ledger is not None:
            self._ledger.add(self._clock.now().timestamp())
        self.refresh()

    def observe(self, quota: Quota) -> None:
        if quota.limit is not None and 0 < quota.limit <= _GREATEST_LIMIT:
            self.limit = quota.limit
        if quota.observed is not None:
            self._correct(quota.observed, quota)
        self.refresh()

    def pause(self, seconds: float | None) -> None:
        """Pause all requests, with jitter because other clients resume at the same time."""
        wait = UNSTATED_PAUSE if seconds is None else min(max(0.0, seconds), LONGEST_PAUSE)
        until = self._clock.monotonic() + wait + self._jitter() * _JITTER
        self._paused_until = max(self._paused_until or until, until)
        self.refresh()

    def reset_counts(self, ledger: RequestCounter | None) -> None:
        """Reset all counts for another credential, which has its own quota."""
        self._ledger = ledger
        self.limit = self._limit
        self._sent.clear()
        self._stated, self._reset_at = None, float("-inf")
        self._paused_until = None
        self._others, self._others_at = 0, float("-inf")
        self.refresh()

    def wait_for(self, ceiling: int) -> float:
        """Return the seconds until a request may start that needs `used` below `ceiling`."""
        self._expire()
        now = self._clock.monotonic()
        if self._paused_until is not None:
            return self._paused_until - now
        if self._used() < ceiling:
            return 0.0
        return max(_SHORTEST_WAIT, self._room_at(ceiling, now) - now)

    def _room_at(self, ceiling: int, now: float) -> float:
        stated = self._stated
        if stated is not None and stated.observed + stated.since >= ceiling:
            return stated.resets_at
        surplus = len(self._sent) + self._others - ceiling
        own = self._sent[surplus] + WINDOW if surplus < len(self._sent) else float("inf")
        # Requests of other processes leave the window unnoticed: check again soon.
        others = now + _LEDGER_AGE if self._others else float("inf")
        reset = stated.resets_at if stated is not None else float("inf")
        return min(own, others, reset, now + WINDOW)

    def _used(self) -> int:
        """Return the greater of our count and the platform's; either may be more complete."""
        now = self._clock.monotonic()
        if self._ledger is not None and now - self._others_at >= _LEDGER_AGE:
            window, wall = now - max(now - WINDOW, self._reset_at), self._clock.now().timestamp()
            everybody = self._ledger.count(wall - window, wall)
            self._others = max(0, everybody - len(self._sent))
            self._others_at = now
        own = len(self._sent) + self._others
        if self._stated is None:
            return own
        return max(own, self._stated.observed + self._stated.since)

    def _correct(self, observed: int, quota: Quota) -> None:
        now = self._clock.monotonic()
        resets_in = WINDOW if quota.resets_in is None else quota.resets_in
        resets_at = now + min(max(0.0, resets_in), WINDOW)
        stated = self._stated
        if stated is not None:
            if quota.resets_at is None or stated.window is None:
                same_window = abs(resets_at - stated.resets_at) < 1 + _JITTER
            else:
                # Responses overtake each other, even across windows. Our clock cannot detect this:
                # the longer a response takes, the later its window seems to end.
                later = quota.resets_at - stated.window
                same_window = abs(later) < 1 + _JITTER
                if later < 0 and not same_window:
                    return
                if same_window:
                    resets_at = min(resets_at, stated.resets_at)
            if same_window and observed < stated.observed:
                return  # within a window the count only grows
        self._stated = _Stated(max(0, observed), resets_at, quota.resets_at)

    def _expire(self) -> None:
        now = self._clock.monotonic()
        if self._stated is not None and self._stated.resets_at <= now:
            self._reset_at = self._stated.resets_at
            self._stated = None
            self._others_at = float("-inf")
        horizon = max(now - WINDOW, self._reset_at)
        while self._sent and self._sent[0] <= horizon:
            self._sent.popleft()
        if self._paused_until is not None and self._paused_until <= now:
            self._paused_until = None
