"""Which schedules are rows of the board, told from what a platform lists."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.support.lane import HOUR, NOW

from platui.analysis.triage.lateness import missed_run_items
from platui.models.values.triage import Lane
from platui.models.values.triage_board import BoardState, LateKind
from platui.models.wire import Schedule

MINUTE = timedelta(minutes=1)


def schedule(**fields: Any) -> Schedule:
    """Return a schedule that was due an hour ago."""
    due = (NOW - HOUR).isoformat()
    known = {"id": 31, "description": "nightly", "ref": "refs/heads/main", "next_run_at": due}
    return Schedule.model_validate(known | fields)


def test_what_did_not_run_is_a_row_of_its_branch() -> None:
    """With when it was due, and for how long that is."""
    (item,) = missed_run_items(7, [schedule(active=True)], "main", NOW, NOW + MINUTE)
    assert (item.state, item.lane, item.is_main) == (BoardState.LATE, Lane(7, "main"), True)
    assert item.newest is None
    late = item.late
    assert late is not None
    assert (late.kind, late.what, late.schedule) == (LateKind.MISSED, "nightly", 31)
    assert (late.due_at, late.seconds) == (NOW - HOUR, 3660)


@pytest.mark.parametrize(
    "fields",
    [
        {"active": False},
        {"next_run_at": (NOW + HOUR).isoformat()},
        {"next_run_at": (NOW - 5 * MINUTE).isoformat()},
        {"next_run_at": None},
        {"next_run_at": None, "cron": "0 * * * *"},
    ],
)
def test_what_is_switched_off_or_not_due_is_none(fields: dict[str, Any]) -> None:
    """Nor what the platform tells too little of."""
    assert missed_run_items(7, [schedule(**fields)], "main", NOW, NOW) == []


def test_what_was_told_long_ago_is_not_late_by_that() -> None:
    """It may have run since: only what was due when the platform was asked is missing."""
    due = schedule(next_run_at=(NOW + HOUR).isoformat())
    assert missed_run_items(7, [due], "", NOW, NOW + 5 * HOUR) == []


def test_by_the_last_run_where_a_platform_lists_it() -> None:
    """And its cron line says when another one was due."""
    last = {"id": 9, "created_at": (NOW - 30 * HOUR).isoformat()}
    known = {"next_run_at": None, "cron": "0 1 * * *", "created_at": (NOW - 99 * HOUR).isoformat()}
    (item,) = missed_run_items(7, [schedule(last_pipeline=last, **known)], "", NOW, NOW)
    assert item.late is not None
    assert item.late.due_at == NOW.replace(hour=1, minute=0)
