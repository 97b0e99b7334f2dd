"""python-gitlab on what lies beside the specification: schedules, artifacts, reports, refs."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import gitlab
import pytest
from tests.support.clock import FakeClock
from tests.support.platform import ask, running_platform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitlab.v4.objects import Project, ProjectJob

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """Return the time of the platform below."""
    return FakeClock()


@pytest.fixture(scope="module")
def own(clock: FakeClock) -> Iterator[RunningEmulator]:
    """Run a platform of these tests' own: they delete things."""
    with running_platform(clock=clock) as running:
        yield running


@pytest.fixture(scope="module")
def client(own: RunningEmulator) -> Iterator[gitlab.Gitlab]:
    """Sign in the way that HTTP libraries know to keep from other hosts: `Authorization`."""
    with gitlab.Gitlab(own.base_url, oauth_token=own.token, per_page=50) as signed_in:
        signed_in.session.trust_env = False
        yield signed_in


@pytest.fixture(scope="module")
def project(client: gitlab.Gitlab, own: RunningEmulator) -> Project:
    """Open the showcase by its path."""
    return client.projects.get(own.project)


def test_a_schedule_from_its_making_to_its_end(project: Project, clock: FakeClock) -> None:
    """Made, given variables, changed, played, looked after, deleted."""
    made = project.pipelineschedules.create(
        {"description": "From afar", "ref": "main", "cron": "30 5 * * *"}
    )
    variable = made.variables.create({"key": "DAY", "value": "monday"})
    made.variables.update("DAY", {"value": "friday"})
    made.cron = "0 6 * * *"
    made.save()
    again = project.pipelineschedules.get(made.id)
    assert (again.cron, again.next_run_at) == ("0 6 * * *", "2026-03-14T06:00:00.000Z")
    assert [(one["key"], one["value"]) for one in again.attributes["variables"]] == [
        (variable.key, "friday")
    ]
    again.play()
    clock.jump(2)
    played = again.pipelines.list(get_all=True)
    assert [one.source for one in played] == ["schedule"]
    assert project.pipelineschedules.get(made.id).last_pipeline["id"] == played[0].id
    made.variables.delete("DAY")
    # The answer to a play is no schedule, and this client takes it for one.
    last = project.pipelineschedules.get(made.id)
    last.take_ownership()
    last.delete()
    with pytest.raises(gitlab.GitlabGetError, match="404 Pipeline Schedule Not Found"):
        project.pipelineschedules.get(made.id)


def test_a_schedule_of_somebody_else_is_taken_over_first(project: Project) -> None:
    """403, then ownership, then the change."""
    me = project.manager.gitlab.http_get("/user")["username"]  # type: ignore[index]
    schedules = project.pipelineschedules.list(iterator=True)
    other = next(one for one in schedules if one.owner and one.owner["username"] != me)
    other.active = False
    with pytest.raises(gitlab.GitlabUpdateError, match="403 Forbidden"):
        other.save()
    other.take_ownership()
    other.active = False
    other.save()
    assert project.pipelineschedules.get(other.id).next_run_at is None
    assert other.id in {one.id for one in project.pipelineschedules.list(scope="inactive")}


def newest_job(project: Project, name: str) -> ProjectJob:
    """Return the newest successful job of that name whose archive is still there."""
    jobs = project.jobs.list(scope=["success"], iterator=True)
    return next(
        job
        for job in jobs
        if (job.name, job.ref) == (name, "main") and "artifacts_file" in job.attributes
    )


def test_artifacts_are_fetched_from_the_storage_without_the_token(
    own: RunningEmulator, project: Project
) -> None:
    """The archive whole and in pieces, one file of it, kept and deleted."""
    job = newest_job(project, "dbt_run")
    packed = job.artifacts()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        log = archive.read("logs/dbt.log")
    pieces: list[bytes] = []
    job.artifacts(streamed=True, action=pieces.append)
    assert b"".join(pieces) == packed
    assert job.artifact("logs/dbt.log") == log
    latest = project.artifacts.download("main", "dbt_run")
    raw = project.artifacts.raw("main", "logs/dbt.log", "dbt_run")
    with zipfile.ZipFile(io.BytesIO(latest)) as archive:
        assert archive.read("logs/dbt.log") == raw
    job.keep_artifacts()
    assert project.jobs.get(job.id).artifacts_expire_at is None
    job.delete_artifacts()
    with pytest.raises(gitlab.GitlabGetError, match="404"):
        job.artifacts()
    stored = [one for one in own.platform.journal.entries() if one.server == "storage"]
    assert len(stored) == 3
    assert {(one.status, one.tokens) for one in stored} == {(200, ())}


