"""Broken since: what changed between the last green pipeline and the first red one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.faults import fault
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project
from tests.texts.widgets import APPLY_FILTER
from tests.ui.test_dashboard_previews import preview, until_previewed

from platui.models.values.routes import Route
from platui.ui.screens.broken_since.body import BrokenSinceScreen

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default", "spec-only", reason="honest names of jobs are looked for; its places are attacks"
)


@pytest.fixture
def night(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform whose time stands still."""
    return platform_with(clock=FakeClock())


def newest_of(platform: RunningEmulator, status: str, before: int | None = None) -> int:
    """Return the newest pipeline of main with a status, before another one."""
    with api_client(platform) as client:
        found = client.get(in_project(platform, "pipelines?ref=main&per_page=100")).json()
    return next(
        int(one["id"])
        for one in found
        if one["status"] == status and (before is None or one["id"] < before)
    )


def is_all_there(driver: Driver) -> bool:
    """Return whether nothing is waited for."""
    rows = driver.table.shown_rows
    return bool(rows) and not any(cell.text == "…" for row in rows for cell in row.cells)


async def test_from_a_red_run_to_what_changed_since_the_last_green_one(
    night: RunningEmulator,
) -> None:
    """`b` in the pipelines; from there to the log, its comparison, and the jobs of each."""
    red = newest_of(night, "failed")
    app = dashboard(night, start=pipelines_of(night), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        assert driver.table.move_to(str(red))
        await driver.press("b")
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        text = driver.text
        assert "› Broken since" in text
        assert re.search(r"✖ (at least )?\d+ failed since", text)
        rows = {row.key: row for row in driver.table.shown_rows}
        assert rows["run:id"].cells[-1].text == f"#{red}"
        assert rows["run:cause"].below
        assert "runs, oldest at left" in text
        await driver.press("l")
        await driver.until_at("log")
        assert driver.route.pipeline == red
        await driver.press("escape")
        await driver.until_at("since")
        await driver.press("c")
        await driver.wait(lambda: driver.route.view == "compare")
        await driver.press("escape")
        await driver.until_at("since")
        assert driver.table.move_to("run:id")
        await driver.press("enter")
        await driver.until("Jobs of which pipeline?")
        await driver.press("enter")
        await driver.until_at("jobs")
        assert driver.route.pipeline == red
        await driver.press("escape")
        await driver.until_at("since")


async def test_artifacts_are_listed_for_a_job_only(night: RunningEmulator) -> None:
    """`D` on another row shows why not; the footer names what enter lists on the commit."""
    place = Route("since", night.project, "showcase", newest_of(night, "failed"))
    async with driving(dashboard(night, start=place, clock=FrozenClock())) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        assert driver.table.move_to("run:id")
        await driver.press("D")
        await driver.until_told("Select a job first.")
        await driver.until("enter open")
        assert driver.table.move_to("run:commit")
        await driver.until("enter commits")
        job = next(row.key for row in driver.table.shown_rows if row.key.startswith("job:"))
        assert driver.table.move_to(job)
        await driver.press("D")
        await driver.until("Artifacts of ")


async def test_the_jobs_of_before_are_followed_no_more(night: RunningEmulator) -> None:
    """Which pipelines are held side by side is found again when the view is."""
    red = newest_of(night, "failed")
    place = Route("since", night.project, "showcase", red)
    async with driving(dashboard(night, start=place, clock=FrozenClock())) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        screen = driver.app.screen
        assert isinstance(screen, BrokenSinceScreen)
        assert screen.body.feeds.get(f"jobs-{red}") is not None
        screen.body.feeds.stop()
        screen.body.start_feeds()
        assert screen.body.feeds.get(f"jobs-{red}") is None
        await driver.wait(lambda: screen.body.feeds.get(f"jobs-{red}") is not None)


async def test_a_green_run_has_no_such_view(night: RunningEmulator) -> None:
    """Its key does nothing; who comes there by another way is told."""
    green = newest_of(night, "success")
    app = dashboard(night, start=pipelines_of(night), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        assert driver.table.move_to(str(green))
        await driver.press("b")
        await driver.rest()
        assert driver.route.view == "pipelines"
        app.navigation.go(Route("since", night.project, "showcase", green))
        await driver.until(f"#{green} has not failed")
        app.navigation.go(Route("since", night.project, "showcase", 1))
        await driver.until("#1 is not among the")


async def test_a_platform_that_fails_is_said_and_asked_again(night: RunningEmulator) -> None:
    """What is there stays; `r` brings the rest."""
    red = newest_of(night, "failed")
    place = Route("since", night.project, "showcase", red)
    app = dashboard(Elsewhere(night.faults_url, night.token), start=place)
    async with driving(app) as driver:
        with fault(night, "server_error", path=r"/jobs"):
            await driver.until_at("since")
            await driver.until("r retry")
            assert "jobs" in {row.cells[0].text for row in driver.table.shown_rows}
        await driver.press("r")
        await driver.wait(lambda: is_all_there(driver))


async def test_its_filter_names_no_key_that_it_lacks(night: RunningEmulator) -> None:
    """Its rows are no pipelines: there is nothing to be loaded."""
    red = newest_of(night, "failed")
    place = Route("since", night.project, "showcase", red)
    async with driving(dashboard(night, start=place, clock=FrozenClock())) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        await driver.press("slash")
        await driver.until(APPLY_FILTER)
        await driver.type("j")
        await driver.until(lambda text: " of " in text)
        assert "loads all" not in driver.text


async def test_below_the_rows_is_the_log_at_its_error_or_the_diff(night: RunningEmulator) -> None:
    """Of the cause and of a job its log, of the commits what they changed."""
    start = Route("since", night.project, "showcase", newest_of(night, "failed"))
    async with driving(dashboard(night, start=start, clock=FrozenClock()), (120, 50)) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        assert "┃ " in await until_previewed(driver, " of ")
        assert driver.table.move_to("run:commit")
        await until_previewed(driver, " Changes ")
        await driver.press("v")
        await driver.wait(lambda: not preview(driver))
