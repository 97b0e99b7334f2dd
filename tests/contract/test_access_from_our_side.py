"""Our own client with every credential of the emulator: what it says, and what it sends."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.performing import yes_to
from tests.support.platform import ask, credentials, running_platform

from platui.api import endpoints
from platui.api.connect import ProjectConnection, Server, open_admin_api, open_project_api
from platui.api.write_guard import WriteGuard
from platui.config.credentials import resolve
from platui.config.profile import Profile
from platui.core.clock import SystemClock
from platui.core.errors import (
    ExpiredTokenError,
    MissingScopeError,
    NotFoundError,
    PlatuiError,
    RejectedError,
    UnauthorizedError,
)
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency
from platui.models.values.writes import NewPipeline, WriteMode

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from platui.models.wire import Pipeline
    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def still() -> Iterator[tuple[RunningEmulator, FakeClock]]:
    """Run a platform of which a job runs, and stays running."""
    clock = FakeClock()
    with running_platform(clock=clock) as platform:
        yield platform, clock


@pytest.fixture(scope="module")
def keys(still: tuple[RunningEmulator, FakeClock]) -> dict[str, Any]:
    """Hold a credential of every kind."""
    return credentials(still[0])


@asynccontextmanager
async def _connected(
    url: str, token: Secret | None, *, from_job: bool = False
) -> AsyncIterator[ProjectConnection]:
    clock = SystemClock()
    guard = WriteGuard(WriteMode.CONFIRM, clock)
    api = await open_project_api(Server(url), token, clock, guard=lambda: guard, from_job=from_job)
    try:
        yield api
    finally:
        await api.aclose()


async def _failure(api: ProjectConnection, project: str) -> PlatuiError:
    with pytest.raises(PlatuiError) as caught:
        await api.client.get(endpoints.projects.project(project), Urgency.USER)
    return caught.value


async def _triggered(api: ProjectConnection, project: str, token: Secret) -> Pipeline | None:
    write = endpoints.pipelines.trigger(NewPipeline(project, "main"), token)
    return await api.writes.send(write, yes_to(write))


@pytest.mark.parametrize(
    ("name", "kind", "sentence"),
    [
        ("personal_expired", ExpiredTokenError, "The token has expired."),
        ("group_expired", ExpiredTokenError, "The token has expired."),
        ("personal_revoked", ExpiredTokenError, "The token was revoked."),
        ("project_revoked", ExpiredTokenError, "The token was revoked."),
        (
            "personal_without_scope",
            MissingScopeError,
            "The token lacks the scope `api` or `read_api`.",
        ),
        (
            "blocked_personal",
            UnauthorizedError,
            "The owner of this token is blocked on the platform.",
        ),
        (
            "trigger",
            UnauthorizedError,
            "The platform does not accept this token (401 Unauthorized).",
        ),
    ],
)
async def test_what_is_wrong_with_a_token_is_said_in_a_sentence(
    still: tuple[RunningEmulator, FakeClock],
    keys: dict[str, Any],
    name: str,
    kind: type[PlatuiError],
    sentence: str,
) -> None:
    """Each needs another remedy, so each has words of its own."""
    platform = still[0]
    async with _connected(platform.base_url, Secret(keys[name])) as api:
        error = await _failure(api, platform.project)
    assert (type(error), error.sentence) == (kind, sentence)
    assert keys[name] not in f"{error!r} {error.hint}"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("admin_key_expired", "The key has expired."),
        ("personal", "The platform does not accept this key (401 Unauthorized)."),
        (
            "admin_key_without_scope",
            "403 Forbidden - The key does not have the scope reporting",
        ),
    ],
)
async def test_what_is_wrong_with_a_key_is_said_in_a_sentence(
    still: tuple[RunningEmulator, FakeClock], keys: dict[str, Any], name: str, sentence: str
) -> None:
    """The administration API's refusals are read alike."""
    api = await open_admin_api(Server(still[0].admin_url), Secret(keys[name]), SystemClock())
    try:
        with pytest.raises(PlatuiError) as caught:
            async with api.report() as report:
                assert not [chunk async for chunk in report.chunks()]
    finally:
        await api.aclose()
    assert caught.value.sentence == sentence


async def test_a_running_job_triggers_with_the_token_it_finds(
    still: tuple[RunningEmulator, FakeClock], keys: dict[str, Any]
) -> None:
    """Nothing is set but what the platform puts into a job: that opens what it opens."""
    platform, clock = still
    job = keys["jobs"]["running"]
    env = {"CI_JOB_TOKEN": job["token"], "CI_SERVER_URL": platform.base_url}
    found = resolve(Profile("job", platform.base_url), env)
    assert found.from_job
    assert found.trigger_token is not None
    async with _connected(platform.base_url, found.token, from_job=found.from_job) as api:
        started = await _triggered(api, job["project"], found.trigger_token)
        assert started is not None
        assert started.source == "pipeline"
        refused = await _failure(api, job["project"])
        assert isinstance(refused, UnauthorizedError)
        assert "job token" in refused.sentence
        closed = _closed_to(platform, job["project_id"])
        with pytest.raises(NotFoundError):
            await _triggered(api, closed, found.trigger_token)
        clock.jump(6 * 3600)
        with pytest.raises(RejectedError, match="Job has to be running"):
            await _triggered(api, job["project"], found.trigger_token)
        # A token given by hand is an access token again, and goes in its header.
        api.set_token(Secret(platform.token))
        project = endpoints.projects.project(job["project"])
        assert (await api.client.get(project, Urgency.USER)).id == job["project_id"]


async def test_the_jobs_token_goes_in_a_header_of_its_own(
    still: tuple[RunningEmulator, FakeClock], keys: dict[str, Any]
) -> None:
    """As an access token the same text is nothing."""
    platform, token = still[0], credentials(still[0])["job"]
    own = ask("GET", f"{platform.base_url}/api/v4/job", headers={"JOB-TOKEN": token})
    wrong = ask("GET", f"{platform.base_url}/api/v4/job", headers={"PRIVATE-TOKEN": token})
    assert (own.status_code, wrong.status_code) == (200, 401)
    assert own.json()["id"] == credentials(platform)["jobs"]["running"]["job_id"]
    assert keys["job_finished"] != token


def _closed_to(platform: RunningEmulator, source_id: int) -> str:
    """Return a project that does not let the source's jobs in."""
    world, allowlists = platform.platform.world, platform.platform.allowlists
    source = world.project(source_id)
    assert source is not None
    return next(one.full_path for one in world.projects() if not allowlists.admits(one, source))
