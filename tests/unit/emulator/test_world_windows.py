"""Lists are windows: any page is right without the pages before it."""

from __future__ import annotations

import gc
import tracemalloc
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from tests.support.company import NOW, company, moments

from platui_emulator.world import Company, timetable


def test_pages_put_together_are_the_big_page() -> None:
    """Small windows show what one big window shows."""
    for project in list(company().projects())[::9]:
        whole, total = company().pipelines.page(project.id, NOW, offset=40, limit=60)
        parts = [
            pipeline
            for offset in range(40, 100, 7)
            for pipeline in company().pipelines.page(
                project.id, NOW, offset=offset, limit=min(7, 100 - offset)
            )[0]
        ]
        assert parts == list(whole)
        assert total > 400


def test_the_last_page_ends_where_the_count_says() -> None:
    """The count is the number of pipelines that windows show."""
    for project in list(company().projects())[::13]:
        _, total = company().pipelines.page(project.id, NOW, offset=0, limit=1)
        page, again = company().pipelines.page(project.id, NOW, offset=total - 3, limit=20)
        assert len(page) == 3
        assert again == total
        assert company().pipelines.page(project.id, NOW, offset=total + 5, limit=20)[0] == []


def test_numbers_fall_within_a_list_and_never_meet() -> None:
    """Pipelines and jobs are unique in the company, and newer ones have larger numbers."""
    pipelines: set[int] = set()
    jobs: set[int] = set()
    seen = 0
    for project in company().projects():
        page, _ = company().pipelines.page(project.id, NOW, offset=0, limit=12)
        assert all(newer.id > older.id for newer, older in pairwise(page))
        assert all(newer.iid > older.iid for newer, older in pairwise(page))
        assert all(newer.created_at > older.created_at for newer, older in pairwise(page))
        for pipeline in page:
            found = company().pipelines.jobs(project.id, pipeline.id, NOW, with_retried=True)
            assert [job.id for job in found] == sorted((job.id for job in found), reverse=True)
            pipelines.add(pipeline.id)
            jobs.update(job.id for job in found)
            seen += len(found)
    assert len(pipelines) == 12 * len(company().projects())
    assert len(jobs) == seen


def test_numbers_grow_with_time_across_projects() -> None:
    """What was created later has the larger number, whichever project it is of."""
    everything = [
        pipeline
        for project in company().projects()
        for pipeline in company().pipelines.page(project.id, NOW, offset=0, limit=15)[0]
    ]
    by_number = sorted(everything, key=lambda one: one.id)
    assert by_number == sorted(everything, key=lambda one: one.created_at)


def test_whatever_is_listed_is_found_by_its_number() -> None:
    """Single records are those of the lists, children and their jobs included."""
    bridges = 0
    for project in list(company().projects())[::4]:
        for pipeline in company().pipelines.page(project.id, NOW, offset=3, limit=5)[0]:
            assert company().pipelines.get(project.id, pipeline.id, NOW) == pipeline
            for bridge in company().pipelines.bridges(project.id, pipeline.id, NOW):
                bridges += 1
                child = bridge.downstream
                if child is not None:
                    assert company().pipelines.get(project.id, child.id, NOW) == child
                    assert child.parent_id == pipeline.id
                    assert company().pipelines.jobs(project.id, child.id, NOW, with_retried=False)
                assert company().pipelines.job(project.id, bridge.job.id, NOW) is None
                assert company().pipelines.trace(project.id, bridge.job.id, NOW) is None
            for job in company().pipelines.jobs(project.id, pipeline.id, NOW, with_retried=True):
                assert company().pipelines.job(project.id, job.id, NOW) == job
    assert bridges > 3


