"""The dashboard on the access report of an emulated platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.clock import FakeClock
from tests.support.dashboard import dashboard
from tests.texts.screens import NO_ACCESS_REPORT

from platui.models.values.routes import Route
from platui.ui.screens.access.body import ReportBody

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator

ACCESS = Route("access")


def access(
    platform: RunningEmulator, *, key: str | None = None, url: str = "", **more: Any
) -> PlatuiApp:
    """Return a dashboard that opens on the access report."""
    more = {"start": ACCESS, "clock": FakeClock(), **more}
    return dashboard(
        platform,
        admin_url=url or platform.admin_url,
        admin_key=platform.admin_key if key is None else key,
        **more,
    )


async def fetched(driver: Driver) -> None:
    """Fetch the report and wait for the whole of it."""
    await driver.until(NO_ACCESS_REPORT)
    await driver.press("r")
    await driver.until("by highest level")
    await driver.wait(lambda: is_settled(driver))


def is_settled(driver: Driver) -> bool:
    """Return whether nothing is being fetched, as far as the view was told."""
    body = getattr(driver.app.screen, "body", None)
    return isinstance(body, ReportBody) and body.observed.state.fetching is None


def body_of(driver: Driver) -> ReportBody[Any]:
    """Return what the view in front shows of the report."""
    body = driver.app.screen.body  # type: ignore[attr-defined]
    assert isinstance(body, ReportBody)
    return body
