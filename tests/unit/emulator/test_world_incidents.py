"""How the company is doing: mostly well, with incidents that share causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.support.company import (
    NOW,
    company,
    every_job,
    jobs,
    moments,
    newest,
    newest_first,
    planted_cause,
)

if TYPE_CHECKING:
    from datetime import datetime

    from platui_emulator.records import Pipeline, Project

FINISHED = {"success", "failed", "canceled"}


def newest_finished(project: Project, now: datetime) -> Pipeline:
    """Return the newest finished pipeline of the default branch."""
    return next(
        one
        for one in newest_first(project, now, 40)
        if one.ref == project.default_branch and one.status in FINISHED
    )


def test_a_tenth_to_a_fifth_is_red() -> None:
    """Never far from one project in seven, and on average within the promise."""
    projects = company().projects()
    shares = [
        sum(newest_finished(one, now).status == "failed" for one in projects) / len(projects)
        for now in moments(5, seed=2)
    ]
    assert 0.1 <= sum(shares) / len(shares) <= 0.2
    assert all(0.06 <= share <= 0.25 for share in shares)


@pytest.mark.parametrize("now", moments(50, seed=3))
def test_something_runs_at_every_moment(now: datetime) -> None:
    """A dashboard has something to follow, whenever it is opened."""
    assert any(
        one.status == "running" and now - one.created_at < timedelta(hours=1)
        for project in company().projects()
        for one in newest(project, now, 2)
    )


def test_something_waits_at_most_moments() -> None:
    """Runners are scarce: often a whole pipeline waits for one."""
    waiting = [
        sum(one.status == "pending" for p in company().projects() for one in newest(p, now, 1))
        for now in moments(12, seed=4)
    ]
    assert sum(count > 0 for count in waiting) >= 5


def test_incidents_are_runs_of_one_cause() -> None:
    """A broken project fails pipeline after pipeline, in the same job, with one cause."""
    long_runs = 0
    for project in company().projects():
        reds = []
        for one in newest_first(project, NOW, 60):
            if one.ref != project.default_branch or one.status not in FINISHED:
                continue
            if one.status != "failed":
                break
            reds.append(one)
        if len(reds) < 3:
            continue
        long_runs += 1
        causes = {
            (job.name, planted_cause(company(), project.id, job.id, NOW))
            for one in reds
            for job in jobs(one, NOW)
            if job.status == "failed" and not job.allow_failure and not job.retried
        }
        assert len(causes) <= 2
    assert long_runs >= 4


def test_projects_share_causes_in_overlapping_windows() -> None:
    """At any moment several broken projects have one cause."""
    for now in moments(2, seed=2):
        causes = Counter(
            planted_cause(company(), project.id, job.id, now)
            for project in company().projects()
            if (red := newest_finished(project, now)).status == "failed"
            for job in jobs(red, now)
            if job.status == "failed" and not job.allow_failure
        )
        assert causes.most_common(1)[0][1] >= 2
        assert len(causes) <= 8


def test_commits_start_and_end_incidents() -> None:
    """The first red pipeline of a missing relation runs on the commit that renamed it."""
    project = company().showcase(NOW)
    page = [one for one in newest_first(project, NOW, 60) if one.ref == project.default_branch]
    reds = []
    for one in page:
        if one.status == "success":
            break
        if one.status == "failed":
            reds.append(one)
    first = reds[-1]
    commit = company().repositories.commit(project.id, first.sha, NOW)
    assert commit is not None
    assert commit.title.startswith("Rename staging models")
    assert first.source == "push"


def test_one_job_is_stuck_at_every_moment() -> None:
    """Somewhere a job has been pending for long, for want of a runner."""
    for now in moments(3, seed=7):
        stuck = [
            job
            for project in company().projects()
            for one in newest(project, now, 16)
            if one.status == "running" and now - one.created_at > timedelta(minutes=45)
            for job in jobs(one, now)
            if job.status == "pending"
        ]
        assert stuck
        assert {job.name for job in stuck} == {"fit_model_gpu"}


def test_all_kinds_of_trouble_occur() -> None:
    """Every planted cause is found somewhere within a week."""
    seen: dict[str, int] = defaultdict(int)
    kinds: Counter[str] = Counter()
    for now in (NOW - timedelta(hours=14 * step) for step in range(11)):
        for pipeline, job in every_job(now, 2):
            kinds[pipeline.status] += 1
            if job.status == "failed":
                cause = planted_cause(company(), job.project_id, job.id, now)
                assert cause is not None
                seen[cause] += 1
    assert set(seen) - {"no_runner"} == {
        "token_expired", "relation_missing", "warehouse_suspended", "test_failed", "key_error",
        "connection_error", "out_of_memory", "sql_syntax", "runner_failure", "timeout",
        "stale_source", "soft_failure",
    }  # fmt: skip
    assert {"success", "failed", "canceled", "running"} <= set(kinds)


@pytest.mark.parametrize("now", [NOW, *moments(8, seed=9)])
def test_the_showcase_is_red_for_a_reason_that_reads_well(now: datetime) -> None:
    """Its newest finished pipeline failed on a model, and the log says which."""
    project = company().showcase(now)
    red = newest_finished(project, now)
    assert red.status == "failed"
    failed = [job for job in jobs(red, now) if job.status == "failed" and not job.allow_failure]
    log = company().pipelines.trace(project.id, failed[0].id, now)
    assert isinstance(log, bytes)
    assert b"Database Error in model" in log
    assert b"does not exist" in log
