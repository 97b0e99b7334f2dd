"""Places that are left before they have come: nothing breaks, and nothing runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock

from platui.models.values.routes import Route

if TYPE_CHECKING:
    from textual.worker import Worker

    from platui.ui.app import PlatuiApp
    from platui.ui.screens.parts.view_screen import ViewScreen
    from platui_emulator.server import RunningEmulator


def places(view: str, ids: list[int]) -> list[Route]:
    """Return a place of the view in each project; a log is of a job that is not there."""
    more = {"log": (1, 2), "jobs": (1, None)}.get(view, (None, None))
    return [Route(view, number, f"p{number}", *more) for number in ids]


@pytest.mark.parametrize("view", ["pipelines", "jobs", "log"])
async def test_a_view_may_be_sent_on_before_it_is_there(
    still_platform: RunningEmulator, view: str
) -> None:
    """Two addresses in one go: the view is made for the first and shows the second."""
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("projects")
        ids = [int(row.key) for row in driver.table.shown_rows[:2]]
        wanted = places(view, ids)
        for place in wanted:
            app.navigation.go(place)
        await driver.wait(lambda: cast("ViewScreen", app.screen).is_whole)
        assert driver.route == wanted[-1]
        assert cast("ViewScreen", app.screen).body.route == wanted[-1]


def unfinished(app: PlatuiApp) -> list[Worker[Any]]:
    """Return the workers that go on, but that of the app's whole life."""
    return [one for one in app.workers if not one.is_finished and one.group != "memory"]


async def test_flipping_through_places_leaves_one_set_of_feeds(
    still_platform: RunningEmulator,
) -> None:
    """What was left, however fast, asks for nothing any more."""
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("projects")
        first = int(driver.table.shown_rows[0].key)
        for _ in range(20):
            app.navigation.go(Route("pipelines", first, "first"))
            app.navigation.go(Route("projects"))
        app.navigation.go(Route("pipelines", first, "first"))
        await driver.until_at("pipelines")
        await driver.wait(lambda: not [one for one in unfinished(app) if one.node is app])
        running = unfinished(app)
        assert {type(worker.node).__name__ for worker in running} == {"PipelinesBody"}
        assert sorted(worker.group for worker in running) == ["feed-view"]
