"""A cron line in words: cronsim's own, except where a table wants them shorter and plainer."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from platui.analysis.schedules.cron import read_cron

_STEPS: Final = re.compile(r"(?:\*|(\d+)-(\d+))(?:/(\d+))?")
"""Every few hours, perhaps between two of them."""
_DAYS_OF_WEEK: Final = re.compile(r" on (?=(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)")
_DAY_RANGE: Final = re.compile(r" on (\w+day) through (\w+day)$")
_ALWAYS: Final = " every day"
_HOURS: Final = 24
_MINUTES: Final = 60
_ANY: Final = datetime(2000, 1, 1)  # noqa: DTZ001  (a date to read a line with, no moment)


@lru_cache(maxsize=4096)
def cron_words(text: str) -> str:
    """Return when a cron line runs: `at 01:00 every Friday`; empty where it cannot be told."""
    cron = read_cron(text).cron
    if cron is None:
        return ""
    minute, hour, *days = cron.line.split()
    when = _often(minute, hour) or _said(minute, hour, "*", "*", "*").removesuffix(_ALWAYS)
    day = _days(days)
    if day == _ALWAYS and when.startswith("every"):
        return when
    return f"{when}{day}".replace(", and ", " and ").replace("day of month", "day of the month")


def _often(minute: str, hour: str) -> str:
    """Return how often it runs in a day, where that is plain; empty where it is not."""
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
    """Return on which days, with a blank before it."""
    text = _said("0", "0", *fields).removeprefix("at 00:00")
    if fields[:2] == ["*", "*"]:
        text = _DAY_RANGE.sub(r", \1 to \2", text)
        return _DAYS_OF_WEEK.sub(" every ", text, count=1)
    return text


def _said(*fields: str) -> str:
    """Return what cronsim says of five fields, not as the beginning of a sentence."""
    from cronsim import CronSim  # noqa: PLC0415  (for the first schedule)

    text = CronSim(" ".join(fields), _ANY).explain()
    return text[:1].lower() + text[1:]
