"""Whether a schedule that was due has not run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.dues import last_due
from platui.models.values.schedules import Shift

if TYPE_CHECKING:
    from datetime import tzinfo

    from platui.analysis.schedules.cron import Cron

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
    """Return when the cron line asked for a run that is not the last one."""
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
