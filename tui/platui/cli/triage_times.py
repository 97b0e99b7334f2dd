"""Lengths of time and moments as they are typed: `2h`, `08:00`, `tomorrow`, `2026-03-14 06:00`."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Final

from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.present.times import in_zone, on_wall

_LENGTH: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m(?:in)?)?", re.ASCII)
_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_TOMORROW: Final = "tomorrow"
_MORNING: Final = "08:00"
LONGEST: Final = timedelta(days=90)


def length_of(word: str) -> timedelta:
    """Return the length of time that is typed: `30m`, `2h`, `1d12h`.

    Raises:
        ConfigError: it is none, or too long.
    """
    found = _LENGTH.fullmatch(word.strip().lower())
    parts = [int(part or 0) for part in found.groups()] if found is not None else [0]
    if not any(parts):
        raise ConfigError(f"{shorten(word, 40)} is no length of time.", hint="Such as 30m, 2h, 1d.")
    days, hours, minutes = parts
    length = timedelta(days=days, hours=hours, minutes=minutes)
    if length > LONGEST:
        raise ConfigError(f"That is longer than {LONGEST.days} days.")
    return length


def moment_of(word: str, now: datetime, *, utc: bool) -> datetime:
    """Return the moment that is typed: the next time a clock shows it, or a day.

    Args:
        word: `08:00`, `tomorrow`, `tomorrow 06:30`, `2026-03-14 06:00`, or with a zone.
        now: the time.
        utc: whether it is meant in UTC rather than in this machine's zone.

    Raises:
        ConfigError: it is none, or lies in the past.
    """
    text = " ".join(word.strip().lower().split())
    here = in_zone(now, utc=utc)
    found = _typed(text, here, utc=utc)
    if found is None:
        raise ConfigError(
            f"{shorten(word, 40)} is no time.",
            hint="Such as 08:00, tomorrow, 'tomorrow 06:30', '2026-03-14 06:00'.",
        )
    if found <= now:
        raise ConfigError(f"{shorten(word, 40)} is over.")
    if found - now > LONGEST:
        raise ConfigError(f"That is longer than {LONGEST.days} days.")
    return found


def _typed(text: str, here: datetime, *, utc: bool) -> datetime | None:
    is_tomorrow = text.partition(" ")[0] == _TOMORROW
    rest = text.removeprefix(_TOMORROW).strip() if is_tomorrow else text
    clock = _CLOCK.fullmatch(rest or _MORNING if is_tomorrow else rest)
    if clock is not None:
        day = here.date() + timedelta(days=is_tomorrow)
        shown = datetime.combine(day, time(int(clock[1]), int(clock[2])))
        at = on_wall(shown, utc=utc)
        return at if at > here or is_tomorrow else on_wall(shown + timedelta(days=1), utc=utc)
    if is_tomorrow:
        return None
    try:
        at = datetime.fromisoformat(text.upper())
        return at if at.tzinfo is not None else on_wall(at, utc=utc)
    except (OverflowError, ValueError):
        return None
