"""Places that are left before they have come: nothing breaks, and nothing runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock

from platui.models.values.places import Place, View

if TYPE_CHECKING:
    from textual.worker import Worker

    from platui.emulator.server import RunningEmulator
    from platui.ui.app import PlatuiApp
    from platui.ui.screens.base import PlaceScreen


def places(view: View, ids: list[int]) -> list[Place]:
    """Return a place of the view in each project; a log is of a job that is not there."""
    more = {View.LOG: (1, 2), View.JOBS: (1, None)}.get(view, (None, None))
    return [Place(view, number, f"p{number}", *more) for number in ids]


@pytest.mark.parametrize("view", [View.PIPELINES, View.JOBS, View.LOG])
async def test_a_view_may_be_sent_on_before_it_is_there(
    still_platform: RunningEmulator, view: View
) -> None:
    """Two addresses in one go: the view is made for the first and shows the second."""
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at(View.PROJECTS)
        ids = [int(row.key) for row in driver.table.shown_rows[:2]]
        wanted = places(view, ids)
        for place in wanted:
            app.go(place)
        await driver.wait(lambda: cast("PlaceScreen", app.screen).is_whole)
        assert driver.place == wanted[-1]
        assert cast("PlaceScreen", app.screen).place == wanted[-1]


def unfinished(app: PlatuiApp) -> list[Worker[Any]]:
    """Return the workers that go on."""
    return [worker for worker in app.workers if not worker.is_finished]


async def test_flipping_through_places_leaves_one_set_of_feeds(
    still_platform: RunningEmulator,
) -> None:
    """What was left, however fast, asks for nothing any more."""
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at(View.PROJECTS)
        first = int(driver.table.shown_rows[0].key)
        for _ in range(20):
            app.go(Place(View.PIPELINES, first, "first"))
            app.go(Place(View.PROJECTS))
        app.go(Place(View.PIPELINES, first, "first"))
        await driver.until_at(View.PIPELINES)
        await driver.wait(lambda: not [one for one in unfinished(app) if one.node is app])
        running = unfinished(app)
        assert {type(worker.node).__name__ for worker in running} == {"PipelinesScreen"}
        assert sorted(worker.group for worker in running) == ["feed-pipelines"]
