"""When a cron line is due in its zone, what clock changes do to that, and missed runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import cron_problem
from platui.analysis.schedules.zones import zone_problem
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from platui.analysis.schedules.cron import Cron


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


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a schedule's runs."""

    active: bool
    asked_at: datetime
    """When the platform said so: what is old is not late."""
    next_run_at: datetime | None = None
    """As the platform announces it; it stays in the past when nothing ran."""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    knows_last: bool = False
    """Whether the last run is known, also where there was none."""
    last_run_at: datetime | None = None
    cron: Cron | None = None
    zone: tzinfo | None = None


def missed_at(facts: Facts) -> datetime | None:
    """Return when a run was due that did not come; None where nothing is missing."""
    if not facts.active:
        return None
    if facts.next_run_at is not None and facts.asked_at - facts.next_run_at > LATE:
        return facts.next_run_at
    return _missed_by_cron(facts)


def _missed_by_cron(facts: Facts) -> datetime | None:
    if not facts.knows_last or facts.cron is None or facts.zone is None:
        return None
    due = last_due(facts.cron, facts.zone, facts.asked_at - SETTLED)
    if due is None or due.shift is Shift.SKIPPED:
        return None
    if facts.created_at is None or facts.created_at > due.at:
        return None
    # The platform notes a run in the schedule itself: only what is later is somebody's change.
    if facts.updated_at is not None and facts.updated_at > due.at + SETTLED:
        return None
    if facts.last_run_at is not None and facts.last_run_at >= due.at - EARLY:
        return None
    return due.at


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
