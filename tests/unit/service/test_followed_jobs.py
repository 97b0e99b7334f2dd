"""Which jobs of a pipeline are followed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from platui.models.wire import Job, Pipeline
from platui.service.logs.followed_jobs import FollowedJobs

if TYPE_CHECKING:
    from platui.service.logs.job_logs import JobLog

THEN = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
QUICK = Job(id=1, name="quick", stage="one", status="success", started_at=THEN)
LONG = Job(id=2, name="long", stage="two", status="running", started_at=THEN)
LEFT_OUT = Job(id=3, name="left out", stage="two", status="skipped")
LATER = Job(id=4, name="later", stage="two", status="running", started_at=THEN)


@pytest.mark.parametrize(("whole", "first"), [(False, ["long"]), (True, ["quick", "long"])])
def test_what_had_ended_before_belongs_to_a_pipeline_of_a_moment_ago(
    *, whole: bool, first: list[str]
) -> None:
    """Of one that we started nothing is past, however quickly a job of it ran."""
    opened: list[int] = []

    def open_log(job: int) -> JobLog:
        opened.append(job)
        return cast("JobLog", None)

    jobs = FollowedJobs(open_log, whole=whole)
    jobs.take((QUICK, LONG, LEFT_OUT))
    assert [job.name for job in jobs.stream(None).jobs] == first
    jobs.take((QUICK, LONG, LEFT_OUT, LATER))
    assert [job.name for job in jobs.stream(None).jobs] == [*first, "later"]
    assert len(opened) == len(set(opened)) == len(first) + 1


def test_the_jobs_of_a_pipeline_may_come_later() -> None:
    """Without jobs it is over only if there will be none; their names are shown whole."""
    jobs = FollowedJobs(lambda _: cast("JobLog", None))
    jobs.take(())
    assert jobs.is_known
    assert not jobs.are_over
    jobs.will_be_none = True
    assert jobs.are_over
    jobs.take((LONG,))
    assert not jobs.are_over
    assert [one._name.text for one in jobs.live(0.0)] == ["long │ "]


def test_a_skipped_job_is_followed_once_a_retry_runs_it() -> None:
    """It keeps its id."""
    jobs = FollowedJobs(lambda _: cast("JobLog", None))
    jobs.take((LONG, LEFT_OUT))
    jobs.take((LONG, LEFT_OUT.model_copy(update={"status": "running", "started_at": THEN})))
    assert [job.name for job in jobs.stream(None).jobs] == ["long", "left out"]


@pytest.mark.parametrize(
    ("pipeline", "job", "is_over"),
    [
        ("success", "manual", True),
        ("failed", "skipped", True),
        ("manual", "manual", False),
        ("scheduled", "scheduled", False),
        ("running", "pending", False),
        ("manual", "success", True),
    ],
)
def test_a_pipeline_that_waits_for_one_of_its_jobs_is_not_over(
    pipeline: str, job: str, *, is_over: bool
) -> None:
    """That job has a log, too, once somebody starts it, or its time comes."""
    of = Pipeline(id=9, status=pipeline)
    jobs = FollowedJobs(lambda _: cast("JobLog", None))
    jobs.take((QUICK, LEFT_OUT.model_copy(update={"status": job, "pipeline": of})))
    assert jobs.are_over is is_over
