"""Compute due times of cron expressions with clock changes, and find missed runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import cron_problem, read_cron
from platui.analysis.schedules.zones import find_zone, zone_problem
from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.models.wire import Pipeline, Schedule


class Shift(StrEnum):
    NONE = "none"
    SKIPPED = "skipped"  # The clocks go forward over its time
    TWICE = "twice"  # The clocks go back over its time


class Due(NamedTuple):
    """A due time of a cron expression, or one that the platform announces."""

    at: datetime  # In UTC; a skipped time as if the clocks had not changed, the first of two
    wall: datetime  # Local time in the schedule's zone, naive
    shift: Shift = Shift.NONE
    by_cron: datetime | None = None  # By the cron expression, where the platform announces another


def upcoming(cron: str, zone: tzinfo, after: datetime, count: int = 3) -> tuple[Due, ...]:
    later = (due for due in _dues(cron, zone, after, reverse=False) if due.at > after)
    return tuple(islice(later, count))


def last_due(cron: str, zone: tzinfo, before: datetime) -> Due | None:
    earlier = (due for due in _dues(cron, zone, before, reverse=True) if due.at < before)
    return next(earlier, None)


def _dues(cron: str, zone: tzinfo, moment: datetime, *, reverse: bool) -> Iterator[Due]:
    from cronsim import CronSim  # noqa: PLC0415  (slow to import)

    local = moment.astimezone(zone)
    if cron.split()[1].startswith("*"):
        # Runs of every hour, or of every few hours, are not affected by clock changes.
        for at in CronSim(cron, local, reverse=reverse):
            yield Due(at.astimezone(UTC), at.replace(tzinfo=None))
        return
    # Computed in local time, since cronsim moves skipped times.
    for wall in CronSim(cron, local.replace(tzinfo=None), reverse=reverse):
        yield due_at(wall, zone)


def due_at(wall: datetime, zone: tzinfo) -> Due:
    """Return the moment of a local time in a zone, and whether it exists once."""
    first = wall.replace(tzinfo=zone, fold=0)
    second = wall.replace(tzinfo=zone, fold=1)
    at = first.astimezone(UTC)
    if first.utcoffset() == second.utcoffset():
        shift = Shift.NONE
    elif at.astimezone(zone).replace(tzinfo=None) != wall:
        shift = Shift.SKIPPED
    else:
        shift = Shift.TWICE
    return Due(at, wall, shift)


LATE: Final = timedelta(minutes=10)  # Delay after which an announced run is missed
SETTLED: Final = timedelta(minutes=65)  # The same by cron: the platform may check hourly
EARLY: Final = timedelta(minutes=5)  # Tolerance for the platform's clock


def missed_at(
    schedule: Schedule,
    asked_at: datetime,
    last: Pipeline | None,
    *,
    knows_last: bool,
    last_at: datetime | None = None,
) -> datetime | None:
    """Return when a missed run was due, by the time of the data; None if none is known missed.

    `asked_at` is when the schedule was fetched, `last_at` when its last run was, if earlier.
    """
    if schedule.active is False:
        return None
    announced = schedule.next_run_at  # stays in the past if nothing ran
    if announced is not None and asked_at - announced > LATE:
        return announced
    known_at = asked_at if last_at is None else min(asked_at, last_at)
    return _missed_by_cron(schedule, known_at, last) if knows_last else None


def _missed_by_cron(
    schedule: Schedule, asked_at: datetime, last: Pipeline | None
) -> datetime | None:
    cron, zone = read_cron(schedule.cron).cron, find_zone(schedule.cron_timezone)
    due = last_due(cron, zone, asked_at - SETTLED) if cron and zone else None
    if due is None or due.shift is Shift.SKIPPED:
        return None
    if schedule.created_at is None or schedule.created_at > due.at:
        return None
    # A run updates the schedule: only a later update is a change by a user.
    if schedule.updated_at is not None and schedule.updated_at > due.at + SETTLED:
        return None
    began = last.created_at if last is not None else None
    return None if began is not None and began >= due.at - EARLY else due.at


LONGEST_DESCRIPTION: Final = 255

# Invalid in the name of any branch or tag.
_NO_REF: Final = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^[-/]|[/.]$|\.lock$")

__all__ = ["cron_problem", "description_problem", "ref_problem", "zone_problem"]


def ref_problem(ref: str) -> str:
    """Return why a branch or tag is invalid, as a sentence; "" if valid."""
    name = ref.strip()
    if not name:
        return "Enter a branch or tag."
    found = _NO_REF.search(name)
    if found is None:
        return ""
    sign = "a space" if found[0].isspace() else f'"{shorten(found[0], 8)}"'
    return f"Invalid branch or tag: {sign} is not allowed there."


def description_problem(description: str) -> str:
    """Return why a description is invalid, as a sentence; "" if valid."""
    if not description.strip():
        return "Enter a description."
    if len(description) > LONGEST_DESCRIPTION:
        return f"A description is at most {LONGEST_DESCRIPTION} characters long."
    return ""
