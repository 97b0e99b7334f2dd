"""What is said of logs that were searched."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from platui.models.values.search import HitLine, JobHits, PipelineHits, ReadState
from platui.models.wire import Job
from platui.present.logs.pipeline_search import HitRows, nothing_found, search_line

AT = datetime(2026, 3, 14, 3, 12, 9, tzinfo=UTC)


def heading(hits: JobHits) -> str:
    """Return what the row of a job says."""
    return HitRows().rows(PipelineHits((hits,), listed=True), utc=True)[0].cells[1].text


@pytest.mark.parametrize(
    ("status", "fetched_at", "said"),
    [
        ("success", None, "load success · 1 hit"),
        ("running", None, "load running · 1 hit so far"),
        ("running", AT, "load running · 1 hit so far (03:12:09)"),
    ],
)
def test_of_a_running_job_it_is_said_how_far_its_log_had_come(
    status: str, fetched_at: datetime | None, said: str
) -> None:
    """By the time of day: a search does not go on, and an age would be out of date."""
    job = Job(id=7, name="load", status=status)
    hit = HitLine(3, "a word", ((2, 6),))
    assert heading(JobHits(job, ReadState.DONE, (hit,), 1, fetched_at=fetched_at)) == said


def test_times_follow_the_zone() -> None:
    """The rows are made anew for another one."""
    job = Job(id=7, name="load", status="running")
    found = PipelineHits((JobHits(job, ReadState.DONE, (), 1, fetched_at=AT),), listed=True)
    rows = HitRows()
    assert rows.rows(found, utc=True)[0].cells[1].text.endswith("(03:12:09)")
    assert rows.rows(found, utc=False)[0] is not rows.rows(found, utc=True)[0]


def test_of_a_pipeline_that_goes_on_no_search_is_the_last_word() -> None:
    """What runs or waits is counted, also where nothing is found."""
    job = Job(id=7, name="load", status="running")
    found = PipelineHits((JobHits(job, ReadState.DONE),), listed=True, active=2)
    assert ("2 jobs still run or wait", "running") in search_line(found, "PASS")
    keys = {"on": "r", "other": "/", "back": "esc"}
    page = nothing_found(found, "PASS", **keys)
    assert page.startswith("PASS not found in the log so far: 2 jobs still run or wait.")
    assert "r  search again" in page
    whole = nothing_found(replace(found, active=0), "PASS", **keys)
    assert whole.startswith("PASS not found in the log.")
