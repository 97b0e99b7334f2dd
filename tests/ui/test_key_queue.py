"""Keys that come in one go, as a slow line delivers them, do what they do one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving
from textual.events import AppBlur, Key, Paste
from textual.keys import _character_to_key
from textual.widgets import Input

from platui.models.values.routes import Route
from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    from textual.app import App, ComposeResult

    from platui_emulator.server import RunningEmulator


def type_at_once(app: App[int], text: str) -> None:
    """Post all the keys before the app can act on the first."""
    for sign in text:
        name = "enter" if sign == "\r" else _character_to_key(sign)
        app.post_message(Key(name, sign))


@pytest.mark.parametrize(
    ("keys", "seen"),
    [
        ("/drop", " /drop"),
        (":jobs x/y", " :jobs x/y"),
        ("?refr", "Refresh this view"),
        ("Sstat", "status, reversed"),
    ],
)
async def test_what_a_key_opens_gets_the_keys_behind_it(
    still_platform: RunningEmulator, keys: str, seen: str
) -> None:
    """None of them is taken for a command of the table, none is lost, none overtakes."""
    place = Route("pipelines", still_platform.project)
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until("COMMIT")
        type_at_once(driver.app, keys)
        await driver.until(seen)
        typed = driver.app.screen.query_one(Input)
        await driver.until(lambda _: typed.value == keys[1:])
        assert typed.has_focus


async def test_a_paste_does_not_overtake_keys(still_platform: RunningEmulator) -> None:
    """It goes to what the keys before it have opened, and the keys behind it follow."""
    place = Route("pipelines", still_platform.project)
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until("COMMIT")
        type_at_once(driver.app, "jj/a")
        driver.app.post_message(Paste("drop"))
        type_at_once(driver.app, "z")
        await driver.until(" /adropz")


async def test_what_is_typed_without_the_focus_of_the_terminal_is_not_lost(
    still_platform: RunningEmulator,
) -> None:
    """Another program types, or something is dropped onto the window."""
    place = Route("pipelines", still_platform.project)
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until("COMMIT")
        type_at_once(driver.app, "/")
        await driver.until("filter")
        type_at_once(driver.app, "que")
        driver.app.post_message(AppBlur())
        await driver.until(" /que")
        for event, seen in ((Key("a", "a"), " /quea"), (Paste("bc"), " /queabc")):
            driver.app.post_message(AppBlur())
            driver.app.post_message(event)
            await driver.until(seen)


class Vanishing(TerminalApp[int]):
    """An input that is gone while a key is on its way up from it."""

    def compose(self) -> ComposeResult:
        """Yield it."""
        yield Input(id="first")
        yield Input(id="second")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Take the first one away at its first letter."""
        if event.input.id == "first":
            event.input.remove()
            self.screen.set_focus(self.query_one("#second", Input))


async def test_a_widget_that_vanishes_takes_no_later_key_with_it() -> None:
    """The keyboard is never dead, whatever a key has led to."""
    app = Vanishing(Terminal(usable=True))
    async with app.run_test() as pilot:
        type_at_once(app, "a")
        await pilot.pause()
        type_at_once(app, "bcdefgh")
        for _ in range(100):
            await pilot.pause(0.02)
            if app.query_one("#second", Input).value == "bcdefgh":
                break
        assert app.query_one("#second", Input).value == "bcdefgh"


async def test_enter_gives_the_keys_back_to_the_list(still_platform: RunningEmulator) -> None:
    """What comes right behind it moves the cursor, and is no letter of the filter."""
    place = Route("pipelines", still_platform.project)
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until("COMMIT")
        await driver.press("slash", "a", "enter")
        await driver.wait(lambda: driver.table.has_focus and driver.table.filter_text == "a")
        first = driver.cursor
        await driver.press("j")
        await driver.wait(lambda: driver.cursor != first)
        second = driver.cursor
        await driver.press("escape")
        await driver.wait(lambda: not driver.table.filter_text)
        await driver.press("g")
        type_at_once(driver.app, "/a\rj")
        await driver.wait(lambda: driver.cursor == second and driver.table.filter_text == "a")


async def test_the_search_in_all_logs_gets_its_words(still_platform: RunningEmulator) -> None:
    """And Enter behind them; what comes then is a key of the view that it opens."""
    place = Route("pipelines", still_platform.project)
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until_at("pipelines")
        type_at_once(driver.app, "\\load\r?refr")
        await driver.wait(lambda: driver.route.view == "search")
        assert driver.route.search == "load"
        await driver.until("Refresh this view")


async def test_a_key_that_comes_while_the_app_closes_is_ignored() -> None:
    """There is no screen left that could take it, forwarded or not."""
    app = Vanishing(Terminal(usable=True))
    async with app.run_test() as pilot:
        await pilot.pause()
    assert not app.screen_stack
    await app.on_event(Key("a", "a"))
    forwarded = Key("b", "b")
    forwarded._set_forwarded()
    await app.on_event(forwarded)
