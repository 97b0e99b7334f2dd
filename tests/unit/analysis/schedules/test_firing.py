"""Whether a schedule did not fire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from platui.analysis.schedules.due_times import description_problem, missed_at, ref_problem
from platui.models.wire import Pipeline, Schedule

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
DUE = datetime(2026, 11, 22, 2, 15, tzinfo=UTC)
NIGHTLY = Schedule(
    id=1,
    active=True,
    next_run_at=DUE + timedelta(days=1),
    created_at=NOW - timedelta(days=90),
    updated_at=NOW - timedelta(days=30),
    cron="15 3 * * *",
    cron_timezone="Europe/Berlin",
)
RAN = DUE + timedelta(seconds=20)


def missed(
    schedule: Schedule = NIGHTLY,
    asked_at: datetime = NOW,
    last_run_at: datetime | None = RAN,
    *,
    knows_last: bool = True,
    last_at: datetime | None = None,
    **change: Any,
) -> datetime | None:
    """Return when a schedule with some other fields was due and did not fire."""
    last = Pipeline(id=7, created_at=last_run_at) if last_run_at is not None else None
    changed = schedule.model_copy(update=change)
    return missed_at(changed, asked_at, last, knows_last=knows_last, last_at=last_at)


@pytest.mark.parametrize(
    ("change", "due"),
    [
        ({}, None),
        ({"next_run_at": DUE}, DUE),
        ({"next_run_at": DUE, "active": False}, None),
        ({"next_run_at": NOW - timedelta(minutes=9)}, None),
        ({"next_run_at": DUE, "knows_last": False, "cron": ""}, DUE),
        ({"last_run_at": DUE - timedelta(days=1)}, DUE),
        ({"last_run_at": DUE - timedelta(days=1), "active": False}, None),
        ({"last_run_at": None}, DUE),
        ({"last_run_at": None, "knows_last": False}, None),
        ({"last_run_at": None, "created_at": DUE + timedelta(hours=1)}, None),
        ({"last_run_at": None, "created_at": None}, None),
        ({"last_run_at": None, "updated_at": DUE + timedelta(minutes=1)}, DUE),
        ({"last_run_at": None, "updated_at": DUE + timedelta(hours=3)}, None),
        ({"last_run_at": None, "cron": ""}, None),
        ({"last_run_at": None, "cron_timezone": "nowhere"}, None),
        ({"last_run_at": DUE - timedelta(days=1), "asked_at": DUE + timedelta(minutes=50)}, None),
        ({"last_run_at": DUE - timedelta(days=1), "last_at": DUE - timedelta(hours=9)}, None),
        ({"last_run_at": DUE - timedelta(days=1), "last_at": NOW}, DUE),
        ({"next_run_at": DUE, "last_at": DUE - timedelta(hours=9)}, DUE),
    ],
)
def test_a_run_that_was_due_and_did_not_come(change: dict[str, Any], due: datetime | None) -> None:
    """By what the platform announced, else by its last run; what is not known accuses nobody."""
    assert missed(**change) == due


def test_a_run_that_the_clocks_skipped_is_not_missing() -> None:
    """The platform may leave it out."""
    day = datetime(2026, 3, 29, tzinfo=UTC)
    found = missed(
        asked_at=day + timedelta(hours=9), cron="30 2 * * *",
        created_at=day - timedelta(days=9), updated_at=None, next_run_at=None,
        last_run_at=day - timedelta(hours=22, minutes=30),
    )  # fmt: skip
    assert found is None


@pytest.mark.parametrize(
    ("ref", "problem"),
    [
        ("main", ""),
        ("refs/heads/feature/x-1.2", ""),
        ("v1.0", ""),
        (" ", "Enter a branch or tag."),
        ("my branch", "Invalid branch or tag: a space is not allowed there."),
        ("a..b", 'Invalid branch or tag: ".." is not allowed there.'),
        ("-main", 'Invalid branch or tag: "-" is not allowed there.'),
        ("main^", 'Invalid branch or tag: "^" is not allowed there.'),
    ],
)
def test_what_is_no_branch_or_tag(ref: str, problem: str) -> None:
    """What no repository can have is said before it is asked."""
    assert ref_problem(ref) == problem


def test_a_description_is_wanted() -> None:
    """The platform asks for one (spec 4.3)."""
    assert description_problem("  ").startswith("Enter a description.")
    assert description_problem("x" * 256) == "A description is at most 255 characters long."
    assert description_problem("Nightly") == ""
