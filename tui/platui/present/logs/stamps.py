"""The time before a line of a log: of the day, or since its section began."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

_LAST: Final = 253_402_300_800.0
"""The beginning of the year 10,000, which no calendar here knows."""

_HOUR: Final = 3600


class Stamps(StrEnum):
    """Which time stands before each line."""

    NONE = "none"
    CLOCK = "clock"
    ELAPSED = "elapsed"

    @property
    def next(self) -> Stamps:
        kinds = list(Stamps)
        return kinds[(kinds.index(self) + 1) % len(kinds)]

    @property
    def width(self) -> int:
        return {Stamps.NONE: 0, Stamps.CLOCK: 8, Stamps.ELAPSED: 9}[self]


def clock(seconds: float | None, *, utc: bool) -> str:
    """Return the time of day as `03:12:09`; blank where it is not known."""
    if seconds is None or not 0 <= seconds < _LAST:
        return ""
    return f"{datetime.fromtimestamp(seconds, UTC if utc else None):%H:%M:%S}"


def elapsed(seconds: float | None, since: float | None) -> str:
    """Return the time since a beginning as `+0:02.3`, from an hour on as `+1:02:03`."""
    if seconds is None or since is None:
        return ""
    tenths = round(max(0.0, seconds - since) * 10)
    whole, tenth = divmod(tenths, 10)
    if whole < _HOUR:
        return f"+{whole // 60}:{whole % 60:02}.{tenth}"
    # Who waits for days has no use for seconds, and no more cells for them.
    hours = min(whole // _HOUR, 99)
    return f"+{hours}:{whole // 60 % 60:02}:{whole % 60:02}"
