"""The mouse: hints of the footer run their commands, column heads sort."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock

from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="the mouse is the same on each platform")


async def click(driver: Driver, words: str) -> None:
    """Click on the first text on the screen."""
    lines = driver.text.splitlines()
    y = next(at for at, line in enumerate(lines) if words in line)
    await driver.pilot.click(offset=(lines[y].index(words) + 1, y))


async def test_a_hint_of_the_footer_runs_its_command(still_platform: RunningEmulator) -> None:
    """As its key does, also while a filter is typed."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.until("T retry")  # the footer is that of the row
        await click(driver, "/ filter")
        await driver.until("enter apply filter")
        await driver.type("main")
        await click(driver, "enter apply filter")
        await driver.wait(lambda: not app.screen.prompt.is_open)  # type: ignore[attr-defined]
        assert driver.table.filter_text == "main"
        await driver.until("enter open")
        await click(driver, "enter open")
        await driver.until_at("jobs")


async def test_a_hint_of_what_to_type_is_no_key(still_platform: RunningEmulator) -> None:
    """`!word` of a filter does nothing."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, (120, 24)) as driver:
        await driver.until_at("pipelines")
        await driver.press("slash")
        await driver.until("enter apply filter")
        await driver.type("main")
        if "!word" in driver.text:
            await click(driver, "!word")
        assert app.screen.prompt.is_open  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("sign", "text", "kept"), [("slash", "main", "main"), ("colon", "job", "")]
)
async def test_a_click_on_a_row_closes_the_prompt(
    still_platform: RunningEmulator, sign: str, text: str, kept: str
) -> None:
    """The filter stays, a command is dropped, and the next key is for the list."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press(sign)
        await driver.type(text)
        await driver.wait(lambda: driver.table.filter_text == kept)
        key = driver.table.shown_rows[1].key
        await driver.pilot.click("#table", offset=(5, 2))
        await driver.wait(lambda: not app.screen.prompt.is_open)  # type: ignore[attr-defined]
        assert driver.table.filter_text == kept
        assert driver.table.cursor_key == key
        await driver.press("k")
        await driver.wait(lambda: driver.table.cursor_key == driver.table.shown_rows[0].key)


async def test_a_click_from_before_leaves_the_prompt_open(still_platform: RunningEmulator) -> None:
    """Of a busy screen, the key that opens the prompt may be handled first."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        clicked_at = monotonic()
        await driver.press("slash")
        await driver.type("main")
        await driver.wait(lambda: driver.table.filter_text == "main")
        driver.table.post_message(Table.RowClicked(driver.table, clicked_at))
        await driver.settle()
        assert app.screen.prompt.is_open  # type: ignore[attr-defined]


async def test_a_column_head_sorts_and_again_reverses(still_platform: RunningEmulator) -> None:
    """As `S` does; a head without a title does nothing."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        first = driver.table.shown_rows[0].key
        await click(driver, "STATUS ")
        await driver.wait(lambda: driver.table.sort == ("status", False))
        await click(driver, "AGE")
        await driver.wait(lambda: driver.table.sort == ("age", False))
        await click(driver, "AGE")
        await driver.wait(lambda: driver.table.sort == ("age", True))
        assert {driver.table.shown_rows[0].key, driver.table.shown_rows[-1].key} >= {first}


async def test_a_click_on_a_head_says_what_is_not_loaded(still_platform: RunningEmulator) -> None:
    """As `S` does: sorted is only a part of the list."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, (140, 30)) as driver:
        await driver.until_at("pipelines")
        await driver.settle()
        assert " not loaded" not in driver.text
        await click(driver, "STATUS ")
        await driver.wait(lambda: driver.table.sort == ("status", False))
        await driver.until(" not loaded", 2)
