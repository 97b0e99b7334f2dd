"""Which schedules of a project were due and did not run, as rows of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import read_cron
from platui.analysis.schedules.firing import Facts
from platui.analysis.schedules.zones import find_zone
from platui.analysis.triage.lateness import did_not_fire
from platui.models.values.triage import Lane
from platui.models.values.triage_items import BoardItem, Standing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from platui.models import Schedule
    from platui.models.values.queries import ProjectRef

_FULL: Final = ("refs/heads/", "refs/tags/")


def missed_items(
    project: ProjectRef, schedules: Iterable[Schedule], main: str, asked_at: datetime, now: datetime
) -> list[BoardItem]:
    """Return the rows of what is missing.

    Args:
        project: whose schedules they are.
        schedules: as the platform lists them.
        main: the default branch; empty where it is not known.
        asked_at: when the platform said so.
        now: the time.
    """
    found = []
    for schedule in schedules:
        late = did_not_fire(_facts(schedule, asked_at), schedule.description, now, schedule.id)
        if late is not None:
            ref = _short(schedule.ref)
            is_main = bool(main) and ref == main
            found.append(BoardItem(Standing.LATE, Lane(project, ref), late=late, is_main=is_main))
    return found


def _facts(schedule: Schedule, asked_at: datetime) -> Facts:
    # Of the last run mostly only the schedule's own record tells, and that is a request each:
    # what the platform itself announced is enough.
    last = schedule.last_pipeline
    return Facts(
        active=schedule.active is not False,
        asked_at=asked_at,
        next_run_at=schedule.next_run_at,
        created_at=schedule.created_at,
        updated_at=schedule.updated_at,
        knows_last=last is not None,
        last_run_at=None if last is None else last.created_at,
        cron=None if last is None else read_cron(schedule.cron).cron,
        zone=None if last is None else find_zone(schedule.cron_timezone),
    )


def _short(ref: str) -> str:
    for full in _FULL:
        ref = ref.removeprefix(full)
    return ref
