"""Views that are hidden are many: they keep what they know, and nothing for painting it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.dashboard import dashboard, driving

from platui.models.values.routes import Route
from platui.ui.widgets.log_view import LogView
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator


async def test_a_hidden_view_keeps_no_strips(still_platform: RunningEmulator) -> None:
    """Neither a table nor a log; it looks the same when one comes back."""
    place = Route("pipelines", still_platform.project)
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until("COMMIT")
        await driver.press("j", "j")
        shown, table = driver.text.splitlines()[3:-2], driver.app.screen.query_one(Table)
        assert table._canvas is not None
        assert table._canvas._strips
        await driver.press("enter")
        await driver.until("last of")
        assert not table._canvas._strips
        await driver.press("enter")
        await driver.until("\n lines ")
        log = driver.app.screen.query_one(LogView)
        canvas = log._painter._canvas
        assert canvas is not None
        assert canvas._strips
        await driver.press("escape")
        await driver.until("last of")
        assert not canvas._strips
        await driver.press("escape")
        await driver.until("COMMIT")
        assert driver.text.splitlines()[3:-2] == shown
        assert table._canvas._strips
