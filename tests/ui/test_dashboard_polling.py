"""What is asked of the platform, and how fresh the header says it is, while one only looks."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, cast

from tests.support.clock import FakeClock
from tests.support.company import NOW, failing_job, long_running_job
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock, StillClock
from tests.support.service import requests_of

from platui.config.settings import PollSettings
from platui.models.values.routes import Route

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui.ui.app import PlatuiApp
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.parts.list_body import ListBody
    from platui.ui.screens.parts.view_screen import ViewScreen
    from platui_emulator.server import RunningEmulator

QUICK = PollSettings(0.2, 0.2)
SOON = 900
"""Seconds after which a job that runs may have failed."""

LOOKS = 1.0
"""Seconds in which what is polled is asked for five times."""


def at(view: str, platform: RunningEmulator, clock: FrozenClock | None = None) -> PlatuiApp:
    """Return the dashboard on something that runs."""
    project, job = long_running_job()
    number = job.id if view == "log" else None
    pipeline = None if view == "pipelines" else job.pipeline_id
    start = Route(view, project.full_path, project.path, pipeline, number)
    return dashboard(platform, start=start, clock=clock or FrozenClock(NOW), poll=QUICK)


async def stopped(driver: Driver, platform: RunningEmulator, pattern: str) -> bool:
    """Return whether no such path is asked for any more, once what was under way has come in."""
    for _ in range(5):
        before = len(paths_like(platform, pattern))
        await driver.pilot.pause(LOOKS)
        if len(paths_like(platform, pattern)) == before:
            return True
    return False


async def goes_on(driver: Driver, platform: RunningEmulator, pattern: str) -> None:
    """Wait until such a path is asked for once more."""
    before = len(paths_like(platform, pattern))
    await driver.wait(lambda: len(paths_like(platform, pattern)) > before)


def paths_like(platform: RunningEmulator, pattern: str) -> list[str]:
    """Return all paths asked for so far in which a pattern is found."""
    return [one["path"] for one in requests_of(platform) if re.search(pattern, one["path"])]


def front(driver: Driver) -> ViewScreen:
    """Return the view in front."""
    return cast("ViewScreen", driver.app.screen)


async def test_a_pause_is_one_of_everything_on_the_screen(platform_with: PlatformFactory) -> None:
    """The pipeline's own line and its children too, not its jobs alone."""
    platform = platform_with(clock=FakeClock(NOW))
    async with driving(at("jobs", platform)) as driver:
        await driver.until_at("jobs")
        jobs, own = r"/pipelines/\d+/jobs", r"/pipelines/\d+$"
        await goes_on(driver, platform, jobs)
        await goes_on(driver, platform, own)
        await driver.press("=")
        await driver.until("‖ paused")
        assert await stopped(driver, platform, "")


async def test_a_missing_job_is_asked_for_once(platform_with: PlatformFactory) -> None:
    """For its log and for what stands above it; so it is when the user refreshes."""
    platform = platform_with(clock=FakeClock(NOW))
    app = dashboard(
        platform, start=Route("log", platform.project, "", None, 999), clock=StillClock()
    )

    def times() -> int:
        return len(paths_like(platform, r"/jobs/999$"))

    async with driving(app) as driver:
        await driver.until("Not found")
        await driver.rest()
        assert times() == 1
        await driver.press("r")
        await driver.wait(lambda: times() > 1)
        await driver.rest()
        assert times() == 2


async def test_details_are_asked_for_while_they_are_shown(platform_with: PlatformFactory) -> None:
    """`d` puts them away, and their requests with them."""
    platform = platform_with(clock=FakeClock(NOW))
    detail = r"/pipelines/\d+$"
    async with driving(at("pipelines", platform), (120, 40)) as driver:
        await driver.until_at("pipelines")
        await driver.wait(lambda: bool(paths_like(platform, detail)))
        await driver.press("d")
        await driver.wait(lambda: not front(driver).body.has_class("-detailed"))
        assert await stopped(driver, platform, detail)
        await driver.press("d")
        await goes_on(driver, platform, detail)


