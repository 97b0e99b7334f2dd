"""Intervals of automatic screen updates: countdowns and followed logs."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from textual.app import App

    from platui.config.settings import Settings


class Pace(NamedTuple):
    """Seconds between two automatic updates of the screen."""

    tick: float = 1.0  # Of a countdown or timer
    frame: float = 0.0  # Least seconds between updates of a followed log

    def wait(self, left: float, exact: float) -> float:
        """Return seconds until the next update of a countdown: `exact`, or more if reduced."""
        return exact if self.tick <= 1 else max(1.0, min(self.tick, left))


NORMAL_PACE: Final = Pace()
REDUCED_PACE: Final = Pace(tick=15.0, frame=3.0)


def pace_for(settings: Settings, environ: Mapping[str, str]) -> Pace:
    """Return the pace of the settings, else of TEXTUAL_ANIMATIONS."""
    reduced_motion = settings.reduced_motion
    if reduced_motion is None:
        reduced_motion = environ.get("TEXTUAL_ANIMATIONS", "").strip().lower() == "none"
    return REDUCED_PACE if reduced_motion else NORMAL_PACE


def pace_of(app: App[Any]) -> Pace:
    pace = getattr(app, "pace", None)
    return pace if isinstance(pace, Pace) else NORMAL_PACE


_HELD: Final = 65.0  # Seconds; a little more than the minute in which requests are counted


class PeakCount:
    """The highest count of the last minute; the count of a sliding window fluctuates."""

    def __init__(self) -> None:
        self._peaks: deque[tuple[float, int]] = deque()

    def take(self, used: int, now: float) -> int:
        """Add a count (at monotonic seconds), and return the one to show."""
        while self._peaks and self._peaks[-1][1] <= used:
            self._peaks.pop()
        self._peaks.append((now, used))
        while self._peaks[0][0] < now - _HELD:
            self._peaks.popleft()
        return self._peaks[0][1]
