"""Where a pipeline broke, which jobs are flaky, and what is different from the last green one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.support.lane import NOW

from platui.analysis.triage.failure_points import (
    failed_before_retry,
    failure_point,
    find_flaky_jobs,
    runs_of,
)
from platui.analysis.triage.timeline import changed_jobs, changed_variables
from platui.models.values.triage import CommitSummary, Downstream
from platui.models.wire import Bridge, Job, Pipeline


def job(number: int, name: str, status: str = "success", **fields: Any) -> Job:
    """Return a job of a stage `name` begins with; job 10 of a pipeline ends at NOW + 10 minutes."""
    known: dict[str, Any] = {
        "id": number,
        "name": name,
        "stage": name.partition("_")[0],
        "status": status,
        "started_at": NOW,
        "finished_at": NOW + timedelta(minutes=number),
        "pipeline": {"id": 7, "sha": "a" * 40},
    }
    return Job(**(known | fields))


def test_the_first_that_failed_in_stage_order_is_the_one() -> None:
    """What failed later, or was skipped, failed because of it."""
    point = failure_point(
        [
            job(6, "test_all", "skipped", started_at=None),
            job(5, "build_b", "failed"),
            job(4, "build_a"),
            job(2, "load_b", "failed", failure_reason="script_failure"),
            job(1, "load_a"),
        ]
    )
    assert point.step is not None
    assert (point.step.name, point.step.stage, point.step.failure_reason) == (
        "load_b", "load", "script_failure",
    )  # fmt: skip
    assert point.step.has_log
    assert point.beside == ()


def test_of_several_in_a_stage_the_first_to_finish_is_the_one() -> None:
    """The others are told beside it; one whose end is not told comes last."""
    point = failure_point(
        [
            job(1, "load_a", "failed", finished_at=None),
            job(2, "load_b", "failed", finished_at=NOW + timedelta(minutes=9)),
            job(3, "load_c", "failed", finished_at=NOW + timedelta(minutes=4)),
        ]
    )
    assert point.step is not None
    assert point.step.name == "load_c"
    assert [one.name for one in point.beside] == ["load_b", "load_a"]


@pytest.mark.parametrize("status", ["created", "pending", "running", "manual"])
def test_a_job_that_is_being_retried_is_still_what_failed(status: str) -> None:
    """Its result is that of the attempt before, until the new one has ended."""
    before = [job(1, "load_a", "failed"), job(2, "test_all", "skipped", started_at=None)]
    again = job(3, "load_a", status, finished_at=None)
    point = failure_point([*before, again])
    assert point.step is not None
    assert (point.step.id, point.step.name, point.step.attempts) == (1, "load_a", 2)
    assert failure_point([*before, job(3, "load_a")]).step is None
    bridges = [
        Bridge(id=number, name="to_b", stage="b", status=one)
        for number, one in ((1, "failed"), (2, status))
    ]
    assert failure_point([], bridges).step is not None


def test_what_may_fail_is_no_cause() -> None:
    """Nor is what passed when it was tried again: that is flaky."""
    point = failure_point(
        [
            job(1, "load_a", "failed", allow_failure=True),
            job(2, "load_b", "failed"),
            job(9, "load_b"),
            job(3, "build_a", "failed"),
            job(10, "build_a", "failed"),
        ]
    )
    assert point.step is not None
    assert (point.step.id, point.step.attempts) == (10, 2)
    assert point.flakes == ("load_b",)


def test_what_missed_the_files_of_another_is_no_cause() -> None:
    """Unless nothing else failed."""
    missing = job(1, "load_a", "failed", failure_reason="missing_dependency_failure")
    point = failure_point([missing, job(2, "build_a", "failed")])
    assert point.step is not None
    assert point.step.name == "build_a"
    alone = failure_point([missing])
    assert alone.step is not None
    assert alone.step.name == "load_a"


def test_a_bridge_leads_to_the_pipeline_that_failed() -> None:
    """It has no log, but the other pipeline has jobs."""
    child = Pipeline(id=99, project_id=4, status="failed")
    bridges = [
        Bridge(id=2, name="load_child", stage="load", status="failed", downstream_pipeline=child),
        Bridge(id=1, name="load_child", stage="load", status="failed"),
    ]
    point = failure_point([job(3, "build_a", "skipped")], bridges)
    assert point.step is not None
    assert point.step.downstream == Downstream(99, 4)
    assert (point.step.is_bridge, point.step.has_log, point.step.attempts) == (True, False, 2)


def test_what_never_began_has_no_log() -> None:
    """A job that no runner took; its tags say which one it wanted."""
    stuck = job(
        1, "load_a", "failed", started_at=None, tag_list=["gpu"],
        failure_reason="stuck_or_timeout_failure",
    )  # fmt: skip
    point = failure_point([stuck])
    assert point.step is not None
    assert (point.step.has_log, point.step.tags) == (False, ("gpu",))


def test_without_jobs_the_pipeline_file_is_to_blame() -> None:
    """And of no jobs and no words nothing is said."""
    assert failure_point([], yaml_errors="load: unknown stage").words == "load: unknown stage"
    assert failure_point([]).step is None


def test_the_commit_is_told_by_the_first_job_that_knows_it() -> None:
    """Lists of pipelines have but its sha."""
    commit = {"id": "8f2c1ab", "title": "rename staging models", "author_name": "A. Khan"}
    point = failure_point([job(1, "load_a", "failed"), job(2, "load_b", commit=commit)])
    assert point.commit == CommitSummary("8f2c1ab", "rename staging models", "A. Khan")


@pytest.mark.parametrize(
    ("runs", "is_flaky"),
    [
        # (pipeline, status) from the oldest on, all of one commit
        ([(1, "failed"), (1, "success")], True),
        ([(1, "failed"), (2, "success")], False),
        ([(1, "failed"), (2, "failed"), (3, "success"), (4, "success")], False),
        ([(1, "success"), (2, "failed"), (3, "success")], True),
        ([(1, "failed"), (2, "canceled"), (3, "failed")], False),
        ([(1, "success")], False),
    ],
)
def test_a_job_is_flaky_that_passes_and_fails_on_one_commit(
    runs: list[tuple[int, str]], *, is_flaky: bool
) -> None:
    """One turn between two pipelines is none: something outside broke, or was mended."""
    jobs = [
        job(number, "test_all", status, pipeline={"id": pipeline, "sha": "a" * 40})
        for number, (pipeline, status) in enumerate(runs, 1)
    ]
    found = find_flaky_jobs(runs_of(reversed(jobs)))
    assert bool(found) is is_flaky
    if is_flaky:
        assert found[0].name == "test_all"
        assert jobs[found[0].passed - 1].status == "success"
        assert jobs[found[0].failed - 1].status == "failed"


def test_other_commits_and_other_jobs_make_no_flake() -> None:
    """Nor does a job whose commit nobody tells."""
    assert not find_flaky_jobs(runs_of([job(1, "test_a", "failed"), job(2, "test_b")]))
    other = job(2, "test_a", pipeline={"id": 7, "sha": "b" * 40})
    assert not find_flaky_jobs(runs_of([job(1, "test_a", "failed"), other]))
    untold = [job(1, "test_a", "failed", pipeline=None), job(2, "test_a", pipeline=None)]
    assert not find_flaky_jobs(runs_of(untold))


def test_what_changed_between_green_and_red() -> None:
    """Jobs whose status is another, or that only one has, in stage order; variables by name."""
    green = [job(1, "load_a"), job(2, "build_a"), job(3, "test_a"), job(4, "test_old")]
    red = [
        job(11, "load_a"), job(12, "load_new"), job(13, "build_a", "failed"),
        job(15, "build_a", "failed"), job(14, "test_a", "skipped"),
    ]  # fmt: skip
    assert changed_jobs(green, red) == ("load_new", "build_a", "test_old", "test_a")
    assert changed_jobs(green, green) == ()
    before = {"X": "1", "Y": "2", "Z": None}
    after = {"X": "1", "Y": "3", "Z": "9", "N": ""}
    assert changed_variables(before, after) == (("N", "added"), ("Y", "changed"))


def test_a_retry_does_not_change_when_it_failed() -> None:
    """The list of pipelines tells the end of the last attempt only; the jobs tell that of each."""
    first = job(1, "load_a", "failed")
    other = job(2, "test_all", "failed")
    later = NOW + timedelta(hours=8)
    again = job(9, "load_a", "failed", created_at=later, finished_at=later + timedelta(minutes=1))
    most = job(10, "load_a", created_at=later + timedelta(hours=1))
    assert failed_before_retry([most, again, other, first]) == other.finished_at
    assert failed_before_retry([again, first]) == first.finished_at
    assert failed_before_retry([other, first]) is None
    assert failed_before_retry([]) is None


def test_what_is_retried_while_a_pipeline_runs_is_part_of_its_run() -> None:
    """By the platform at once, or by somebody before the others have ended."""
    first = job(1, "load_a", "failed")
    at_once = job(2, "load_a", "failed", created_at=NOW + timedelta(minutes=1, seconds=2))
    assert failed_before_retry([first, at_once]) is None
    other = job(30, "test_all", "failed")
    early = job(31, "load_a", created_at=NOW + timedelta(minutes=5))
    assert failed_before_retry([first, other, early]) is None
    unknown = job(32, "load_a", "failed", created_at=None)
    assert failed_before_retry([first, unknown]) is None


def test_what_succeeded_in_between_had_not_failed_before() -> None:
    """Nor had a pipeline of which only a job failed that may fail."""
    first = job(1, "load_a", "failed")
    hour = NOW + timedelta(hours=1)
    good = job(2, "load_a", created_at=hour, finished_at=hour + timedelta(minutes=1))
    again = job(3, "load_a", "failed", created_at=hour + timedelta(hours=1))
    assert failed_before_retry([first, good, again]) is None
    allowed = job(1, "load_a", "failed", allow_failure=True)
    retried = job(2, "load_a", "failed", allow_failure=True, created_at=hour)
    assert failed_before_retry([allowed, retried]) is None


def test_retries_of_hundreds_of_jobs_are_gone_through_once() -> None:
    """The dashboard waits for it: three thousand of them took a second."""
    reads: list[int] = []

    class Counted:
        """A failed job that counts how often its end is read."""

        status, allow_failure = "failed", False

        def __init__(self, number: int) -> None:
            self.id, self.name = number, f"load_{number % 300}"
            self.created_at = NOW + timedelta(hours=number // 300)

        @property
        def finished_at(self) -> datetime:
            """Return a moment after its creation."""
            reads.append(self.id)
            return self.created_at + timedelta(minutes=1)

    jobs: list[Any] = [Counted(number) for number in range(600)]
    assert failed_before_retry(jobs) == NOW + timedelta(minutes=1)
    assert len(reads) < 10 * len(jobs)
