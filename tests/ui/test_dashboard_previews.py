"""Previews below lists: the log at its error, a growing log, the jobs of a pipeline."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock, FastClock
from tests.support.company import NOW, long_running_job
from tests.support.dashboard import Driver, dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import (
    api_client,
    failed_pipeline,
    green_pipeline,
    in_project,
    running_platform,
)
from tests.support.service import requests_of

from platui.config.settings import PollSettings
from platui.models.values.routes import Route
from platui.ui.screens.parts import at_rest
from platui.ui.widgets.log_view import LogView
from platui.ui.widgets.preview_pane import PreviewPane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it is about what failed there")

QUICK = PollSettings(1.0, 5.0)
TALL = (80, 40)
LINE = re.compile(r"line ([\d,]+) of ([\d,]+)")
RED = 106
"""A project of which one thing is broken."""


@pytest.fixture(scope="module")
def night() -> Iterator[RunningEmulator]:
    """Run the company at one moment of a night."""
    with running_platform(clock=FrozenClock()) as platform:
        yield platform


def jobs_of(platform: RunningEmulator, pipeline: int) -> Route:
    """Return the jobs of a pipeline of the showcase."""
    return Route("jobs", platform.project, platform.project.rpartition("/")[2], pipeline)


def preview(driver: Driver) -> str:
    """Return the text of the preview; empty where there is none."""
    pane = driver.app.screen.query_one_optional("#preview", PreviewPane)
    return pane.text if pane is not None and pane.display else ""


async def until_previewed(driver: Driver, words: str) -> str:
    """Wait until the preview has these words; return its text."""
    await driver.wait(lambda: words in preview(driver), wanted=f"{words} (in the preview)")
    return preview(driver)


def count_of(platform: RunningEmulator) -> int:
    """Return the number of the newest request."""
    return max(int(entry["number"]) for entry in requests_of(platform))


async def test_jobs_show_the_log_at_its_error_and_enter_opens_it_there(
    still_platform: RunningEmulator,
) -> None:
    """The line is the same, and so are its words; the log is not requested again."""
    start = jobs_of(still_platform, failed_pipeline(still_platform))
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("jobs")
        text = await until_previewed(driver, " of ")
        found = LINE.search(text)
        assert found is not None
        assert "✖ failed" in text.splitlines()[0]
        assert "┃ " in text
        before = count_of(still_platform)
        await driver.press("enter")
        await driver.until_at("log")
        view = driver.app.screen.query_one(LogView)
        await driver.wait(lambda: view.position.focus is not None)
        assert view.position.focus == int(found[1].replace(",", "")) - 1
        paths = [entry["path"] for entry in requests_of(still_platform, before)]
        assert not any("/trace" in path for path in paths)


async def test_a_small_log_of_a_successful_job_shows_its_end(
    still_platform: RunningEmulator,
) -> None:
    """It is requested once."""
    start = jobs_of(still_platform, green_pipeline(still_platform))
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("jobs")
        text = await until_previewed(driver, "last of ")
        assert "Job succeeded" in text


async def test_a_job_that_has_not_run_says_so(still_platform: RunningEmulator) -> None:
    """Nothing is requested for it."""
    start = jobs_of(still_platform, failed_pipeline(still_platform))
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("jobs")
        skipped = next(row.key for row in driver.table.shown_rows if "skipped" in row.search)
        driver.table.move_to(skipped)
        await until_previewed(driver, "has not run: it is skipped.")


async def test_pipelines_show_jobs_with_the_log_below_or_the_log_alone(
    still_platform: RunningEmulator,
) -> None:
    """`v` changes it; a list that fills the screen has no preview."""
    pipeline = failed_pipeline(still_platform)
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start), (80, 40)) as driver:
        await driver.until_at("pipelines")
        await driver.rest()
        assert not preview(driver)
        await driver.enter("/", str(pipeline))
        text = await until_previewed(driver, " of ")
        first, *rest = text.splitlines()
        assert f"#{pipeline}  ✖ failed" in first
        assert first.rstrip().endswith("v log")
        assert sum("✔ success" in line or "✖ failed" in line for line in rest) > 1
        await driver.press("v")
        await driver.wait(lambda: LINE.search(preview(driver).splitlines()[0]) is not None)
        assert preview(driver).splitlines()[0].rstrip().endswith("v hide")


async def test_schedules_show_the_jobs_of_their_last_run(still_platform: RunningEmulator) -> None:
    """With the number of its pipeline."""
    start = Route("schedules", still_platform.project, still_platform.project.rpartition("/")[2])
    async with driving(dashboard(still_platform, start=start), (120, 40)) as driver:
        await driver.until_at("schedules")
        text = await until_previewed(driver, " jobs")
        assert re.match(r" #\d+  ", text)
        assert len(text.splitlines()) > 20


async def test_the_board_shows_the_log_that_enter_opens(night: RunningEmulator) -> None:
    """At the same line, from the cache."""
    app = dashboard(night, start=Route("triage"), clock=FrozenClock())
    await app.service.triage_state.watch((RED,))
    async with driving(app, (120, 60)) as driver:
        await driver.until_at("triage")
        text = await until_previewed(driver, " of ")
        found = LINE.search(text)
        assert found is not None
        before = count_of(night)
        await driver.press("enter")
        await driver.until_at("log")
        view = driver.app.screen.query_one(LogView)
        await driver.wait(lambda: view.position.focus is not None)
        assert view.position.focus == int(found[1].replace(",", "")) - 1
        assert not [one for one in requests_of(night, before) if "/trace" in one["path"]]


async def test_while_keys_come_nothing_is_requested_and_nothing_is_drawn(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preview of the row before stays; the last row is previewed once the keys rest."""
    start = jobs_of(still_platform, failed_pipeline(still_platform))
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("jobs")
        before = await until_previewed(driver, " of ")
        asked = count_of(still_platform)
        monkeypatch.setattr(at_rest, "_REST", 3600.0)
        await driver.press("g", *"jjjkkj", "G")
        await driver.rest()
        assert preview(driver) == before
        assert not [one for one in requests_of(still_platform, asked) if "trace" in one["path"]]
        screen = driver.app.view_screen()
        assert screen is not None
        screen.body.at_rest._rests_at = 0.0
        screen.call_later(screen.body.at_rest._draw_if_rested)
        await driver.wait(lambda: preview(driver) != before)


