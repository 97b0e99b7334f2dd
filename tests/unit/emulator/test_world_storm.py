"""The worst night: most projects red for a few causes, and the desk knows which."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
from tests.support.company import NOW, company, planted_cause, stormy_company
from tests.support.platform import ask

from platui_emulator.world.clock import pipeline_of

if TYPE_CHECKING:
    from platui_emulator.records import Pipeline
    from platui_emulator.server import RunningEmulator
    from platui_emulator.world import Company

AFTERNOON = datetime(2026, 11, 21, 15, 37, tzinfo=UTC)
WIDE = ("warehouse_login", "network_outage", "upstream_renamed")


@lru_cache(maxsize=2)
def storm(began: datetime) -> Company:
    """Return the company in whose night it is that moment."""
    return stormy_company(began)


def newest_of_main(world: Company, now: datetime) -> list[Pipeline]:
    """Return the newest finished pipeline of each project's default branch."""
    found = []
    for project in world.projects():
        page, _ = world.pipelines.page(project.id, now, offset=0, limit=8)
        found += [one for one in page if one.ref == "main" and one.finished_at][:1]
    return found


@pytest.mark.parametrize("now", [NOW, AFTERNOON])
def test_most_projects_turn_red_within_minutes(now: datetime) -> None:
    """At any time of day: what the company takes for night is when the emulator starts."""
    newest = newest_of_main(storm(now), now)
    red = [one for one in newest if one.status == "failed"]
    fresh = [
        one for one in red if one.finished_at and now - one.finished_at < timedelta(minutes=20)
    ]
    assert len(newest) == 60
    assert len(fresh) >= 40
    assert sum(one.status == "success" for one in newest) >= 8
    before = newest_of_main(storm(now), now - timedelta(days=1))
    assert sum(one.status == "failed" for one in before) <= 6


def test_three_causes_are_behind_nearly_all_of_it() -> None:
    """The truth names each job that failed for a cause, and the commit that it began with."""
    world = storm(NOW)
    causes = {one.key: one for one in world.truth(NOW)}
    assert [len(causes[key].projects) >= 9 for key in WIDE] == [True] * 3
    red = sum(one.status == "failed" for one in newest_of_main(world, NOW))
    assert sum(len(causes[key].projects) for key in WIDE) >= red * 0.85
    for cause in causes.values():
        for project_id, pipeline_id in zip(cause.projects, cause.pipelines, strict=True):
            pipeline = world.pipelines.get(project_id, pipeline_id, NOW)
            assert pipeline is not None
            assert pipeline.status == "failed"
        jobs = [(pipeline_of(job)[0], job) for job in cause.jobs]
        owner = dict(zip(cause.pipelines, cause.projects, strict=True))
        planted = {planted_cause(world, owner[pipeline], job, NOW) for pipeline, job in jobs}
        assert planted == {cause.key}
    renamed = causes["upstream_renamed"]
    assert renamed.first_broken_project is not None
    assert renamed.first_broken_commit is not None
    commit = world.repositories.commit(
        renamed.first_broken_project, renamed.first_broken_commit, NOW
    )
    assert commit is not None
    assert "stg_orders" in commit.title
    assert commit.authored_at < NOW - timedelta(hours=1)


def test_one_cause_speaks_in_many_ways() -> None:
    """Different programs, hosts and numbers say it: no two logs end alike, yet all mean one."""
    world = storm(NOW)
    for cause in world.truth(NOW):
        if cause.key not in {"warehouse_login", "network_outage"}:
            continue
        lines = []
        for project_id, job in zip(cause.projects, cause.jobs, strict=True):
            log = world.pipelines.trace(project_id, job, NOW)
            assert isinstance(log, bytes)
            wanted = r"[^\n]*(?:expired|timed out|i/o timeout)[^\n]*"
            found = re.findall(wanted, log.decode())
            assert found, f"{cause.key} is not said by job {job}"
            lines.append(re.sub(r"^\S*Z \S+ ", "", found[-1]))
        kinds = {re.sub(r"[0-9a-f]*\d[0-9a-f]*", "#", line) for line in lines}
        assert len(set(lines)) > len(lines) // 2
        assert 2 <= len(kinds) <= 8


def test_some_schedules_are_late() -> None:
    """Three nightly runs were due hours ago, and nothing has started them."""
    late = [
        schedule
        for project in storm(NOW).projects()
        for schedule in storm(NOW).schedules.of(project.id, NOW)
        if schedule.next_run_at is not None and schedule.next_run_at < NOW - timedelta(hours=2)
    ]
    assert len(late) == 3


def test_the_desk_tells_the_truth_of_any_company(still_platform: RunningEmulator) -> None:
    """In the usual company too, and only of what has really failed."""
    answer = ask("GET", f"{still_platform.base_url}/-/emulator/truth").json()
    assert answer["causes"]
    now = still_platform.platform.time.now()
    for cause in answer["causes"]:
        assert cause["words"].endswith(".")
        assert len(cause["projects"]) == len(cause["paths"]) == len(cause["pipelines"])
        owner = dict(zip(cause["pipelines"], cause["projects"], strict=True))
        for job in cause["jobs"]:
            assert planted_cause(company(), owner[pipeline_of(job)[0]], job, now) == cause["key"]
