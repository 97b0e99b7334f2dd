"""The demo's access reports: those of earlier weeks, as the platform gave them then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.platform import ask

from platui.cli.commands.demo.command import demo_service
from platui.config.settings import Settings
from platui.models.values.access_changes import ChangeKind

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="the demo has no other variant")


def announced(platform: RunningEmulator, **other: str) -> dict[str, str]:
    """Return what the emulator says of itself when it starts."""
    return {
        "base_url": platform.base_url, "admin_url": platform.admin_url, "token": platform.token,
        "admin_key": platform.admin_key, "trigger_token": platform.trigger_token, **other,
    }  # fmt: skip


async def test_four_weeks_are_there_when_the_report_is_first_looked_at(
    platform_with: PlatformFactory,
) -> None:
    """Each as it was on its day, and none is fetched twice for two who look."""
    platform = platform_with()
    service = demo_service(announced(platform), Settings())
    try:
        current = await service.access_reports.current()
        assert await service.access_reports.current() is current
        await current.load()
        saved = current.state.value.saved or ()
        now = service.clock.now()
        assert [(now - one.fetched_at).days for one in saved] == [7, 14, 21, 28]
        period = ask("GET", f"{platform.base_url}/-/emulator/report").json()["period"]
        planted = ask(
            "GET",
            f"{platform.base_url}/-/emulator/report/changes?from={period - 14}&to={period - 7}",
        ).json()
        changes = await current.compare(saved[1].id, saved[0].id)
        assert changes.counts[ChangeKind.JOINED] == len(planted["joined"])
        for kind, how in ((ChangeKind.LEFT, "gone"), (ChangeKind.BLOCKED, "blocked")):
            planted_so = [one for one in planted["left"] if one["how"] == how]
            assert changes.counts[kind] == len(planted_so) > 0
    finally:
        await service.close()


async def test_without_the_control_desk_the_demo_goes_on(platform_with: PlatformFactory) -> None:
    """There is no report then until one is fetched."""
    away = announced(platform_with(), base_url="http://127.0.0.1:9")
    service = demo_service(away, Settings())
    try:
        current = await service.access_reports.current()
        await current.load()
        assert current.state.value.saved == ()
    finally:
        await service.close()
