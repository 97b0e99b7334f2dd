"""When a cron line is due in its zone, and what a change of the clocks does to that."""

from __future__ import annotations

from datetime import UTC
from itertools import islice
from typing import TYPE_CHECKING

from platui.models.values.schedules import Due, Shift

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, tzinfo

    from platui.analysis.schedules.cron import Cron


def upcoming(cron: Cron, zone: tzinfo, after: datetime, count: int = 3) -> tuple[Due, ...]:
    """Return the next runs after a moment, the soonest first; none where it never runs."""
    later = (due for due in _dues(cron, zone, after, reverse=False) if due.at > after)
    return tuple(islice(later, count))


def last_due(cron: Cron, zone: tzinfo, before: datetime) -> Due | None:
    """Return the last run that was due before a moment."""
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
