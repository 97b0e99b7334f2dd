"""With writes off nothing is sent but GET, whatever is tried; the program tells what there is.

A view, key, typed command or kind of write that is added later is tried without a word here, or
fails the test that says it is not.
"""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, get_args

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import dashboard, driving
from tests.support.hand import Hand
from tests.support.performing import performed
from tests.support.platform import api_client, in_project
from tests.support.writes import started, writes_to
from textual.events import Key

import platui.ui
from platui.core.errors import CommandError
from platui.models.values.routes import Route
from platui.models.values.write_states import Refused
from platui.models.values.writes import (
    Intent,
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.ui import views
from platui.ui.dialogs.action_menus import palette_menu
from platui.ui.dialogs.picker import Picker
from platui.ui.messages import RequestWrites
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.typed_commands import completions, help_lines
from platui.ui.verbs import WRITING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.dashboard import Driver
    from textual.binding import ActiveBinding

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has the neighbours that are acted with")

_NAMED: Final = {
    "jobs": "pipeline", "many": "pipeline", "search": "pipeline",
    "log": "job", "compare": "job", "file": "path",
}  # fmt: skip
"""What a place of a view names besides the project."""


def _bindings() -> Iterator[Any]:
    """Yield every binding that stands in the user interface, of whatever class."""
    for module in pkgutil.walk_packages(platui.ui.__path__, "platui.ui."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type):
                yield from vars(thing).get("BINDINGS", ())


KEYS: Final = sorted(
    {
        key
        for one in _bindings()
        if str(getattr(one, "id", "") or "").startswith("write.")
        for key in one.key.split(",")
    }
)
"""Every key that anywhere changes something on the platform."""


def intents(project: str) -> list[Intent]:
    """Return one of every kind of write there is, and of every act."""
    made: dict[type, list[Intent]] = {
        NewPipeline: [NewPipeline(project, "main"), NewPipeline(project, "main", triggered=True)],
        NewSchedule: [NewSchedule(project, "off", "main", "0 1 * * *")],
        ScheduleChange: [ScheduleChange(project, 1, active=False)],
        ScheduleVariable: [ScheduleVariable(project, 1, "DAY", "1")],
        NewProject: [NewProject("off")],
        RecordAction: [RecordAction(act, project, 1) for act in WriteAction],
    }
    assert set(made) == set(get_args(Intent))
    return [intent for kind in made.values() for intent in kind]


def place(platform: RunningEmulator, view: str, pipeline: int, job: int) -> Route:
    """Return the place that shows a view."""
    values: dict[str, Any] = {"pipeline": pipeline, "job": job, "path": "README.md"}
    names = {name: values[name] for name in [_NAMED.get(view)] if name is not None}
    here = Route(view, platform.project, platform.project.rpartition("/")[2], **names)
    return replace(here, ref="main", search="x") if view in {"file", "search"} else here


def test_the_keys_and_words_are_found() -> None:
    """What is derived from the program is not nothing."""
    assert {"t", "R", "X", "T", "P", "N", "U", "E", "O", "D", "S"} <= set(KEYS)
    verbs = {"run", "trigger", "rerun", "cancel", "delete", "write cancel"}
    assert verbs <= {line for line, _ in help_lines()}
    assert verbs | WRITING <= {*completions()}
    off = [*completions(writes=False), *(line for line, _ in help_lines(writes=False))]
    assert not {line.split()[0] for line in off} & WRITING


async def test_off_lets_nothing_through(desk: RunningEmulator) -> None:
    """By no key, typed command, entry of the palette or message, on any view, to the last door."""
    [pipeline] = map(int, started(desk))
    with api_client(desk) as api:
        job = api.get(in_project(desk, f"pipelines/{pipeline}/jobs")).json()[0]["id"]
    before, clock = writes_to(desk), FakeClock()
    app = dashboard(desk, clock=clock, writes="off", trigger_token=desk.trigger_token)
    await app.service.triage_state.watch()  # or the board would ask what is to be watched
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("projects")
        for view in [one.id for one in views.all_views()]:
            app.navigation.go(place(desk, view, pipeline, job))
            await driver.wait(partial(_is_in_front, driver, view), wanted=view)
            await _try_keys(driver, hand)
            for item in palette_menu(app)[0]._items:
                assert not item.value.startswith("write"), (view, item)
            for word in WRITING:
                for argument in ("", "cancel"):
                    with suppress(CommandError):  # most take no argument
                        app.verbs()[word](argument)
            await driver.pilot.pause()
            if isinstance(app.screen, Picker):  # letters search the ref of a form
                await driver.press("escape")
            assert len(app.screen_stack) == 1, (view, app.screen)
        for intent in intents(desk.project):
            app.post_message(RequestWrites((intent,)))
            await driver.pilot.pause()
            assert len(app.screen_stack) == 1, intent
            [state] = await performed(app.service, intent)
            assert isinstance(state, Refused), intent
    assert writes_to(desk) == before


def _is_in_front(driver: Driver, view: str) -> bool:
    """Return whether keys can be pressed on a view: those of the user wait until it is composed."""
    screen = driver.app.screen
    if not isinstance(screen, ViewScreen):
        return False
    return view == screen.body.route.view and driver.route.view == view and screen.is_whole


async def _try_keys(driver: Driver, hand: Hand) -> None:
    """Press every key that writes anywhere, and do what those of this view are bound to."""
    app = driver.app
    bound = app.screen.active_bindings
    writing = {key: one for key, one in bound.items() if _id_of(one).startswith("write.")}
    for one in writing.values():
        await app.run_action(one.binding.action, one.node)
    await hand.look()
    for key in KEYS:
        if key in writing or key not in bound:  # else it does another thing here
            app.post_message(Key(key, key if len(key) == 1 else None))
    await driver.pilot.pause()


def _id_of(active: ActiveBinding) -> str:
    return active.binding.id or ""
