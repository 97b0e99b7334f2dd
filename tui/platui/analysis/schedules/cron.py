"""Translate cron expressions of the platform for cronsim, and describe them.

The platform accepts more than five numeric fields: `@daily`, `last`, `mon#2`, hour 24. It also
joins day of month and weekday by *or*, unless the weekday is a star or the days are all of the
month; classic cron checks for a leading star. A step after one weekday does not repeat it.
What cronsim does not support (`-2` as a day, `mon%2`), or understands otherwise (`*,1`, `24/2`),
is left to the platform: such an expression is neither invalid nor computed.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten

FIELDS: Final = ("minute", "hour", "day of the month", "month", "weekday")

_NAMED: Final = "minute hour day month weekday"

_ALLOWED: Final = {
    "minute": "0 to 59",
    "hour": "0 to 23",
    "day-of-month": "1 to 31, or L for the last day",
    "month": "1 to 12, or jan to dec",
    "day-of-week": "0 to 7, or sun to sat",
}
_MACROS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@noon": "0 12 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_DAYS: Final = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MONTHS: Final = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
_LONGEST: Final = 200

# Supported by the platform only: every second week, days counted from the end.
_BEYOND: Final = re.compile(r"[%&]|(?:^|,)-|-L|#-[2-5]|\d-L?\d*-")
# In a list of weekdays the platform ignores a star; a list of days with all of them is all of them.
_STAR_IN_LIST: Final = re.compile(r"(?:^|,)\*(?:/0*1)?(?=,|$)")
_ALL_IN_LIST: Final = re.compile(r"(?:^|,)(?:(?:\*|0?1-31)(?:/0*1)?|0?1/0*1)(?=,|$)")
_FROM_24: Final = re.compile(r"(?:^|,)24/")  # Computed differently in each release
_LAST_OF: Final = re.compile(r"\b([0-7]|[A-Z]{3})#(?:LAST|L|-1)\b")
_EVERY_DAY: Final = re.compile(r"(?:\*|0?1-31)(?:/0*1)?|0?1/0*1")
_STEP_OF_ONE: Final = re.compile(r"(?<![^,])([0-7]|[A-Z]{3})/\d+")
_RANGE: Final = re.compile(r"(?:^|,)([0-9]+|[A-Z]{3})-([0-9]+|[A-Z]{3})(?=$|[,/])")
_ZONE: Final = re.compile(r"[A-Z][A-Za-z]+(?:/[A-Za-z_]+){0,2}")
_WEEKDAY: Final = re.compile(r"(?i)sun|mon|tue|wed|thu|fri|sat")
_ZONE_APART: Final = (
    "Enter the time zone in its own field: a cron expression ends with the weekday."
)
_ANY: Final = datetime(2000, 1, 1)  # noqa: DTZ001  (any date, only to parse)


class Reading(NamedTuple):
    """The result of parsing; both empty if only the platform supports the expression."""

    cron: str = ""  # Five fields in upper case, which cronsim can compute
    problem: str = ""  # Why it is invalid, as a sentence


@lru_cache(maxsize=4096)
def read_cron(text: str) -> Reading:
    if len(text) > _LONGEST:
        return Reading(problem=f"A cron expression is at most {_LONGEST} characters long.")
    fields = _MACROS.get(text.strip().lower(), text).split()
    problem = _shape_problem(fields)
    if problem:
        return Reading(problem=problem)
    if len(fields) > len(FIELDS):
        return Reading()
    line = _translated([field.upper() for field in fields])
    return Reading() if line is None else _checked(line, fields)


def cron_problem(text: str) -> str:
    """Return why a cron expression is invalid, as a sentence; "" if valid."""
    return read_cron(text).problem


def _shape_problem(fields: list[str]) -> str:
    if len(fields) == len(FIELDS):
        return ""
    if not fields:
        return f"Enter a cron expression with five fields: {_NAMED}."
    if fields[0].startswith("@"):
        return f"Unknown macro {shorten(fields[0], 20)}. Use one of {', '.join(_MACROS)}."
    if len(fields) == len(FIELDS) + 1:
        # Six fields begin with seconds, which the platform may accept.
        zoned = _ZONE.fullmatch(fields[-1]) and not _WEEKDAY.fullmatch(fields[-1])
        return _ZONE_APART if zoned else ""
    return f"A cron expression has five fields, this one has {len(fields)}: {_NAMED}."


def _checked(line: str, fields: list[str]) -> Reading:
    from cronsim import CronSim, CronSimError  # noqa: PLC0415  (slow to import)

    try:
        CronSim(line, _ANY)
    except CronSimError as error:
        return Reading(problem=_field_problem(str(error).removeprefix("Bad "), line, fields))
    return Reading(line)


def _field_problem(name: str, line: str, fields: list[str]) -> str:
    at = list(_ALLOWED).index(name)
    shown = shorten(fields[at], 20)
    if name == "day-of-month" and re.fullmatch(r"[\d,/-]+", line.split()[2]):
        days = [int(day) for day in re.findall(r"\d+", line.split()[2])]
        if all(1 <= day <= 31 for day in days):  # noqa: PLR2004  (the longest month)
            return f"Month {shorten(fields[3], 20)} has no day {shown}."
    return f'Invalid {FIELDS[at]} "{shown}" ({_ALLOWED[name]}).'


def _translated(fields: list[str]) -> str | None:
    minute, hour, day, month, weekday = fields
    day = day.replace("LAST", "L")
    if _BEYOND.search(day) or _BEYOND.search(weekday) or _FROM_24.search(hour):
        return None
    if ("," in day and _ALL_IN_LIST.search(day)) or (
        "," in weekday and _STAR_IN_LIST.search(weekday)
    ):
        return None
    hour = re.sub(r"(?<!\d)00?-24(?!\d)", "*", hour)
    hour = re.sub(r"\*/(?:2[4-9]|[3-9]\d)(?!\d)", "0", hour)
    hour = re.sub(r"(?<![\d/])24(?!\d)", "0", hour)
    weekday = _LAST_OF.sub(lambda found: f"{_number(found[1])}L", weekday)
    weekday = re.sub(r"-SUN\b", "-7", weekday)
    weekday = _STEP_OF_ONE.sub(r"\1", weekday)
    if any(map(_is_reversed, (minute, hour, day, month, weekday))):
        return None
    if _EVERY_DAY.fullmatch(day):
        day, weekday = "*", re.sub(r"^\*/0*1$", "*", weekday)
    elif weekday != "*":
        # With a leading star cronsim would join them by *and*.
        day = re.sub(r"^\*", "1-31", day)
        weekday = re.sub(r"^\*", "0-6", weekday)
    return f"{minute} {hour} {day} {month} {weekday}"


def _is_reversed(field: str) -> bool:
    """Return whether a range ends before it begins: platform releases differ there."""
    pairs = ((_number(start), _number(end)) for start, end in _RANGE.findall(field))
    return any(start > end for start, end in pairs)


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return _DAYS.index(text) if text in _DAYS else _MONTHS.find(text) // 3 + 1


_STEPS: Final = re.compile(r"(?:\*|(\d+)-(\d+))(?:/(\d+))?")  # Every few hours, or a range
_DAYS_OF_WEEK: Final = re.compile(r" on (?=(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)")
_DAY_RANGE: Final = re.compile(r" on (\w+day) through (\w+day)$")
_ALWAYS: Final = " every day"
_HOURS: Final = 24
_MINUTES: Final = 60


@lru_cache(maxsize=4096)
def describe_cron(text: str) -> str:
    """Describe a cron expression: `at 01:00 every Friday`; "" if not supported."""
    cron = read_cron(text).cron
    if not cron:
        return ""
    minute, hour, *days = cron.split()
    when = _often(minute, hour) or _explain(minute, hour, "*", "*", "*").removesuffix(_ALWAYS)
    day = _days(days)
    if day == _ALWAYS and when.startswith("every"):
        return when
    return f"{when}{day}".replace(", and ", " and ").replace("day of month", "day of the month")


def _often(minute: str, hour: str) -> str:
    every = minute.removeprefix("*/")
    if hour == "*" and every != minute and every.isdecimal() and _MINUTES % int(every) == 0:
        return f"every {int(every)} minutes" if int(every) > 1 else "every minute"
    steps = _STEPS.fullmatch(hour)
    if steps is None or not minute.isdecimal():
        return ""
    first, last = int(steps[1] or 0), int(steps[2] or _HOURS - 1)
    step = int(steps[3] or 1)
    often = "every hour" if step == 1 else f"every {step} hours"
    start = f"{first:02}:{int(minute):02}"
    if steps[1] is None and _HOURS % step == 0:
        return f"{often} at :{int(minute):02}" if step == 1 else f"{often} from {start}"
    end = first + (last - first) // step * step
    return f"{often} from {start} to {end:02}:{int(minute):02}"


def _days(fields: list[str]) -> str:
    text = _explain("0", "0", *fields).removeprefix("at 00:00")
    if fields[:2] == ["*", "*"]:
        text = _DAY_RANGE.sub(r", \1 to \2", text)
        return _DAYS_OF_WEEK.sub(" every ", text, count=1)
    return text


def _explain(*fields: str) -> str:
    from cronsim import CronSim  # noqa: PLC0415  (slow to import)

    text = CronSim(" ".join(fields), _ANY).explain()
    return text[:1].lower() + text[1:]