async def test_data_keeps_coming_below_a_dialog(platform_with: PlatformFactory) -> None:
    """At the usual pace, and the rows below show it; another view stops it."""
    clock = FakeClock(NOW)
    platform = platform_with(clock=clock)
    async with driving(at("pipelines", platform)) as driver:
        await driver.until_at("pipelines")
        below = front(driver)
        await driver.press("question_mark")
        await driver.wait(lambda: driver.app.screen is not below)
        await goes_on(driver, platform, "/pipelines")
        table = cast("ListBody", below.body).table
        newest = table.shown_rows[0].key
        clock.jump(24 * 3600)
        await driver.wait(lambda: table.shown_rows[0].key != newest)
        assert driver.app.screen is not below
        await driver.press("escape", "2")
        await driver.until_at("projects")
        newest_of_each = r"per_page=1\b"
        assert await stopped(driver, platform, rf"/pipelines(?!.*{newest_of_each})")


async def test_a_silent_log_that_is_looked_at_is_live(platform_with: PlatformFactory) -> None:
    """No byte for minutes is not the same as no look for minutes."""
    clock = FrozenClock(NOW)
    platform = platform_with(clock=FakeClock(NOW))
    async with driving(at("log", platform, clock)) as driver:
        await driver.until_at("log")
        clock.moment += timedelta(minutes=4)
        front(driver).update_header()
        await driver.until("● live")
        front(driver).body.draw()
        await driver.until("last bytes 4m ago")


async def test_a_log_that_is_looked_at_seldom_says_when(platform_with: PlatformFactory) -> None:
    """That nothing comes meanwhile says nothing of the job; that nothing came then does."""
    clock = FrozenClock(NOW)
    platform = platform_with(clock=FakeClock(NOW))
    async with driving(at("log", platform, clock)) as driver:
        await driver.until("following")
        body = cast("LogBody", front(driver).body)
        await driver.wait(lambda: body.text.update is not None and body.text.update.is_current)
        body.feeds.stop()
        assert body.text.update is not None
        body.text.update = replace(body.text.update, next_poll=NOW + timedelta(seconds=55))
        for passed, said in (
            (30, "next poll in 25s"),
            (60, "polling"),
            (80, "last bytes 1m"),
        ):
            clock.moment = NOW + timedelta(seconds=passed)
            body.draw()
            await driver.until(said)


async def test_the_requests_are_always_of_now(platform_with: PlatformFactory) -> None:
    """They are our own records: nothing has to be fetched for them, and nothing is paused."""
    clock = FrozenClock(NOW)
    platform = platform_with(clock=FakeClock(NOW))
    app = dashboard(platform, start=Route("requests"), clock=clock)
    async with driving(app) as driver:
        await driver.until("● live")
        clock.moment += timedelta(minutes=4)
        front(driver).body.draw()
        front(driver).update_header()
        await driver.press("=")
        await driver.pilot.pause()
        assert "● live" in driver.text


async def test_j_in_a_log_knows_what_failed_meanwhile(platform_with: PlatformFactory) -> None:
    """The jobs that were listed before are not taken for those of now."""
    failing, before = failing_job(SOON)
    platform_clock, clock = FakeClock(NOW), FrozenClock(NOW)
    platform = platform_with(clock=platform_clock)
    start = Route("log", failing.project_id, "p", failing.pipeline_id, before.id)
    async with driving(dashboard(platform, start=start, clock=clock)) as driver:
        await driver.until_at("log")
        await driver.press("J")
        await driver.until_told("No job of this pipeline failed after this one.")
        platform_clock.jump(SOON)
        clock.moment += timedelta(seconds=SOON)
        await driver.press("J")
        await driver.wait(lambda: driver.route.job == failing.id)
