"""Time as the company counts it: minutes since its origin, and seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from platui.emulator.world.ids import FIRST_ADDED_LANE

ORIGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
RETENTION: Final = 120 * 1440
"""Minutes after which pipelines are cleared away, so that lists stay finite."""


class Clockwork:
    """Conversions between the company's minutes, seconds since 1970, and moments."""

    def __init__(self, origin: datetime) -> None:
        day = origin.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        self.origin = day
        self._start = int(day.timestamp())

    def minute(self, seconds: float) -> int:
        """Return the minute that these seconds since 1970 fall into."""
        return int(seconds - self._start) // 60

    def seconds(self, minute: int) -> int:
        """Return when a minute begins, in seconds since 1970."""
        return self._start + minute * 60

    def created(self, minute: int, lane: int) -> float:
        """Return when the pipeline of a lane is created within its minute.

        Lanes follow each other within the minute, so numbers and times have one order.
        """
        return self.seconds(minute) + 2.0 + lane * (50.0 / FIRST_ADDED_LANE)


def moment(seconds: float) -> datetime:
    """Return seconds since 1970 as a moment, in milliseconds."""
    whole = round(seconds * 1000)
    return datetime.fromtimestamp(whole // 1000, UTC).replace(microsecond=whole % 1000 * 1000)
