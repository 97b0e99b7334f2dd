"""Whether a schedule did not fire."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from platui.analysis.schedules.cron import read_cron
from platui.analysis.schedules.dues import Facts, description_problem, missed_at, ref_problem

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
DUE = datetime(2026, 11, 22, 2, 15, tzinfo=UTC)
NIGHTLY = Facts(
    active=True,
    asked_at=NOW,
    next_run_at=DUE + timedelta(days=1),
    created_at=NOW - timedelta(days=90),
    updated_at=NOW - timedelta(days=30),
    knows_last=True,
    last_run_at=DUE + timedelta(seconds=20),
    cron=read_cron("15 3 * * *").cron,
    zone=ZoneInfo("Europe/Berlin"),
)


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        ({}, None),
        ({"next_run_at": DUE}, DUE),
        ({"next_run_at": DUE, "active": False}, None),
        ({"next_run_at": NOW - timedelta(minutes=9)}, None),
        ({"next_run_at": DUE, "knows_last": False, "cron": None}, DUE),
        ({"last_run_at": DUE - timedelta(days=1)}, DUE),
        ({"last_run_at": DUE - timedelta(days=1), "active": False}, None),
        ({"last_run_at": None}, DUE),
        ({"last_run_at": None, "knows_last": False}, None),
        ({"last_run_at": None, "created_at": DUE + timedelta(hours=1)}, None),
        ({"last_run_at": None, "created_at": None}, None),
        ({"last_run_at": None, "updated_at": DUE + timedelta(minutes=1)}, DUE),
        ({"last_run_at": None, "updated_at": DUE + timedelta(hours=3)}, None),
        ({"last_run_at": None, "cron": None}, None),
        ({"last_run_at": None, "zone": None}, None),
        ({"last_run_at": DUE - timedelta(days=1), "asked_at": DUE + timedelta(minutes=50)}, None),
    ],
)
def test_a_run_that_was_due_and_did_not_come(
    change: dict[str, object], missed: datetime | None
) -> None:
    """By what the platform announced, else by its last run; what is not known accuses nobody."""
    assert missed_at(replace(NIGHTLY, **change)) == missed  # type: ignore[arg-type]


def test_a_run_that_the_clocks_skipped_is_not_missing() -> None:
    """The platform may leave it out."""
    day = datetime(2026, 3, 29, tzinfo=UTC)
    facts = replace(
        NIGHTLY, asked_at=day + timedelta(hours=9), cron=read_cron("30 2 * * *").cron,
        created_at=day - timedelta(days=9), updated_at=None, next_run_at=None,
        last_run_at=day - timedelta(hours=22, minutes=30),
    )  # fmt: skip
    assert missed_at(facts) is None


@pytest.mark.parametrize(
    ("ref", "problem"),
    [
        ("main", ""),
        ("refs/heads/feature/x-1.2", ""),
        ("v1.0", ""),
        (" ", "Which branch or tag is to run?"),
        ("my branch", "No branch or tag has a blank there."),
        ("a..b", "No branch or tag has “..” there."),
        ("-main", "No branch or tag has “-” there."),
        ("main^", "No branch or tag has “^” there."),
    ],
)
def test_what_is_no_branch_or_tag(ref: str, problem: str) -> None:
    """What no repository can have is said before it is asked."""
    assert ref_problem(ref) == problem


def test_a_description_is_wanted() -> None:
    """The platform asks for one (spec 4.3)."""
    assert description_problem("  ").startswith("What is the schedule for?")
    assert description_problem("x" * 256) == "A description is at most 255 characters long."
    assert description_problem("Nightly") == ""
