"""Format the time before a log line: time of day, or time since the section began."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

_LAST: Final = 253_402_300_800.0  # Year 10,000, beyond `datetime`

_HOUR: Final = 3600


class Stamps(StrEnum):
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
    """Return the time of day as `03:12:09`; "" if unknown."""
    if seconds is None or not 0 <= seconds < _LAST:
        return ""
    return f"{datetime.fromtimestamp(seconds, UTC if utc else None):%H:%M:%S}"


def elapsed(seconds: float | None, since: float | None) -> str:
    """Return the elapsed time as `+0:02.3`, from an hour on as `+1:02:03`."""
    if seconds is None or since is None:
        return ""
    tenths = round(max(0.0, seconds - since) * 10)
    whole, tenth = divmod(tenths, 10)
    if whole < _HOUR:
        return f"+{whole // 60}:{whole % 60:02}.{tenth}"
    # Days of seconds would not fit, and do not matter.
    hours = min(whole // _HOUR, 99)
    return f"+{hours}:{whole // 60 % 60:02}:{whole % 60:02}"
