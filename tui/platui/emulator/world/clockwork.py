"""Time as the company counts it: minutes since its origin, and seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.emulator.world.ids import Numbering

ORIGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)


class Clockwork:
    """Conversions between the company's minutes, seconds since 1970, moments and numbers."""

    def __init__(self, origin: datetime, numbering: Numbering, retention: int) -> None:
        """Start counting.

        Args:
            origin: the midnight in UTC at which minute 0 begins.
            numbering: how pipelines of a minute are told apart.
            retention: minutes after which pipelines are cleared away.
        """
        self.origin = origin
        self.numbering = numbering
        self.retention = retention
        self._start = int(origin.timestamp())
        self._step = 50.0 / numbering.first_added_lane

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
        return self.seconds(minute) + 2.0 + lane * self._step


def midnight(moment_: datetime) -> datetime:
    """Return the midnight, in UTC, that a moment comes after."""
    return moment_.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def moment(seconds: float) -> datetime:
    """Return seconds since 1970 as a moment, in milliseconds."""
    whole = round(seconds * 1000)
    return datetime.fromtimestamp(whole // 1000, UTC).replace(microsecond=whole % 1000 * 1000)
