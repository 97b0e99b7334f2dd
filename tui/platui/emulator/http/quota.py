"""The quota: so many requests a minute for each user, over all of that user's tokens (spec §8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from email.utils import formatdate
from typing import Final

PERIOD: Final = 60
"""Seconds in a window. Windows are aligned to the clock: everybody starts afresh together."""

_NAME: Final = "throttle_authenticated_api"


@dataclass(frozen=True, slots=True)
class Tally:
    """Where one user stands in the running window."""

    limit: int
    observed: int
    reset: int
    """Unix time, by the platform's own clock, at which the next window begins."""

    @property
    def exceeded(self) -> bool:
        """Tell whether this request is one too many."""
        return self.observed > self.limit

    def headers(self) -> dict[str, str]:
        """Return what every answer carries."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Name": _NAME,
            "RateLimit-Observed": str(self.observed),
            "RateLimit-Remaining": str(max(0, self.limit - self.observed)),
            "RateLimit-Reset": str(self.reset),
        }

    def refusal_headers(self, now: float) -> dict[str, str]:
        """Return what only a refusal carries besides, at a Unix time of the platform's clock."""
        return {
            "RateLimit-ResetTime": formatdate(self.reset, usegmt=True),
            "Retry-After": str(max(1, math.ceil(self.reset - now))),
        }


class Quota:
    """Counts requests. Refused ones count too, so that `Observed` keeps growing."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._window = 0
        self._counts: dict[int, int] = {}

    def count(self, user_id: int, now: float, ahead: float = 0.0) -> Tally:
        """Count one request of a user.

        Args:
            user_id: whose it is.
            now: the real Unix time: a window takes a real minute, however fast the company lives.
            ahead: seconds by which the platform's own clock is ahead of it.
        """
        window = int(now // PERIOD)
        if window != self._window:
            self._window = window
            self._counts.clear()
        observed = self._counts.get(user_id, 0) + 1
        self._counts[user_id] = observed
        return Tally(self.limit, observed, math.ceil((window + 1) * PERIOD + ahead))
