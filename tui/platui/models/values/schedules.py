"""When a schedule is due, as it crosses layers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Shift(StrEnum):
    """What a change of the clocks does to a run."""

    NONE = "none"
    SKIPPED = "skipped"
    """Its time of day does not exist on that day: the clocks go forward over it."""
    TWICE = "twice"
    """Its time of day comes twice on that day: the clocks go back over it."""


@dataclass(frozen=True, slots=True)
class Due:
    """One moment at which a cron line is due."""

    at: datetime
    """The moment, in UTC; of a time that is skipped, as if the clocks had not changed yet, and
    of one that comes twice the first."""
    wall: datetime
    """What the clock on the wall shows in the schedule's zone, without a zone."""
    shift: Shift = Shift.NONE
