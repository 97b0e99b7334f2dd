"""From project to log and back, and between areas: by keys only, on a real platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_enter_leads_from_project_to_log_and_esc_back(
    still_platform: RunningEmulator,
) -> None:
    """Three times down, three times up; the cursor is where it was at each step."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        way = ("projects", "pipelines", "jobs", "log")
        cursors = []
        for view in way:
            await driver.until_at(view)
            if view != "log":
                await driver.wait(lambda: driver.cursor is not None)
                cursors.append(driver.cursor)
                await driver.press("enter")
        for view, cursor in zip(way[-2::-1], cursors[::-1], strict=True):
            await driver.press("escape")
            await driver.until_at(view)
            assert driver.cursor == cursor


async def test_esc_at_the_top_stays(still_platform: RunningEmulator) -> None:
    """Whoever presses it once too often is not thrown out."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("escape", "escape", "j")
        assert driver.app.is_running
        assert driver.route.view == "projects"


async def test_q_goes_back_and_at_the_top_leaves(still_platform: RunningEmulator) -> None:
    """With exit code 0."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("enter")
        await driver.until_at("pipelines")
        await driver.press("q")
        await driver.until_at("projects")
        await driver.press("q")
    assert driver.app.return_code == 0
    assert driver.app.return_value == 0


async def test_l_opens_the_log_of_the_job_that_failed(still_platform: RunningEmulator) -> None:
    """The first failed one, straight from the red pipeline."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("F", "g")
        await driver.until("✖ failed")
        pipeline = driver.cursor
        await driver.press("l")
        await driver.until_at("log")
        with api_client(still_platform) as client:
            jobs = client.get(in_project(still_platform, f"pipelines/{pipeline}/jobs")).json()
        failed = {job["id"] for job in jobs if job["status"] == "failed"}
        assert driver.route.job in failed
        assert "✖ failed" in driver.text


async def test_l_of_a_pipeline_that_has_not_started_says_so(
    still_platform: RunningEmulator,
) -> None:
    """There is no log to show, and the screen stays."""
    start = pipelines_of(still_platform, "acme/platform/cost-monitor")
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until("◌ pending")
        await driver.enter("/", "pending")
        await driver.press("l")
        await driver.until_told("No job of this pipeline has started yet.")
        assert driver.route.view == "pipelines"


async def test_area_keys_go_to_what_the_cursor_is_on(still_platform: RunningEmulator) -> None:
    """`4` from a pipeline opens its jobs, `3` its project's pipelines, `2` the projects."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("j")
        pipeline = driver.cursor
        await driver.press("4")
        await driver.until_at("jobs")
        assert str(driver.route.pipeline) == pipeline
        await driver.press("2")
        await driver.until_at("projects")
        await driver.press("3")
        await driver.until_at("pipelines")


async def test_area_keys_work_inside_a_log(still_platform: RunningEmulator) -> None:
    """`4` from a log is its pipeline's jobs."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("l")
        await driver.until_at("log")
        pipeline = driver.route.pipeline
        await driver.press("4")
        await driver.until_at("jobs")
        assert driver.route.pipeline == pipeline


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_a_goes_back_to_the_pipeline_in_its_own_project_only(
    still_platform: RunningEmulator,
) -> None:
    """From all jobs of the project; another project has no pipeline of that number."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("enter")
        await driver.until_at("jobs")
        jobs = driver.route
        await driver.press("a")
        await driver.wait(lambda: driver.route.pipeline is None)
        await driver.press("a")
        await driver.wait(lambda: driver.route == jobs)
        await driver.press("a", "2")
        await driver.until_at("projects")
        row = next(one for one in driver.table.shown_rows if jobs.project_name not in str(one))
        driver.table.move_to(row.key)
        await driver.press("4")
        await driver.until_at("jobs")
        other = driver.route
        assert other.project != jobs.project
        await driver.press("a")
        await driver.until_told("Open a pipeline first (3).")
        assert driver.route == other


async def test_brackets_walk_through_history(still_platform: RunningEmulator) -> None:
    """`[` goes back, `]` forward again, and neither beyond its end."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("enter")
        await driver.until_at("pipelines")
        await driver.press("enter")
        await driver.until_at("jobs")
        jobs = driver.route
        await driver.press("[")
        await driver.until_at("pipelines")
        await driver.press("[")
        await driver.until_at("projects")
        await driver.press("[")
        assert driver.route.view == "projects"
        await driver.press("]", "]", "]")
        await driver.until_at("jobs")
        assert driver.route == jobs


async def test_minus_swaps_with_the_last_view(still_platform: RunningEmulator) -> None:
    """Pressed twice it is where it was."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("2")
        await driver.until_at("projects")
        await driver.press("-")
        await driver.until_at("pipelines")
        await driver.press("-")
        await driver.until_at("projects")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50), (40, 12)])
async def test_every_view_fits_every_size(
    still_platform: RunningEmulator, size: tuple[int, int]
) -> None:
    """Header on top, keys at the bottom, nothing beyond the edge."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, size) as driver:
        for key in ("", "enter", "enter", "2"):
            await driver.press(*([key] if key else []))
            await driver.until(lambda text: "platui" in text.splitlines()[0])
            await driver.until(lambda text: "?" in text.splitlines()[-1])
            assert all(len(line) <= size[0] for line in driver.text.splitlines())
