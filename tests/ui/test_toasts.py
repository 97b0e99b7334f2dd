"""Toasts: a few seconds, on lines of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import Driver, dashboard, driving, pipelines_of
from textual.widgets._toast import Toast, ToastHolder

from platui.core.errors import NotFoundError
from platui.ui.dialogs.menu import Menu
from platui.ui.messages import CopyText

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has more rows than a screen")


def lines_of(driver: Driver, selector: str) -> set[int]:
    """Return the lines of the screen that a widget of the screen in front takes."""
    region = driver.app.screen.query_one(selector).region
    return set(range(region.y, region.bottom))


async def announced(driver: Driver, words: str) -> set[int]:
    """Show a toast of two lines; return the lines that it takes."""
    driver.app.notify("first\nsecond", title=words, severity="warning")
    await driver.until(words)
    regions = [toast.region for toast in driver.app.screen.query(Toast)]
    return {line for region in regions for line in range(region.y, region.bottom)}


async def test_a_toast_covers_no_row_and_no_dialog(still_platform: RunningEmulator) -> None:
    """The list gets shorter, with its cursor in sight; a dialog moves or gets shorter."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+d", "ctrl+d")
        before = lines_of(driver, "#table")
        taken = await announced(driver, "Announced")
        assert taken
        assert taken.isdisjoint(lines_of(driver, "#table"))
        assert taken <= before
        assert f"#{driver.cursor}" in driver.text
        await driver.press("S")
        await driver.wait(lambda: isinstance(driver.app.screen, Menu))
        taken = await announced(driver, "Again")
        assert taken.isdisjoint(lines_of(driver, "#box"))
        assert "enter select" in driver.text


async def test_toasts_of_a_dialog_cover_those_below_it(still_platform: RunningEmulator) -> None:
    """A shorter one does not stand in the middle of an older one."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        app = driver.app
        await driver.until_at("pipelines")
        app.notify("an outage that is still there", severity="warning", timeout=60)
        app.notify("a longer hint of the view", timeout=60)
        await driver.until("a longer hint of the view")
        await driver.press("S")
        await driver.wait(lambda: isinstance(app.screen, Menu))
        app.notify("new", timeout=60)
        await driver.until("▌ new")
        await driver.until(lambda text: "a longer" not in text)
        toasts = [line.strip() for line in driver.text.splitlines() if "▌" in line]
        assert toasts == ["▌ an outage that is still there", "▌ new"]
        below = app.screen_stack[0]
        await driver.wait(lambda: len(below.query(ToastHolder)) == 1)


async def test_a_toast_leaves_nothing_behind(still_platform: RunningEmulator) -> None:
    """Each hint replaces the one before; on a busy day there are hundreds."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        app = driver.app
        await driver.until_at("pipelines")
        for number in range(5):
            app.hint(f"hint {number}")
            await driver.until(f"hint {number}")
        await driver.wait(lambda: len(app.screen.query(ToastHolder)) == 1)
        assert len(app.screen.query(Toast)) == 1
        app.clear_hints()
        await driver.wait(lambda: not app.screen.query(ToastHolder))


async def test_every_toast_leaves_after_four_seconds(still_platform: RunningEmulator) -> None:
    """Hints, warnings and errors."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        app = driver.app
        await driver.until_at("pipelines")
        app.hint("a hint")
        app.service.notices.add("a warning")
        app.show_error(NotFoundError("an error", status=404))
        await driver.wait(lambda: len(app._notifications) == 3)
        assert {one.timeout for one in app._notifications} == {4.0}


async def test_a_hint_keeps_the_result_of_a_write(still_platform: RunningEmulator) -> None:
    """It replaces the last hint only."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        driver.app.notify("Retried job #1.", title="Done")
        driver.app.hint("one hint")
        driver.app.hint("another hint")
        await driver.until_told("another hint")
        assert "Retried job #1." in driver.told
        assert "one hint" not in driver.told


async def test_a_hint_leaves_with_its_view(still_platform: RunningEmulator) -> None:
    """What it is about is not in the next view; the result of a write stays."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        driver.app.notify("run #1", title="Result unknown", severity="warning")
        await driver.press("v")
        await driver.until_told("No preview")
        await driver.press("2")
        await driver.until_at("projects")
        assert "No preview" not in driver.told
        assert "run #1" in driver.told


async def test_a_result_stays_when_its_view_is_left(still_platform: RunningEmulator) -> None:
    """Where a file was saved or what was copied is still needed in the next view."""
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        driver.app.post_message(CopyText("a text", "Handoff"))
        await driver.until_told("Handoff: ")
        await driver.press("2")
        await driver.until_at("projects")
        assert "Handoff: " in driver.told
