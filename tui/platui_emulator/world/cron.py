"""When a cron line is due, in the zone it is written for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platui_emulator import data

_MONTH: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MACROS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_FIELDS: Final = 5
_LONGEST: Final = 256
_HORIZON: Final = timedelta(days=366 * 8)
"""Days until February 29 falls on a given weekday, the rarest match of a cron line."""

# The names that the platform's web form offers, which are not those of the zone database.
_RAILS_ZONES: Final[Mapping[str, str]] = data.read_json("zones.json")


@lru_cache(maxsize=128)
def zone(name: str) -> tzinfo:
    """Return a zone by its name in the database or the platform's form. Raises ValueError."""
    if name in {"UTC", "Etc/UTC", "GMT"}:
        return UTC  # also where the machine has no zone database
    try:
        return ZoneInfo(_RAILS_ZONES.get(name, name))
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"no zone {name!r}") from error


@dataclass(frozen=True, slots=True)
class Cron:
    """A parsed cron line."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    any_day: bool
    """Whether either the day of the month or the weekday is free: then both must match."""

    @classmethod
    def parse(cls, line: str) -> Cron:
        """Return the cron line's meaning. Raises ValueError: it is none."""
        if len(line) > _LONGEST:
            raise ValueError(f"a cron line is at most {_LONGEST} characters long")
        fields = _MACROS.get(line.strip().lower(), line).split()
        if len(fields) != _FIELDS:
            raise ValueError(f"a cron line has five fields: {line!r}")
        minute, hour, day, month, weekday = fields
        return cls(
            tuple(sorted(_field(minute, 0, 59))),
            tuple(sorted(_field(hour, 0, 23))),
            _field(day, 1, 31),
            _field(month, 1, 12, _MONTH, 1),
            frozenset(number % 7 for number in _field(weekday, 0, 7, _DAYS, 0)),
            any_day=day.startswith("*") or weekday.startswith("*"),
        )

    def next_after(self, moment: datetime, where: tzinfo) -> datetime | None:
        """Return the first due minute after the moment, in UTC; None when there never is one."""
        local = moment.astimezone(where).replace(second=0, microsecond=0, tzinfo=None)
        last = local + _HORIZON
        while (local := self._next_minute(local)) < last:
            # Local time can run twice over the same hour: only what is really later counts.
            due = local.replace(tzinfo=where).astimezone(UTC)
            if due > moment:
                return due
        return None

    def _next_minute(self, local: datetime) -> datetime:
        last = local + _HORIZON
        local += timedelta(minutes=1)
        while local < last:
            if not self._on_day(local) or (hour := _first(self.hours, local.hour)) is None:
                local = local.replace(hour=0, minute=0) + timedelta(days=1)
            elif hour != local.hour:
                local = local.replace(hour=hour, minute=0)
            elif (minute := _first(self.minutes, local.minute)) is None:
                local = local.replace(minute=0) + timedelta(hours=1)
            else:
                return local.replace(minute=minute)
        return local

    def _on_day(self, local: datetime) -> bool:
        if local.month not in self.months:
            return False
        by_month, by_week = local.day in self.days, local.isoweekday() % 7 in self.weekdays
        return (by_month and by_week) if self.any_day else (by_month or by_week)


def _first(allowed: tuple[int, ...], least: int) -> int | None:
    return next((number for number in allowed if number >= least), None)


def _field(
    text: str, low: int, high: int, names: tuple[str, ...] = (), first: int = 0
) -> frozenset[int]:
    found: set[int] = set()
    for part in text.lower().split(","):
        span, _, step = part.partition("/")
        start, _, stop = span.partition("-")
        if span == "*":
            begin, end = low, high
        else:
            begin = _number(start, names, first)
            end = _number(stop, names, first) if stop else (high if step else begin)
        stride = int(step) if step else 1
        if stride < 1 or not low <= begin <= end <= high:
            raise ValueError(f"not a cron field: {text!r}")
        found.update(range(begin, end + 1, stride))
    return frozenset(found)


def _number(text: str, names: tuple[str, ...], first: int) -> int:
    if text in names:
        return names.index(text) + first
    return int(text)
