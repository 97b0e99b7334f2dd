"""The count that a gauge shows: level while requests come and go at a steady rate."""

from __future__ import annotations

from collections import deque
from typing import Final

HELD: Final = 65.0  # Seconds; a little more than the minute in which requests are counted
SLACK: Final = 0.05  # Share of the limit by which the peak has to fall before it is shown


class PeakCount:
    """The highest count of the last minute; the count of a sliding window fluctuates."""

    def __init__(self) -> None:
        self._peaks: deque[tuple[float, int]] = deque()
        self._shown = 0

    def take(self, used: int, now: float, limit: int) -> int:
        """Add a count (at monotonic seconds), and return the one to show.

        It rises at once, and falls only when the peak is lower by `SLACK` of the limit: the polls
        of one view, counted in whole minutes, are now one more and now one less.
        """
        while self._peaks and self._peaks[-1][1] <= used:
            self._peaks.pop()
        self._peaks.append((now, used))
        while self._peaks[0][0] < now - HELD:
            self._peaks.popleft()
        peak = self._peaks[0][1]
        if not self._shown - SLACK * limit < peak <= self._shown:
            self._shown = peak
        return self._shown