def test_what_does_not_exist_is_not_found() -> None:
    """Numbers of other projects, of the future and of nobody lead nowhere."""
    one, other = company().projects()[:2]
    theirs = company().pipelines.page(other.id, NOW, offset=0, limit=1)[0][0]
    assert company().pipelines.get(one.id, theirs.id, NOW) is None
    later = company().pipelines.page(one.id, NOW + timedelta(days=1), offset=0, limit=1)[0][0]
    assert company().pipelines.get(one.id, later.id, NOW) is None
    for number in (-1, 0, 1, 2**40, 10**30):
        assert company().pipelines.get(one.id, number, NOW) is None
        assert company().pipelines.job(one.id, number, NOW) is None
        assert company().pipelines.trace(one.id, number, NOW) is None
        assert company().pipelines.jobs(one.id, number, NOW, with_retried=True) == ()
    assert company().pipelines.page(99_999, NOW, offset=0, limit=5) == ((), 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [("status", "failed"), ("status", "success"), ("source", "schedule"), ("ref", "main")],
)
def test_filters_keep_what_is_asked_for(name: str, value: str) -> None:
    """A filtered window holds what the whole list holds of it, in order."""
    project = company().projects()[12]
    asked: dict[str, Any] = {name: value}
    page, total = company().pipelines.page(project.id, NOW, offset=2, limit=10, **asked)
    whole, _ = company().pipelines.page(project.id, NOW, offset=0, limit=500)
    wanted = [one for one in whole if getattr(one, name) == value]
    assert page == wanted[2:12]
    assert total >= len(wanted) > 12


def test_sha_and_person_are_filters_too() -> None:
    """A hash and a user name find their pipelines."""
    project = company().projects()[3]
    one = company().pipelines.page(project.id, NOW, offset=4, limit=1)[0][0]
    by_sha, _ = company().pipelines.page(project.id, NOW, offset=0, limit=50, sha=one.sha)
    assert one in by_sha
    assert {found.sha for found in by_sha} == {one.sha}
    by_user, _ = company().pipelines.page(
        project.id, NOW, offset=0, limit=50, username=one.user.username
    )
    assert one in by_user
    assert {found.user for found in by_user} == {one.user}


def test_children_are_listed_only_when_asked_for() -> None:
    """The list of a project leaves child pipelines out, unless their source is asked for."""
    found = 0
    for project in list(company().projects())[28:40]:
        page, _ = company().pipelines.page(project.id, NOW, offset=0, limit=30)
        assert all(one.parent_id is None for one in page)
        children, _ = company().pipelines.page(
            project.id, NOW, offset=0, limit=5, source="parent_pipeline"
        )
        assert all(one.parent_id is not None for one in children)
        found += len(children)
    assert found > 10


def test_jobs_of_a_project_come_in_windows_too() -> None:
    """Jobs fall by number; windows fit together; a scope keeps its statuses."""
    for project in (company().projects()[0], *list(company().projects())[28:60:6]):
        whole = list(company().pipelines.project_jobs(project.id, NOW, offset=0, limit=90))
        assert [job.id for job in whole] == sorted({job.id for job in whole}, reverse=True)
        parts = [
            job
            for offset in range(0, 90, 20)
            for job in company().pipelines.project_jobs(
                project.id, NOW, offset=offset, limit=min(20, 90 - offset)
            )
        ]
        assert parts == whole
        failed = company().pipelines.project_jobs(
            project.id, NOW, offset=0, limit=10, scope=frozenset({"failed"})
        )
        assert {job.status for job in failed} == {"failed"}


def fill_what_companies_share() -> None:
    """Fill what the process keeps at hand, whichever companies were looked at before."""
    kept = timetable._next_due
    kept.cache_clear()
    for second in range(kept.cache_parameters()["maxsize"] or 0):
        kept("* * * * *", "UTC", int(NOW.timestamp()) + second)


def test_looking_far_and_wide_costs_no_memory() -> None:
    """Pages anywhere in time, once what is kept at hand is full, leave nothing behind."""
    own = Company(11)
    # So few that what each of them keeps is full at half-time.
    projects = own.projects()[::20]
    times = moments(40, seed=5)
    tracemalloc.start()
    try:
        fill_what_companies_share()
        for turn in range(140):
            if turn == 70:
                gc.collect()
                before, _ = tracemalloc.get_traced_memory()
            now = times[turn % len(times)]
            project = projects[turn % len(projects)]
            own.pipelines.page(project.id, now, offset=turn * 3 % 600, limit=4)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 500_000
    assert after < 60_000_000
