"""A view that is registered has all that a view has, from its one entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.commands import Shell
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.texts.dialogs import PALETTE
from textual.widgets import Label

from platui.models.values.routes import Route, SavedView
from platui.ui import views
from platui.ui.addresses import route_of
from platui.ui.app import PlatuiApp
from platui.ui.command_app import ClipboardAndBrowser
from platui.ui.controllers.view_keys import VIEW_KEYS, CopyView
from platui.ui.history import above, depth
from platui.ui.route_lines import read_route, route_line
from platui.ui.screens.parts.body import Body
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult

    from platui_emulator.server import RunningEmulator


class WidgetsBody(Body):
    """Shows a line of text."""

    def compose(self) -> ComposeResult:
        """Yield the line."""
        yield Label(f"spanners of {self.route.project}")

    def start_feeds(self) -> None:
        """Follow nothing."""


class WidgetsScreen(ViewScreen):
    """Nothing but the text."""

    BODY = WidgetsBody
    CONTROLLERS = (*VIEW_KEYS, CopyView)


def gears(*made_of: Any) -> WidgetsScreen:
    """Return a screen, as a class does."""
    return WidgetsScreen(*made_of)


WIDGETS = View(
    "widgets",
    title="Widgets",
    screen=WidgetsScreen,
    summary="What is in the box",
    aliases=("spanners",),
    parent="projects",
    panes=((),),
)
GEARS = View(
    "gears",
    title="Gears of a project",
    screen=gears,
    label="Gears",
    summary="Gears of this project",
    key="7",
    parent="pipelines",
    required_fields=("project",),
    optional_fields=("pipeline",),
    addresses=("gears/{pipeline}",),
    panes=((),),
)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    views.register(WIDGETS)
    views.register(GEARS)
    yield
    views.unregister(WIDGETS)
    views.unregister(GEARS)


async def test_it_is_reached_by_command_palette_key_and_help(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name is completed, its key opens it on what the cursor is on, `esc` leads back."""
    copied: list[str] = []

    async def note(_: ClipboardAndBrowser, text: str, what: str) -> None:
        del what
        copied.append(text)

    monkeypatch.setattr(ClipboardAndBrowser, "_copy", note)
    project = still_platform.project
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("projects")
        await driver.press(":")
        await driver.until("enter go")
        await driver.type("span")
        await driver.until(":spanners")
        await driver.press("right", "enter")
        await driver.until("spanners of None")
        assert driver.route == Route("widgets")
        await driver.press("question_mark")
        await driver.until("Keys and commands")
        await driver.type("gears of this")
        await driver.until(lambda text: " 7 " in text and "(:gears PROJECT" in text)
        await driver.press("escape", "escape")
        await driver.until_at("projects")
        await driver.press("ctrl+p")
        await driver.until(PALETTE)
        await driver.type("in the box")
        await driver.press("enter")
        await driver.until("spanners of None")
        app.navigation.go(pipelines_of(still_platform))
        await driver.until_at("pipelines")
        await driver.press("7")
        await driver.until(f"spanners of {project}")
        await driver.press("Y")
        await driver.wait(lambda: bool(copied))
        assert driver.route.pipeline is not None
        line = f":gears {project} #{driver.route.pipeline}"
        assert copied == [f"platui --profile test '{line}'"]
        await driver.press("escape")
        await driver.until_at("pipelines")


def test_its_line_its_address_and_what_is_above_it() -> None:
    """From what it needs and takes."""
    place = Route("gears", "acme/etl", "acme/etl", 7)
    assert route_line(place) == ":gears acme/etl #7"
    assert read_route(":gears acme/etl #7") == (place, "")
    assert read_route(":gears") is None
    assert read_route(":widgets acme/etl") is None
    assert route_of("https://p/acme/etl/-/gears/7", "https://p") == place
    assert above(place) == Route("pipelines", "acme/etl", "acme/etl")
    assert above(Route("widgets")) == Route("projects")
    assert depth("gears") == depth("jobs") > depth("widgets")


def test_the_sheet_of_keys_lists_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the key that opens it, in every view."""
    shell = Shell(monkeypatch, capfd)
    (told,) = shell("keys", "--screen", "widgets", "--json").objects
    (screen,) = told["screens"]
    assert (screen["name"], screen["title"]) == ("widgets", "Widgets")
    keys = {action["id"]: (action["keys"], action["meaning"]) for action in screen["actions"]}
    assert keys["app.gears"] == (["7"], "Gears of this project")
    assert keys["view.back"][0] == ["esc"]


def test_two_views_have_neither_name_nor_word_nor_key_in_common() -> None:
    """The second one is refused."""
    for other in (
        View("widgets", title="", screen=WidgetsScreen),
        View("others", title="", screen=WidgetsScreen, aliases=("pl",)),
        View("others", title="", screen=WidgetsScreen, key="7"),
    ):
        with pytest.raises(ValueError, match="clashes with"):
            views.register(other)


@pytest.mark.parametrize(
    "view",
    [
        View("retry", title="", screen=WidgetsScreen),
        View("others", title="", screen=WidgetsScreen, aliases=("q",)),
        View("grep", title="", screen=WidgetsScreen, required_fields=("project", "pipeline")),
    ],
    ids=lambda view: view.id,
)
def test_a_view_has_no_name_of_a_typed_verb(view: View) -> None:
    """`:retry` would never open it."""
    with pytest.raises(ValueError, match="clashes with a verb"):
        views.register(view)
    assert view not in views.all_views()


@pytest.mark.parametrize("declared", [{}, {"table": "a:B"}, {"resource": "a:b"}], ids=repr)
def test_a_view_without_a_screen_declares_what_it_lists(declared: dict[str, str]) -> None:
    """The generic list has a resource and a table."""
    with pytest.raises(ValueError, match="needs a resource and a table"):
        views.register(
            View("others", title="", resource=declared.get("resource"), table=declared.get("table"))
        )


async def test_a_view_that_is_gone_is_not_opened_again(still_platform: RunningEmulator) -> None:
    """What was kept by another version is left out of account."""
    app = dashboard(still_platform, remembers=True)
    app.service.local_state.save_route(SavedView(Route("widgets")))
    await app.service.close()
    views.unregister(WIDGETS)
    try:
        again = dashboard(still_platform, remembers=True)
        assert again.navigation.history.current == Route()
    finally:
        views.register(WIDGETS)
    assert dashboard(still_platform, remembers=True).navigation.history.current == Route("widgets")


def test_the_key_goes_with_the_view() -> None:
    """Of every app."""

    def is_bound() -> bool:
        bindings = PlatuiApp._merged_bindings
        return bindings is not None and "7" in bindings.key_to_bindings

    views.unregister(GEARS)
    try:
        assert not is_bound()
    finally:
        views.register(GEARS)
    assert is_bound()
