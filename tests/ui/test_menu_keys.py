"""Keys of menus: letters and digits move and choose, until a text is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from textual.widgets import Input

from platui.ui.dialogs.menu import Menu
from platui.ui.terminal.driver import _takes_alt

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="the keys are the same on each platform")


def typed(driver: Driver) -> str:
    """Return the text of the menu's input."""
    return driver.app.screen.query_one(Input).value


async def opened(driver: Driver, *keys: str) -> None:
    """Open a menu of the list of pipelines."""
    await driver.until_at("pipelines")
    await driver.press(*keys)
    await driver.wait(lambda: isinstance(driver.app.screen, Menu) and driver.cursor is not None)


async def test_j_and_k_move_until_a_text_is_typed(still_platform: RunningEmulator) -> None:
    """Then they are letters of it."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await opened(driver, "S")
        await driver.press("j", "j", "k")
        assert (driver.cursor, typed(driver)) == ("1", "")
        await driver.type("sjk")
        assert typed(driver) == "sjk"
        await driver.until("No matches.")


@pytest.mark.parametrize("menu", ["S", "?", "ctrl+p"])
async def test_home_and_end_go_to_the_ends_until_a_text_is_typed(
    still_platform: RunningEmulator, menu: str
) -> None:
    """Then they go to the ends of the text."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await opened(driver, menu)
        first = driver.cursor
        await driver.press("end")
        last = driver.cursor
        assert last is not None
        assert " " not in last
        assert last != first
        await driver.press("down")
        assert driver.cursor == last
        await driver.press("home")
        assert driver.cursor == first
        await driver.type("st")
        await driver.press("home")
        await driver.type("x")
        assert typed(driver) == "xst"


async def test_a_number_chooses_its_row(still_platform: RunningEmulator) -> None:
    """In a menu of at most nine rows; they show the numbers."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await opened(driver, "Y")
        text = await driver.until("3  id")
        assert "1  this view" in text
        await driver.press("9")
        assert isinstance(app.screen, Menu)
        await driver.press("backspace", "3")
        await driver.wait(lambda: not isinstance(app.screen, Menu))
        await driver.until_told("Sent to the terminal")


async def test_a_palette_and_a_picker_search_from_the_first_letter(
    still_platform: RunningEmulator,
) -> None:
    """A name may begin with any letter or digit."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await opened(driver, "ctrl+p")
        await driver.type("j1k")
        assert typed(driver) == "j1k"


@pytest.mark.parametrize("menu", ["?", "ctrl+p"])
async def test_a_menu_takes_the_room_of_a_larger_terminal(
    still_platform: RunningEmulator, menu: str
) -> None:
    """Also one that was opened while there was hardly any."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, (40, 12)) as driver:
        await opened(driver, menu)
        few = driver.table.size.height
        await driver.pilot.resize_terminal(80, 40)
        await driver.wait(lambda: driver.table.size.height > few + 20)


async def test_ctrl_z_suspends_also_in_a_menu(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shell is needed at any moment."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    suspended = list[str]()
    monkeypatch.setattr(app, "action_suspend_process", lambda: suspended.append("once"))
    async with driving(app) as driver:
        await opened(driver, "ctrl+p")
        await driver.press("ctrl+z")
        assert suspended == ["once"]


async def test_a_key_right_behind_escape_is_no_alt_key_in_a_menu(
    still_platform: RunningEmulator,
) -> None:
    """A slow line sends both at once: only those that move by words in the input are one key."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await opened(driver, "?")
        assert not any(_takes_alt(app, key) for key in "jgq1\r")
        assert all(_takes_alt(app, key) for key in "bf\x7f")
        await driver.press("escape")
        await driver.wait(lambda: not isinstance(app.screen, Menu))
        assert not _takes_alt(app, "b")