async def test_what_was_read_is_previewed_offline(platform_with: PlatformFactory) -> None:
    """What was not read says why it is missing."""
    platform = platform_with(clock=FakeClock())
    start = jobs_of(platform, failed_pipeline(platform))
    async with driving(dashboard(platform, start=start, poll=QUICK)) as driver:
        await driver.until_at("jobs")
        found = LINE.search(await until_previewed(driver, " of "))
        assert found is not None
        await asyncio.to_thread(platform.stop)
        await driver.press("r")
        await driver.until("offline since")
        await driver.press("G")
        await driver.wait(lambda: found[0] not in preview(driver))
        await driver.press("J")
        await until_previewed(driver, found[0])
        await driver.press("enter")
        await driver.until_route("log")
        await driver.until("┃")
        assert "offline since" in driver.text


async def test_the_tail_of_a_running_job_grows(platform_with: PlatformFactory) -> None:
    """Its last lines, without a key."""
    clock = FastClock(3.0, NOW)
    platform = platform_with(clock=clock)
    project, job = long_running_job()
    start = Route("jobs", project.full_path, project.path, job.pipeline_id, job.id)
    app = dashboard(platform, start=start, clock=clock, poll=QUICK)
    async with driving(app, TALL) as driver:
        await driver.until_at("jobs")
        text = await until_previewed(driver, "last of ")
        assert "● running" in text.splitlines()[0]
        await driver.wait(lambda: "last of " in preview(driver) and preview(driver) != text)


async def test_a_hidden_preview_is_remembered(still_platform: RunningEmulator) -> None:
    """In this view, by the next dashboard too; the key shows it again."""
    start = jobs_of(still_platform, failed_pipeline(still_platform))
    async with driving(dashboard(still_platform, start=start, remembers=True)) as driver:
        await driver.until_at("jobs")
        await until_previewed(driver, " of ")
        await driver.press("v")
        await driver.wait(lambda: not preview(driver))
    async with driving(dashboard(still_platform, start=start, remembers=True)) as driver:
        await driver.until_at("jobs")
        await driver.rest()
        assert not preview(driver)
        await driver.press("v")
        await until_previewed(driver, " of ")


async def test_a_preview_needs_room(still_platform: RunningEmulator) -> None:
    """Six lines below the rows; from 160 columns a full list leaves some."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start), (80, 24)) as driver:
        await driver.until_at("pipelines")
        await driver.rest()
        assert not preview(driver)
        await driver.press("v")
        await driver.until_told("No preview: it needs 6 free lines")
        await driver.enter("/", "no-pipeline-matches")
        await driver.until("No row matches")
        await driver.press("v")
        await driver.until_told("No preview: no row selected.")
        await driver.press("escape")
        await driver.pilot.resize_terminal(160, 40)
        await until_previewed(driver, "#")
        await driver.pilot.resize_terminal(80, 24)
        await driver.wait(lambda: not preview(driver))


async def test_an_update_while_the_view_is_closed_is_left_out(
    still_platform: RunningEmulator,
) -> None:
    """A feed may send it between the removal of the table and that of the view."""
    route = jobs_of(still_platform, failed_pipeline(still_platform))
    async with driving(dashboard(still_platform, start=route), TALL) as driver:
        await until_previewed(driver, "line ")
        screen: Any = driver.app.screen
        await driver.table.remove()
        screen.body.preview.draw()
        assert preview(driver) == ""


async def test_wide_lists_name_commit_author_and_user(still_platform: RunningEmulator) -> None:
    """Pipelines by the jobs of their project, which narrow screens do not request."""
    start = pipelines_of(still_platform)
    with api_client(still_platform) as client:
        newest = client.get(in_project(still_platform, "jobs")).json()[0]
    before = count_of(still_platform)
    words = (newest["commit"]["title"][:20], newest["user"]["username"][:6])
    async with driving(dashboard(still_platform, start=start), (120, 40)) as driver:
        await driver.until_at("pipelines")
        await driver.rest()
        assert "TITLE" not in driver.text
        asked = [one["path"] for one in requests_of(still_platform, before)]
        assert not any(re.search(r"/projects/[^/]+/jobs\?", path) for path in asked)
        await driver.pilot.resize_terminal(220, 50)
        text = await driver.until("TITLE")
        assert "AUTHOR" in text
        assert all(word in text for word in words)
        await driver.enter(":", f"jobs {still_platform.project}")
        await driver.until_at("jobs")
        text = await driver.until("TITLE")
        assert all(word in text for word in words)
