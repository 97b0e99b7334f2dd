"""Presets of keys, and the user's own, pressed on a real dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.texts.screens import OPEN_LOG

from platui.ui.dialogs.menu import Menu
from platui.ui.screen_keys import actions_of, all_view_bindings

if TYPE_CHECKING:
    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator


def check_listed(app: PlatuiApp) -> None:
    """Check that each key which works now is the one that `platui keys` prints."""
    name = app.navigation.history.current.view
    view = next(one for one in all_view_bindings() if one.name == name)
    listed = {one.id: one.keys for one in actions_of(view, app.active_keys)}
    for key, active in app.screen.active_bindings.items():
        if active.binding.id:
            assert key in listed[active.binding.id], (name, key, active.binding.id)


async def test_the_vim_preset_goes_into_details_and_opens_logs_by_capital_l(
    still_platform: RunningEmulator,
) -> None:
    """Footer and help name the keys that work; those of the other preset do nothing else."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform), clock=FrozenClock(), keymap="vim"
    )
    async with driving(app, (120, 30)) as driver:
        await driver.until_at("pipelines")
        assert " L log " in driver.text.splitlines()[-1]
        check_listed(app)
        await driver.press("l")
        await driver.wait(lambda: driver.app.focused is driver.app.screen.query_one("#detail"))
        await driver.press("h")
        await driver.wait(lambda: driver.app.focused is driver.table)
        await driver.press("question_mark")
        await driver.wait(lambda: isinstance(driver.app.screen, Menu))
        await driver.type("first failed")
        await driver.until(lambda text: " L " in text and OPEN_LOG in text)
        await driver.press("escape")
        await driver.wait(lambda: not isinstance(driver.app.screen, Menu))
        await driver.press("F", "g", "L")
        await driver.until_at("log")
        await driver.press("V")
        await driver.until("1 line selected")
        check_listed(app)
        await driver.press("escape", "q")
        await driver.until_at("pipelines")
        await driver.press("2")
        await driver.until_at("projects")
        check_listed(app)


async def test_a_key_of_ones_own_works_and_what_lost_it_is_told_once(
    still_platform: RunningEmulator,
) -> None:
    """By name, and what is no key at all too; the rest of the file works."""
    app = dashboard(
        still_platform,
        start=pipelines_of(still_platform),
        clock=FrozenClock(),
        keys={
            "list.failed": "j,f6",
            "list.sort": "",
            "list.raw": "ctlr+j",
            "view.refresh": "f5",
        },
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.until_told("j of list.failed (Failed only) is also bound to table.down (Down)")
        assert "config.toml, [keys] list.raw: unknown key ctlr+j." in driver.told
        first = driver.cursor
        await driver.press("j")
        await driver.until("/failed hides")
        await driver.press("f6")
        await driver.until(lambda text: "/failed hides" not in text)
        assert driver.cursor == first
        await driver.press("S", "down")
        assert driver.cursor != first
        assert driver.app.screen is driver.app.view_screen()
        # A sentence that names a key names the one in use.
        await driver.enter(":", "jobs 999999")
        await driver.until("f5  retry")