def test_a_private_token_that_is_handed_on_is_found_out(own: RunningEmulator) -> None:
    """`PRIVATE-TOKEN` is no header that HTTP libraries know: this client sends it along."""
    with gitlab.Gitlab(own.base_url, private_token=own.token) as leaking:
        leaking.session.trust_env = False
        job = newest_job(leaking.projects.get(own.project), "dbt_run")
        with pytest.raises(gitlab.GitlabGetError, match="400"):
            job.artifacts()
    last = ask("GET", f"{own.base_url}/-/emulator/requests").json()["requests"][-1]
    assert (last["server"], last["status"]) == ("storage", 400)
    assert last["tokens"] == ["private-token"]


def test_reports_of_tests_are_read(project: Project) -> None:
    """With cases and in sum."""
    pipelines = (project.pipelines.get(one.id) for one in project.pipelines.list(iterator=True))
    pipeline = next(one for one in pipelines if one.test_report.get().total_count)
    report = pipeline.test_report.get()
    summary = pipeline.test_report_summary.get()
    assert summary.total["count"] == report.total_count > 0
    assert sum(len(suite["test_cases"]) for suite in report.test_suites) == report.total_count


def test_commits_are_compared(project: Project) -> None:
    """What a merge brought in, its files, and the request that asked for it."""
    branch = next(one for one in project.branches.list(iterator=True) if not one.default)
    compared: Any = project.repository_compare("main", branch.name)
    assert compared["commits"][-1]["id"] == branch.commit["id"]
    assert compared["commit"] == compared["commits"][-1]
    assert not compared["compare_timeout"]
    tip = project.commits.get(branch.commit["id"])
    [request] = tip.merge_requests()
    assert request["source_branch"] == branch.name
    for file in tip.diff():
        before, after = (
            project.files.get(file[path], ref=ref).decode().decode()
            for path, ref in (("old_path", tip.parent_ids[0]), ("new_path", tip.id))
        )
        changed = [line for line in file["diff"].splitlines() if line[0] in "+-"]
        assert {line[1:] for line in changed} <= {*before.splitlines(), *after.splitlines()}
    whole: Any = project.repository_compare(tip.parent_ids[0], tip.id)
    assert whole["diffs"] == list(tip.diff())


def test_lists_are_paged_by_key(client: gitlab.Gitlab, project: Project) -> None:
    """`pagination="keyset"` is followed by its links, on projects and branches."""
    by_key = client.projects.list(
        iterator=True, pagination="keyset", order_by="id", sort="asc", per_page=9
    )
    ids = [one.id for one in by_key]
    assert ids == sorted(set(ids))
    assert len(ids) == client.projects.list(iterator=True).total
    branches = project.branches.list(iterator=True, pagination="keyset", per_page=2)
    assert project.default_branch in {one.name for one in branches}


def test_refs_and_files_of_every_sort(project: Project) -> None:
    """A tag alone, a commit alone, a picture and a name in another script."""
    newest = project.tags.list(iterator=True).next()
    assert project.tags.get(newest.name).target == newest.commit["id"]
    assert project.commits.get(newest.target).title == newest.commit["title"]
    docs = project.repository_tree("docs", ref="main", get_all=True)
    assert {one["name"].isascii() for one in docs} == {True, False}
    for one in docs:
        file = project.files.get(one["path"], ref="main")
        assert project.files.raw(one["path"], ref="main") == file.decode()
        assert project.files.head(one["path"], ref="main")["X-Gitlab-Size"] == str(file.size)
