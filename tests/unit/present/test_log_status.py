"""The line above a log: what matters most stays, and no number is ever cut."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.text import clean
from platui.models.wire import Job
from platui.present.logs.status import LogFacts, log_status

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
FACTS = LogFacts(41_203, 3, 1, "step_script", 418)


def job(**fields: object) -> Job:
    """Return a job that failed on a runner, with other fields where they are given."""
    known = {
        "id": 1,
        "name": "dbt_run",
        "status": "failed",
        "failure_reason": "script_failure",
        "started_at": NOW - timedelta(seconds=432),
        "finished_at": NOW,
        "duration": 432.0,
        "runner": {"id": 3, "description": "prod-3"},
    }
    return Job.model_validate({**known, **fields})


def said(facts: LogFacts, room: int, **fields: object) -> str:
    """Return the line as text."""
    return " · ".join(text for text, _ in log_status(job(**fields), facts, NOW, room))


PIECES = (
    "✖ failed", "exit 1", "7m12s", "runner prod-3", "41,203 lines", "3 errors",
    "section step_script 6m58s",
)  # fmt: skip
WHOLE = " · ".join(PIECES)


@pytest.mark.parametrize(
    ("room", "wanted"),
    [
        (120, WHOLE),
        (80, "✖ failed · exit 1 · 7m12s · 41,203 lines · 3 errors · section step_script 6m58s"),
        (60, "✖ failed · exit 1 · 7m12s · 41,203 lines · 3 errors"),
        (40, "✖ failed · exit 1 · 7m12s · 3 errors"),
        (12, "✖ failed"),
        (1, "✖ failed"),
    ],
)
def test_what_matters_least_leaves_first(room: int, wanted: str) -> None:
    """Whole pieces, the order of the others kept."""
    assert set(wanted.split(" · ")) <= set(PIECES)
    assert said(FACTS, room) == wanted


def test_the_platforms_reason_is_said_where_it_says_more() -> None:
    """An exit code says as much as `script failure`."""
    assert "script failure" not in said(FACTS, 200)
    assert "script failure" in said(LogFacts(3), 200)
    assert "job execution timeout" in said(LogFacts(3), 200, failure_reason="job_execution_timeout")


def test_a_job_that_did_not_fail_has_no_section_and_no_exit() -> None:
    """Errors it survived are counted all the same."""
    line = said(FACTS, 200, status="success", failure_reason="")
    assert line == "✔ success · 7m12s · runner prod-3 · 41,203 lines · 3 errors"


def test_wide_names_and_long_reasons_leave_room() -> None:
    """What a name takes is counted in columns; a reason may be a sentence."""
    name = "本番環境の実行機" * 3
    room = len(WHOLE.replace("prod-3", name))
    line = said(FACTS, room, runner={"id": 3, "description": name})
    assert line == WHOLE.replace("runner prod-3 · ", "")
    line = said(LogFacts(3, 1), 90, failure_reason="the node was drained " * 10)
    assert line.startswith("✖ failed · the node was drained the node was dra")
    assert line.endswith("… · 7m12s · 3 lines · 1 error")


@given(
    st.builds(
        LogFacts,
        st.integers(0, 10**9),
        st.integers(0, 10**6),
        st.none() | st.integers(0, 255),
        st.text(max_size=40),
        st.none() | st.integers(0, 10**6),
    ),
    st.integers(9, 140),
)
def test_it_always_fits_and_is_clean(facts: LogFacts, room: int) -> None:
    """Whatever the log says."""
    line = said(facts, room)
    assert len(line) <= room
    assert line == clean(line)
