"""Intervals of automatic screen updates: countdowns, followed logs, the gauge of the quota."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.core.peak_count import HELD, PeakCount

if TYPE_CHECKING:
    from textual.app import App

    from platui.config.settings import Settings
    from platui.models.values.connection import BudgetState


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


class QuotaGauge:
    """The quota as the header shows it: own polls must not change it all the time."""

    def __init__(self) -> None:
        self._count = PeakCount()
        self._stated_at = -inf  # When the platform last sent its count, in monotonic seconds

    def take(self, budget: BudgetState, now: float) -> BudgetState:
        """Return the peak of the last minute, from the platform if it sent any count in it."""
        if budget.from_server:
            self._stated_at = now
        used = self._count.take(budget.used, now, budget.limit)
        return replace(budget, used=used, from_server=now - self._stated_at < HELD)
