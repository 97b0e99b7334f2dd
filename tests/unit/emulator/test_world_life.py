"""Pipelines and jobs live as on the platform: legal statuses, times in order, one composite."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from tests.support.company import NOW, company, every_job, jobs, moments, newest

from platui_emulator.world.views import has_warnings, status_of

STATUSES = {
    "created", "pending", "running", "success", "failed", "canceled", "skipped", "manual",
}  # fmt: skip
FINISHED = {"success", "failed", "canceled"}
SOURCES = {"schedule", "push", "web", "trigger", "api"}


@pytest.mark.parametrize("now", [NOW, *moments(4)])
def test_times_are_in_order_and_none_is_in_the_future(now: object) -> None:
    """Created, started, finished, now: in this order, and only where the status has them."""
    for pipeline, job in every_job(now, 4):
        assert job.status in STATUSES
        assert pipeline.created_at <= job.created_at <= now  # type: ignore[operator]
        if job.started_at:
            assert job.created_at <= job.started_at <= now  # type: ignore[operator]
            assert job.queued_duration is not None
            assert job.queued_duration >= 0
            assert job.runner is not None
        if job.finished_at:
            assert (job.started_at or job.created_at) <= job.finished_at <= now  # type: ignore[operator]
        assert (job.finished_at is not None) == (job.status in FINISHED)
        assert (job.duration is None) == (job.started_at is None)
        if job.status in {"created", "pending", "skipped", "manual"}:
            assert job.started_at is None
        assert (job.failure_reason is not None) == (job.status == "failed")


@pytest.mark.parametrize("now", [NOW, *moments(4)])
def test_the_status_of_a_pipeline_is_that_of_its_jobs(now: object) -> None:
    """The composite of the latest attempts, bridges among them."""
    seen: Counter[str] = Counter()
    for project in company().projects():
        for pipeline in newest(project, now, 5):  # type: ignore[arg-type]
            latest = company().pipelines.jobs(project.id, pipeline.id, now, with_retried=False)  # type: ignore[arg-type]
            bridges = [
                bridge.job
                for bridge in company().pipelines.bridges(project.id, pipeline.id, now)  # type: ignore[arg-type]
            ]
            pairs = [(job.status, job.allow_failure) for job in (*latest, *bridges)]
            assert pipeline.status == status_of(pairs)
            assert pipeline.warnings == has_warnings(pairs)
            assert (pipeline.finished_at is not None) == (pipeline.status in FINISHED)
            assert pipeline.created_at <= pipeline.updated_at <= now  # type: ignore[operator]
            assert pipeline.source in SOURCES
            assert (pipeline.yaml_errors is None) or not latest
            seen[pipeline.status] += 1
    assert {"success", "failed", "running"} <= set(seen)


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([], "failed"),
        (["created"], "created"),
        (["created", "pending"], "pending"),
        (["success", "created", "pending"], "running"),
        (["success", "created"], "running"),
        (["running", "failed"], "running"),
        (["success", "skipped"], "success"),
        (["skipped", "skipped"], "skipped"),
        (["success", "canceled", "skipped"], "canceled"),
        (["success", "failed", "canceled"], "failed"),
        (["success", "failed?"], "success"),
        (["success", "manual?"], "success"),
        (["success", "manual"], "manual"),
        (["failed?", "created"], "created"),
    ],
)
def test_composite_status(statuses: list[str], expected: str) -> None:
    """The platform's own table; a question mark stands for `allow_failure`."""
    pairs = [(status.rstrip("?"), status.endswith("?")) for status in statuses]
    assert status_of(pairs) == expected


def test_a_pipeline_goes_from_pending_over_running_to_its_end() -> None:
    """Followed second by second, a job never leaves its end, and nothing appears in the past."""
    project = company().projects()[0]
    end = newest(project, NOW, 3)[2]
    moment, seen = end.created_at, []
    ended: dict[int, str] = {}
    while moment < end.updated_at + timedelta(seconds=5):
        pipeline = company().pipelines.get(project.id, end.id, moment)
        assert pipeline is not None
        seen.append(pipeline.status)
        for job in jobs(pipeline, moment):
            if job.id in ended:
                assert ended[job.id] == job.status
            if job.status in FINISHED:
                ended[job.id] = job.status
        moment += timedelta(seconds=3)
    order = list(dict.fromkeys(seen))
    assert order[0] in {"created", "pending"}
    assert order[-1] == end.status
    assert "running" in order
    assert (
        company().pipelines.get(project.id, end.id, end.created_at - timedelta(seconds=1)) is None
    )


def test_stages_wait_for_each_other() -> None:
    """A job starts only after all jobs of earlier stages ended; numbers follow the stages."""
    for project in company().projects():
        for pipeline in newest(project, NOW, 3):
            if pipeline.source == "parent_pipeline" or pipeline.status != "success":
                continue
            found = sorted(jobs(pipeline, NOW), key=lambda job: job.id)
            if any(job.retried for job in found):
                continue
            stages = list(dict.fromkeys(job.stage for job in found))
            assert [stages.index(job.stage) for job in found] == sorted(
                stages.index(job.stage) for job in found
            )
            for job in found:
                earlier = [
                    one.finished_at
                    for one in found
                    if stages.index(one.stage) < stages.index(job.stage) and one.finished_at
                ]
                if job.started_at and earlier:
                    assert job.started_at >= max(earlier)


def test_retries_are_newer_jobs_of_the_same_name() -> None:
    """The attempt that was replaced is hidden by default and has the smaller number."""
    found = 0
    for project in company().projects():
        for pipeline in newest(project, NOW, 12):
            everything = jobs(pipeline, NOW)
            latest = {
                job.id
                for job in company().pipelines.jobs(
                    project.id, pipeline.id, NOW, with_retried=False
                )
            }
            for job in everything:
                assert (job.id in latest) != job.retried
                if job.retried:
                    found += 1
                    again = [one for one in everything if one.name == job.name and one != job]
                    assert min(one.id for one in again) > job.id
                    assert job.status == "failed"
    assert found > 3


def test_after_a_failure_the_rest_is_skipped_but_cleaned_up() -> None:
    """Later stages are skipped; jobs that always run still do."""
    seen = 0
    for project in company().projects():
        for pipeline in newest(project, NOW, 8):
            found = jobs(pipeline, NOW)
            if pipeline.status != "failed" or not found:
                continue
            seen += 1
            assert any(job.status == "failed" and not job.allow_failure for job in found)
            tidy = [job for job in found if job.name == "drop_dev_schema"]
            assert all(job.started_at for job in tidy)
    assert seen > 20
