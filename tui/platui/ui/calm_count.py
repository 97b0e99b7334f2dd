"""The number on the gauge: up at once, down only when a whole minute was lower."""

from __future__ import annotations

from collections import deque
from typing import Final

_HELD: Final = 65.0
"""Seconds; a little more than the minute in which requests are counted."""


class CalmCount:
    """The highest count of the last minute.

    The platform counts in whole minutes and we in sliding ones, so while something is
    polled the count swings all the time. A gauge that showed this would send bytes for
    nothing; one that errs, errs on the safe side.
    """

    def __init__(self) -> None:
        self._peaks: deque[tuple[float, int]] = deque()

    def take(self, used: int, now: float) -> int:
        """Take the count of a moment (monotonic seconds) and return the one to show."""
        while self._peaks and self._peaks[-1][1] <= used:
            self._peaks.pop()
        self._peaks.append((now, used))
        while self._peaks[0][0] < now - _HELD:
            self._peaks.popleft()
        return self._peaks[0][1]
