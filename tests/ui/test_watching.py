"""The watch key: on projects, groups, and wherever one is in a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock

from platui.models.values.routes import Route
from platui.ui.screens.projects.body import ProjectsBody

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui.models.values.stored_triage import WatchSelection
    from platui_emulator.server import RunningEmulator


def watched(driver: Driver) -> WatchSelection:
    """Return what is watched, as this dashboard knows it."""
    return driver.app.service.triage_state.memory.value.watched


def stars(driver: Driver) -> set[str]:
    """Return the keys of the rows with a star."""
    return {row.key for row in driver.table.shown_rows if row.cells[0].text == "★"}


async def test_a_watched_project_stands_first_and_survives_a_restart(
    still_platform: RunningEmulator,
) -> None:
    """`*` watches, on the marked rows too; `*` again undoes it, also in the next run."""
    app = dashboard(still_platform, clock=FrozenClock(), remembers=True)
    async with driving(app) as driver:
        await driver.until_at("projects")
        await driver.press("G")
        first = driver.cursor
        await driver.press("*")
        await driver.until("★")
        assert driver.table.shown_rows[0].key == first
        assert driver.cursor == first
        await driver.until_told("1 project in total; * to undo.")
        await driver.press("j", "space", "j", "space")
        marked = driver.table.marks
        await driver.press("*")
        await driver.wait(lambda: stars(driver) == {*marked, first})
        await driver.until_told("Watching 2 projects. 3 projects in total")
        await driver.press("*")
        await driver.wait(lambda: stars(driver) == {first})
    app = dashboard(still_platform, clock=FrozenClock(), remembers=True)
    async with driving(app) as driver:
        await driver.until_at("projects")
        assert driver.table.shown_rows[0].key == first
        # What another dashboard of the same person does is seen here.
        other = dashboard(still_platform, clock=FrozenClock(), remembers=True).service
        await other.triage_state.unwatch([int(first or 0)])
        await driver.until(lambda text: "★" not in text)
        await other.close()


@pytest.mark.variants("default", reason="it goes by a path that is told, and honest")
async def test_a_group_is_watched_whole(still_platform: RunningEmulator) -> None:
    """Every project in it gets a star, and none of them is taken away alone."""
    async with driving(dashboard(still_platform, clock=FrozenClock()), (120, 40)) as driver:
        await driver.until_at("projects")
        await driver.press("tab")
        await driver.wait(lambda: getattr(driver.app.focused, "id", "") == "namespaces")
        await driver.press("*")
        await driver.until_told("Select a single namespace")
        await driver.press("G")  # a small one: less is read of it
        body = driver.app.screen.query_one(ProjectsBody)
        await driver.wait(lambda: body.namespaces.chosen != "")
        group = body.namespaces.chosen
        await driver.press("*")
        await driver.until_told(f"Watching the group {group}, including future projects.")
        rows = driver.table.shown_rows
        await driver.wait(lambda: stars(driver) == {row.key for row in rows} != set())
        await driver.press("enter")
        await driver.wait(lambda: driver.app.focused is driver.table)
        await driver.press("*")
        await driver.until_told(f"is watched via group {group}.")
        await driver.enter(":", f"unwatch {group}")
        await driver.until_told(f"Stopped watching the group {group}. Nothing left")
        assert stars(driver) == set()


@pytest.mark.variants("default", "hostile", reason="a pasted path is found by what is told of it")
async def test_a_project_is_watched_from_wherever_one_is_in_it(
    still_platform: RunningEmulator,
) -> None:
    """By a pasted path its number is looked for; the header says that it is watched."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        assert "★" not in driver.text.splitlines()[0]
        await driver.press("*")
        await driver.until(lambda text: "★" in text.splitlines()[0])
        [number] = watched(driver).projects
        for key, view in (("4", "jobs"), ("5", "schedules")):
            await driver.press(key)
            await driver.until_at(view)
            await driver.until(lambda text: "★" in text.splitlines()[0])
        await driver.press("*")
        await driver.until(lambda text: "★" not in text.splitlines()[0])
        assert watched(driver).projects == ()
        await driver.enter(":", f"watch {number}")
        await driver.until(lambda text: "★" in text.splitlines()[0])
        await driver.enter(":", f"watch {number}")
        await driver.until_told("is already watched")
        await driver.enter(":", "watch acme/there-is-none")
        await driver.until_told("Id of acme/there-is-none not found")


async def test_a_path_whose_number_nobody_tells_is_refused_with_a_reason(
    platform_with: PlatformFactory,
) -> None:
    """A platform that says no more than the specification knows no project by its path."""
    platform = platform_with(spec_only=True)
    start = Route("pipelines", platform.project, platform.project.rpartition("/")[2])
    async with driving(dashboard(platform, start=start)) as driver:
        await driver.until_at("pipelines")
        await driver.press("*")
        await driver.until_told("not found")
        assert not watched(driver).is_chosen


async def test_a_number_that_is_no_project_is_not_watched(still_platform: RunningEmulator) -> None:
    """It is looked up first."""
    async with driving(dashboard(still_platform)) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "watch 999999999")
        await driver.until_told("Project 999999999 not found")
        assert not watched(driver).is_chosen
