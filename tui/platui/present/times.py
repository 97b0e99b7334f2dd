"""Ages, durations and clock times, short and of steady width."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


def age(then: datetime | None, now: datetime) -> str:
    """Return how long ago, in one unit: `4s`, `12m`, `3h`, `2d`, `1y`; blank when unknown."""
    if then is None:
        return ""
    return span((now - then).total_seconds())


def span(seconds: float) -> str:
    """Return a length of time in one unit; what lies in the future is `0s`."""
    seconds = max(0, int(seconds))
    for size, unit in ((_YEAR, "y"), (_DAY, "d"), (_HOUR, "h"), (_MINUTE, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def age_holds(then: datetime | None, now: datetime) -> float:
    """Return for how many seconds `age` keeps saying the same; a day at most."""
    if then is None:
        return _DAY
    seconds = (now - then).total_seconds()
    for size in (_DAY, _HOUR, _MINUTE):
        if seconds >= size:
            return size - seconds % size
    return 0.0


def duration(seconds: float | None) -> str:
    """Return a length of time in at most two units: `9s`, `7m12s`, `1h04m`, `2d03h`."""
    if seconds is None:
        return ""
    whole = max(0, round(seconds))
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m{whole % _MINUTE:02}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h{whole % _HOUR // _MINUTE:02}m"
    return f"{whole // _DAY}d{whole % _DAY // _HOUR:02}h"


def clock(moment: datetime | None, now: datetime, *, utc: bool) -> str:
    """Return the time of day, with the date when it is another day; local unless `utc`."""
    if moment is None:
        return ""
    shown = moment if utc else moment.astimezone()
    today = now if utc else now.astimezone()
    if shown.date() == today.date():
        return f"{shown:%H:%M}"
    return f"{shown:%d %b %H:%M}" if shown.year == today.year else f"{shown:%Y-%m-%d %H:%M}"


def stamp(moment: datetime | None, *, utc: bool) -> str:
    """Return date, time and zone in full, for a detail pane."""
    if moment is None:
        return ""
    shown = moment if utc else moment.astimezone()
    return f"{shown:%Y-%m-%d %H:%M:%S %Z}".strip()
