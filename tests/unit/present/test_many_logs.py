"""A stream of many logs says what it is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from platui.models.values.many_logs import FollowerEvent, FollowerNotice, StreamJobs
from platui.models.wire import Job
from platui.present.logs.many_logs import describe_notice, jobs_status, partial_note

NOW = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
JOB = Job.model_validate({"id": 1, "name": "dbt_run", "status": "failed", "stage": "run"})


def stream(*, total: int, is_partial: bool) -> StreamJobs:
    """Return the job of a stream of one."""
    return StreamJobs("failed", jobs=(JOB,), total=total, is_partial=is_partial)


FULL_LOG = "open full log"


def test_jobs_that_are_not_followed_are_counted() -> None:
    """Where there are some."""
    words = [text for text, _ in jobs_status(stream(total=4, is_partial=False), NOW)]
    assert "1 of 4 jobs (running or failed)" in words
    words = [text for text, _ in jobs_status(stream(total=1, is_partial=False), NOW)]
    assert not any("of 1 job" in text for text in words)


def test_lines_that_are_not_shown_are_counted() -> None:
    """The count and the key for the full log are shown."""
    news = FollowerNotice(FollowerEvent.FAILED_BEFORE, JOB, status="failed", shown=20, total=203)
    text = "".join(span.text for span in describe_notice(news, NOW))
    assert "last 20 of 203 lines" in text
    assert text.endswith(FULL_LOG)
    assert FULL_LOG in partial_note(stream(total=1, is_partial=True))
    assert partial_note(stream(total=1, is_partial=False)) == ""


def test_what_failed_is_named_first_and_what_does_not_fit_is_counted() -> None:
    """Never a line that is cut."""
    jobs = tuple(
        JOB.model_copy(update={"id": number, "name": f"job_{number}", "status": status})
        for number, status in enumerate(("running", "success", "failed", "running", "running"))
    )
    whole = replace(stream(total=9, is_partial=False), jobs=jobs, waiting=3)
    words = [text for text, _ in jobs_status(whole, NOW)]
    assert "job_2" in words[2]
    assert words[-1] == "3 not started"
    words = [text for text, _ in jobs_status(whole, NOW, 60)]
    assert "job_2" in words[1]
    assert words[-1] == f"… {len(jobs) - len(words) + 2} more"
    assert len("   ".join(words)) <= 60
