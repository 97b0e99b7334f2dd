"""When a cron line is due in its zone, what clock changes do to that, and missed runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import cron_problem, read_cron
from platui.analysis.schedules.zones import find_zone, zone_problem
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from platui.analysis.schedules.cron import Cron
    from platui.models.wire import Pipeline, Schedule


class Shift(StrEnum):
    """What a change of the clocks does to a run."""

    NONE = "none"
    SKIPPED = "skipped"
    """Its time of day does not exist on that day: the clocks go forward over it."""
    TWICE = "twice"
    """Its time of day comes twice on that day: the clocks go back over it."""


@dataclass(frozen=True, slots=True)
class Due:
    """One moment at which a cron line is due."""

    at: datetime
    """The moment, in UTC; of a time that is skipped, as if the clocks had not changed yet, and
    of one that comes twice the first."""
    wall: datetime
    """What the clock on the wall shows in the schedule's zone, without a zone."""
    shift: Shift = Shift.NONE


def upcoming(cron: Cron, zone: tzinfo, after: datetime, count: int = 3) -> tuple[Due, ...]:
    later = (due for due in _dues(cron, zone, after, reverse=False) if due.at > after)
    return tuple(islice(later, count))


def last_due(cron: Cron, zone: tzinfo, before: datetime) -> Due | None:
    earlier = (due for due in _dues(cron, zone, before, reverse=True) if due.at < before)
    return next(earlier, None)


def _dues(cron: Cron, zone: tzinfo, moment: datetime, *, reverse: bool) -> Iterator[Due]:
    from cronsim import CronSim  # noqa: PLC0415  (for the first schedule)

    local = moment.astimezone(zone)
    if cron.has_free_hours:
        # What runs every hour runs by the clock of the world: no hour is missing, none is special.
        for at in CronSim(cron.line, local, reverse=reverse):
            yield Due(at.astimezone(UTC), at.replace(tzinfo=None))
        return
    # At a time of day: reckoned on the wall, where cronsim would move what the clocks skip.
    for wall in CronSim(cron.line, local.replace(tzinfo=None), reverse=reverse):
        yield due_at(wall, zone)


def due_at(wall: datetime, zone: tzinfo) -> Due:
    """Return the moment at which the wall of a zone shows a time, and whether it does so once."""
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


LATE: Final = timedelta(minutes=10)
"""After which what the platform itself announced is missing."""
SETTLED: Final = timedelta(minutes=65)
"""After which what the cron line says is missing: the platform may look at schedules hourly."""
EARLY: Final = timedelta(minutes=5)
"""By which the platform's clock may be before ours."""


def missed_at(
    schedule: Schedule, asked_at: datetime, last: Pipeline | None, *, knows_last: bool
) -> datetime | None:
    """Return when a run was due that did not come; None where nothing is missing.

    `asked_at` is when the platform said so: what is old is not late. With `knows_last` the last
    run is known, also where it is None: there was none.
    """
    if schedule.active is False:
        return None
    announced = schedule.next_run_at  # it stays in the past when nothing ran
    if announced is not None and asked_at - announced > LATE:
        return announced
    return _missed_by_cron(schedule, asked_at, last) if knows_last else None


def _missed_by_cron(
    schedule: Schedule, asked_at: datetime, last: Pipeline | None
) -> datetime | None:
    cron, zone = read_cron(schedule.cron).cron, find_zone(schedule.cron_timezone)
    due = last_due(cron, zone, asked_at - SETTLED) if cron is not None and zone else None
    if due is None or due.shift is Shift.SKIPPED:
        return None
    if schedule.created_at is None or schedule.created_at > due.at:
        return None
    # The platform notes a run in the schedule itself: only what is later is somebody's change.
    if schedule.updated_at is not None and schedule.updated_at > due.at + SETTLED:
        return None
    began = last.created_at if last is not None else None
    return None if began is not None and began >= due.at - EARLY else due.at


LONGEST_DESCRIPTION: Final = 255

_NO_REF: Final = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^[-/]|[/.]$|\.lock$")
"""What no branch or tag is called, whatever the platform."""

__all__ = ["cron_problem", "description_problem", "ref_problem", "zone_problem"]


def ref_problem(ref: str) -> str:
    """Return why this is no branch or tag, as a sentence; empty where it may be one."""
    name = ref.strip()
    if not name:
        return "Which branch or tag is to run?"
    found = _NO_REF.search(name)
    if found is None:
        return ""
    sign = "a blank" if found[0].isspace() else f"“{shorten(found[0], 8)}”"
    return f"No branch or tag has {sign} there."


def description_problem(description: str) -> str:
    """Return why a description cannot be used, as a sentence; empty where it can."""
    if not description.strip():
        return "What is the schedule for? Its description is how others know it."
    if len(description) > LONGEST_DESCRIPTION:
        return f"A description is at most {LONGEST_DESCRIPTION} characters long."
    return ""
