"""A command is declared once; its key, footer, help and why it does nothing follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.texts.screens import ZONE
from textual.events import Key

from platui.models.values.routes import Route
from platui.ui import views
from platui.ui.active_keys import ActiveKeys
from platui.ui.app import PlatuiApp
from platui.ui.controller import AppController, Controller, command, handles, key_bindings
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.messages import AppRequest, ShowHint
from platui.ui.screen_keys import actions_of, view_bindings
from platui.ui.screens.parts.body import Body
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.ui.command_app import Verbs
    from platui_emulator.server import RunningEmulator


class Valve(Controller[Body]):
    """The valve of a boiler."""

    @command("v", "boiler.open", "Open valve")
    async def open(self) -> None:
        """Let the steam out."""
        self.screen.post_message(ShowHint("The valve is open."))

    @command("w", "boiler.whistle", "Whistle")
    def whistle(self) -> None:
        """Let everybody know."""
        raise NotImplementedError

    @classmethod
    def offers(cls, command: str) -> bool:
        """Return whether this boiler has it."""
        return command != "boiler.whistle"

    def disabled_reason(self, command: str) -> str:
        """Return that there is no steam."""
        if command == "boiler.whistle":
            return "This boiler has no whistle."
        return "" if self.screen.has_steam else "There is no steam."


class BoilerScreen(ViewScreen):
    """A boiler, cold at first."""

    BODY = Body
    CONTROLLERS = (*VIEW_KEYS, Valve)
    FOOTER = ("boiler.open", "boiler.whistle")
    has_steam = False


BOILER = View("boiler", title="Boiler", screen=BoilerScreen, summary="Hot water", panes=((),))


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    views.register(BOILER)
    yield
    views.unregister(BOILER)


async def test_a_command_does_what_it_says_or_says_why_not(
    still_platform: RunningEmulator,
) -> None:
    """Greyed while it does nothing; one that is never offered is named nowhere."""
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("projects")
        app.navigation.go(Route("boiler"))
        await driver.until("v open valve")
        screen = app.screen
        assert isinstance(screen, BoilerScreen)
        active = {one.binding.id: one for one in screen.active_bindings.values()}
        assert not active["boiler.open"].enabled
        assert "boiler.whistle" not in active
        await driver.press("v")
        await driver.until("There is no steam.")
        screen.has_steam = True
        screen.refresh_bindings()
        await driver.press("v")
        await driver.until("The valve is open.")
        await driver.press("w")
        await driver.rest()
        await driver.press("question_mark")
        await driver.until("Keys and commands")
        await driver.type("everybody")
        assert "Whistle" not in driver.text
        await driver.press(*["backspace"] * len("everybody"))
        await driver.type("steam")
        await driver.until("Let the steam out")


async def test_a_key_that_works_asks_for_no_other_key(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To ask each command why it does nothing takes long, with many rows marked seconds."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.rest()

        def asked(_: object) -> dict[str, object]:
            raise AssertionError

        with monkeypatch.context() as patched:
            patched.setattr(ViewScreen, "active_bindings", property(asked))
            for key, character in (("slash", "/"), ("d", "d"), ("equals_sign", "="), ("S", "S")):
                assert app.write_keys.counts(Key(key, character))


async def test_words_of_a_place_filter_lists_and_search_no_text(
    still_platform: RunningEmulator,
) -> None:
    """A text is opened as its place says: a search is a part of that."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        app.navigation.search_here("main")
        await driver.until("/main hides")
        await driver.press("escape", "p")
        await driver.until("sha256")
        app.navigation.search_here("main")
        await driver.rest()
        screen = app.view_screen()
        assert screen is not None
        assert screen.body.context.current_route().search == ""


def test_a_key_of_the_users_own_goes_to_a_command() -> None:
    """By its id, as any other."""
    keys = ActiveKeys({}, {"boiler.open": ("f5",)})
    found = {one.id: one for one in actions_of(view_bindings("boiler"), keys)}
    assert found["boiler.open"].keys == ("f5",)
    assert found["boiler.open"].usual == ("v",)
    assert "boiler.whistle" not in found


class LampWanted(AppRequest):
    """Light the lamp."""


class NobodysWish(AppRequest):
    """What no controller does."""


class Lamp(AppController):
    """A lamp that is lit by a key, by a verb, and by screens."""

    @command("f6", "lamp.light", "Light")
    @handles(LampWanted)
    def light(self, _: object = None) -> None:
        """Let there be light."""
        self._app.hint("The lamp is lit.")

    def verbs(self) -> Verbs:
        """Return the verb that does the same."""
        return {"lamp": self.light}


class LampApp(PlatuiApp):
    """The dashboard with a lamp."""

    CONTROLLERS = (Lamp,)
    BINDINGS = key_bindings(CONTROLLERS)


async def test_an_app_does_what_its_controllers_do(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By key, by verb, and asked by a screen; beside what the app does anyway."""
    monkeypatch.setattr("tests.support.dashboard.PlatuiApp", LampApp)
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("projects")
        await driver.press("f6")
        await driver.until_told("The lamp is lit.")
        app.clear_hints()
        app.verbs()["lamp"]("")
        await driver.until_told("The lamp is lit.")
        app.clear_hints()
        app.screen.post_message(LampWanted())
        await driver.until_told("The lamp is lit.")
        app.screen.post_message(NobodysWish())
        await driver.press("u")
        await driver.until_told(ZONE)
