"""A token that is given while the service still looks for one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.support.service import QUICK, service_at, started, viewing
from tests.support.wire import Heard, answer, wire_server

from platui.config.profile import Profile
from platui.core.errors import CredentialError
from platui.core.secrets import Secret
from platui.models.values.queries import ProjectsQuery
from platui.service import PlatformService, resources

if TYPE_CHECKING:
    from pathlib import Path

    from platui_emulator.server import RunningEmulator


@pytest.mark.parametrize("ending", ["exit 1", "echo wrong-token"])
async def test_the_token_given_last_counts(platform: RunningEmulator, ending: str) -> None:
    """Whether the slow command fails or gives one that is worth nothing."""
    command = ("sh", "-c", f"sleep 0.5; {ending}")
    profile = Profile("test", platform.base_url, token_command=command, is_in_memory=True)
    service = PlatformService(profile, QUICK, environ={"PATH": "/usr/bin:/bin"})
    try:
        starting = asyncio.create_task(service.start())
        await asyncio.sleep(0.2)
        await service.replace_token(Secret(platform.token))
        async with viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as projects:
            await starting
            found = await projects.until(lambda one: one.value is not None)
        assert found.error is None
    finally:
        await service.close()


async def test_a_token_that_no_header_carries_is_said(platform: RunningEmulator) -> None:
    """It is no reason to go on with the one of before; a third one may be given."""
    command = ("sh", "-c", f"sleep 0.5; echo {platform.token}")
    profile = Profile("test", platform.base_url, token_command=command, is_in_memory=True)
    service = PlatformService(profile, QUICK, environ={"PATH": "/usr/bin:/bin"})
    try:
        starting = asyncio.create_task(service.start())
        await asyncio.sleep(0.2)
        await service.replace_token(Secret("a\x7fb"))
        with pytest.raises(CredentialError, match="invalid character"):
            await starting
        await service.replace_token(Secret(platform.token))
        async with viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as projects:
            await projects.until(lambda one: one.value is not None)
    finally:
        await service.close()


async def test_the_key_for_access_reports_is_not_looked_for_at_the_start(
    platform: RunningEmulator, tmp_path: Path
) -> None:
    """Its command may ask its user, or take seconds; most sessions open no report."""
    asked = tmp_path / "asked"
    profile = Profile(
        "test", platform.base_url, admin_url=platform.admin_url,
        admin_key_command=("sh", "-c", f"echo > {asked}; echo key"), is_in_memory=True,
    )  # fmt: skip
    environ = {"PATH": "/usr/bin:/bin", "PLATUI_TOKEN": platform.token}
    service = PlatformService(profile, QUICK, environ=environ)
    try:
        await service.start()
        assert not asked.exists()
    finally:
        await service.close()


async def test_the_token_that_was_accepted_last_is_used_again() -> None:
    """Not one that was still checked when the next one was entered."""

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        match heard.headers["private-token"]:
            case "accepted":
                writer.write(answer([]))
            case "checked":
                await asyncio.Event().wait()
            case _:
                writer.write(answer({"message": "401 Unauthorized"}, "401 Unauthorized"))

    projects = resources.projects.projects(ProjectsQuery())
    async with (
        wire_server(script) as server,
        started(service_at(server.url, "accepted", is_in_memory=True)) as service,
    ):
        await service.read(projects)
        heard = len(server.heard)
        checking = asyncio.create_task(service.replace_token(Secret("checked")))
        await server.has_heard(heard + 1)
        checking.cancel()
        await asyncio.wait({checking})
        with pytest.raises(CredentialError, match="does not accept"):
            await service.replace_token(Secret("refused"))
        await service.read(projects, live=True)
    assert server.heard[-1].headers["private-token"] == "accepted"
