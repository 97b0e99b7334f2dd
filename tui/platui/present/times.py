"""Ages, durations and clock times as short texts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


def age(then: datetime | None, now: datetime) -> str:
    """Return an age in one unit: `4s`, `12m`, `3h`, `2d`, `1y`; blank: unknown."""
    if then is None:
        return ""
    return span((now - then).total_seconds())


def span(seconds: float) -> str:
    """Return a length of time in one unit; negative ones are `0s`."""
    seconds = max(0, int(seconds))
    for size, unit in ((_YEAR, "y"), (_DAY, "d"), (_HOUR, "h"), (_MINUTE, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def span_of_hours(length: timedelta) -> str:
    """Return a length of time as `span` does, but in hours up to two days: `46h`."""
    seconds = length.total_seconds()
    return f"{int(seconds) // _HOUR}h" if _DAY <= seconds < 2 * _DAY else span(seconds)


def age_valid_seconds(then: datetime | None, now: datetime) -> float:
    """Return for how many seconds `age` stays the same; a day at most."""
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
    """Return the time of day, with the date unless today."""
    if moment is None:
        return ""
    shown, today = in_zone(moment, utc=utc), in_zone(now, utc=utc)
    return f"{shown:%H:%M}" if shown.date() == today.date() else day_and_time(shown, today)


def day_and_time(shown: datetime, today: datetime) -> str:
    """Return day and time, with the year unless it is the current one; both in one zone."""
    return f"{shown:%d %b %H:%M}" if shown.year == today.year else f"{shown:%Y-%m-%d %H:%M}"


def in_zone(moment: datetime, *, utc: bool) -> datetime:
    """Return a time in UTC or the local zone; unchanged at the ends of the calendar."""
    try:
        return moment.astimezone(UTC if utc else None)
    except OverflowError:
        return moment


def at_wall_time(shown: datetime, *, utc: bool) -> datetime:
    """Return the time with that local clock reading. Raises OverflowError or ValueError."""
    return shown.replace(tzinfo=UTC) if utc else shown.astimezone()


def zone_name(moment: datetime, *, utc: bool) -> str:
    """Return the abbreviation of the zone at that time: `UTC`, `CET`, `UTC-03`."""
    return zone_letters(in_zone(moment, utc=utc))


def zone_letters(moment: datetime) -> str:
    name = moment.tzname() or ""
    # Zones without letters: a bare offset would look like a part of the time.
    return f"UTC{name}" if name[:1] in {"+", "-"} else name


def dated(moment: datetime | None, *, utc: bool, seconds: bool = False) -> str:
    """Return full date, time and zone: `2026-03-14 03:12 CET`."""
    if moment is None:
        return ""
    shown = in_zone(moment, utc=utc).replace(tzinfo=None)
    time = shown.isoformat(" ", "seconds" if seconds else "minutes")
    return f"{time} {zone_name(moment, utc=utc)}".strip()


def stamp(moment: datetime | None, now: datetime, *, utc: bool) -> str:
    """Return date, time, zone and distance: `21 Nov 03:12:09 CET · 4m ago`."""
    if moment is None:
        return ""
    shown, today = in_zone(moment, utc=utc), in_zone(now, utc=utc)
    day = f"{shown:%d %b}" if shown.year == today.year else f"{shown:%Y-%m-%d}"
    when = f"{day} {shown:%H:%M:%S} {zone_name(moment, utc=utc)}".strip()
    return f"{when} · {distance(moment, now)}"


def distance(moment: datetime, now: datetime) -> str:
    """Return the distance of a time: `4m ago`, `in 3d`."""
    seconds = (moment - now).total_seconds()
    return f"in {span(seconds)}" if seconds > 0 else f"{span(-seconds)} ago"
