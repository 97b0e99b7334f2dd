"""The access reports of a profile, as the screens and the commands have them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from platui.config.credentials import Credentials
from platui.config.profile import Profile
from platui.config.settings import ReportSettings, Settings
from platui.core.secrets import Secret
from platui.service import PlatformService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.clock import FakeClock

    from platui.models.values.reports import ReportState
    from platui.service.access.reports import Reports


@asynccontextmanager
async def reports(
    url: str | None,
    key: str = "",
    *,
    keep: int = 24,
    monthly: int = 12,
    clock: FakeClock | None = None,
    **more: Any,
) -> AsyncIterator[Reports]:
    """Open the reports of a profile; there is no access token, nor any need of one."""
    profile = Profile("test", "http://127.0.0.1:1", url, **more)
    service = PlatformService(
        profile,
        Settings(reports=ReportSettings(keep, monthly)),
        clock,
        credentials=Credentials(admin_key=Secret(key) if key else None),
    )
    try:
        yield await service.access_reports.open_saved()
    finally:
        await service.close()


async def fetched(source: Reports) -> list[ReportState]:
    """Fetch and return all that was told."""
    return [state async for state in source.fetch()]


def folders(cache: Path) -> list[str]:
    """Return what lies in the reports' folder."""
    return sorted(one.name for one in cache.iterdir())
