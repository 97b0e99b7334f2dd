"""A client that we did not write walks the emulator: python-gitlab."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import gitlab
import pytest
from tests.support.platform import credentials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitlab.v4.objects import Project
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def client(platform: RunningEmulator) -> Iterator[gitlab.Gitlab]:
    """Sign in with the personal token."""
    with gitlab.Gitlab(platform.base_url, private_token=platform.token, per_page=50) as signed_in:
        signed_in.session.trust_env = False
        yield signed_in


@pytest.fixture(scope="module")
def project(client: gitlab.Gitlab, platform: RunningEmulator) -> Project:
    """Open the showcase by its path."""
    return client.projects.get(platform.project)


def test_it_signs_in_and_reads_the_version(
    client: gitlab.Gitlab, platform: RunningEmulator
) -> None:
    """`auth` is `/user`."""
    client.auth()
    assert client.user is not None
    assert client.user.username == credentials(platform)["user"]
    assert client.version()[0] != "unknown"


def test_it_pages_through_all_projects_and_namespaces(client: gitlab.Gitlab) -> None:
    """Its iterators follow `Link` and read the totals."""
    projects = client.projects.list(iterator=True, per_page=10)
    assert projects.total is not None
    assert len({one.id for one in projects}) == projects.total > 20
    names = client.namespaces.list(get_all=True, search="e")
    assert names
    assert client.namespaces.get(names[0].id).full_path == names[0].full_path


def test_it_walks_from_a_red_pipeline_to_the_log(project: Project) -> None:
    """Pipelines, jobs, bridges, the log, and jobs of the whole project."""
    failed = (one for one in project.pipelines.list(status="failed", iterator=True))
    # Another test may have tried again what failed in the newest.
    pipeline = next(one for one in failed if one.jobs.list(get_all=False, scope=["failed"]))
    assert project.pipelines.get(pipeline.id).detailed_status["group"] == "failed"
    jobs = pipeline.jobs.list(get_all=True, scope=["failed"])
    assert {job.status for job in jobs} == {"failed"}
    job = project.jobs.get(jobs[0].id)
    assert len(job.trace()) > 100
    assert isinstance(pipeline.bridges.list(get_all=True), list)
    newest = project.jobs.list(iterator=True, per_page=5)
    assert len([next(newest).id for _ in range(12)]) == 12
    assert project.pipelines.latest().ref == project.default_branch


def test_it_reads_the_repository(project: Project) -> None:
    """Tree, file with an encoded path, branches, tags."""
    tree = project.repository_tree(recursive=True, get_all=True)
    path = next(one["path"] for one in tree if one["type"] == "blob" and "/" in one["path"])
    file = project.files.get(path, ref=project.default_branch)
    assert len(file.decode()) == file.size
    assert project.files.raw(path, ref=project.default_branch) == file.decode()
    branches = project.branches.list(get_all=True)
    assert project.default_branch in {one.name for one in branches}
    assert project.branches.get(project.default_branch).default
    assert isinstance(project.tags.list(get_all=True), list)


def test_it_creates_and_lists_schedules(project: Project) -> None:
    """What it creates it finds again."""
    made = project.pipelineschedules.create(
        {"description": "From afar", "ref": "main", "cron": "30 5 * * 1-5", "active": True}
    )
    assert made.id in {one.id for one in project.pipelineschedules.list(get_all=True)}
    assert project.pipelineschedules.get(made.id).cron == "30 5 * * 1-5"
    with pytest.raises(gitlab.GitlabCreateError, match="cron"):
        project.pipelineschedules.create({"description": "x", "ref": "main", "cron": "never"})


def test_it_starts_pipelines_both_ways(project: Project, platform: RunningEmulator) -> None:
    """With the access token and variables, and with the trigger token."""
    started = project.pipelines.create(
        {"ref": "main", "variables": [{"key": "DAY", "value": "2026-03-14"}]}
    )
    assert started.status == "pending"
    triggered = project.trigger_pipeline("main", platform.trigger_token, {"DAY": "2026-03-14"})
    assert triggered.source == "trigger"
    with pytest.raises(gitlab.GitlabCreateError, match="404"):
        project.trigger_pipeline("main", "guess")


def test_it_understands_our_refusals(client: gitlab.Gitlab, platform: RunningEmulator) -> None:
    """401 and 404 are read as what they are."""
    with pytest.raises(gitlab.GitlabGetError, match="404 Project Not Found"):
        client.projects.get("no/such/project")
    stranger = gitlab.Gitlab(platform.base_url, private_token="guess")
    stranger.session.trust_env = False
    with stranger, pytest.raises(gitlab.GitlabAuthenticationError, match="401 Unauthorized"):
        stranger.auth()


def test_it_waits_out_the_quota(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads `Retry-WaitOptions`, waits that long, and goes on where it was."""
    platform = platform_with(rate_limit=1)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        platform.platform.quota.limit += 10

    monkeypatch.setattr(time, "sleep", wait)
    with gitlab.Gitlab(platform.base_url, private_token=platform.token) as client:
        client.session.trust_env = False
        client.auth()
        client.auth()
    assert waits
    assert all(1 <= seconds <= 60 for seconds in waits)
