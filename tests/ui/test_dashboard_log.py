"""A job's log: it grows, lets go, resumes, ends; and says why there is none."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, company, ending_job, every_job, long_running_job
from tests.support.dashboard import SIZE, Elsewhere, dashboard, driving, pipelines_of
from tests.support.faults import fault
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project
from tests.support.service import requests_of
from tests.support.wire import answer, wire_server
from tests.texts.screens import JOB_HAS_NO_LOG

from platui.config.settings import CacheSettings, PollSettings
from platui.models.values.routes import Route
from platui.service.logs.source import LogSource
from platui.ui.screens.logs.log import LogScreen
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from asyncio import StreamWriter
    from collections.abc import AsyncIterator, Callable

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard
    from textual.screen import Screen

    from platui.models.values.connection import Urgency
    from platui.service.logs.copy import LogCopy
    from platui.ui.app import PlatuiApp
    from platui_emulator.records import Job, Project
    from platui_emulator.server import RunningEmulator

QUICK = PollSettings(0.2, 0.2)


def log_of(project: Project, job: Job) -> Route:
    """Return the place of a job's log."""
    return Route("log", project.full_path, project.path, job.pipeline_id, job.id, job.name)


def growing(platform_with: PlatformFactory, *, factor: float = 3.0) -> PlatuiApp:
    """Return the dashboard on the log of a job that runs on for two minutes."""
    clock = FastClock(factor, NOW)
    platform = platform_with(clock=clock)
    return dashboard(platform, start=log_of(*long_running_job()), clock=clock, poll=QUICK)


def log_view(driver: Driver) -> LogView:
    """Return the widget."""
    return driver.app.screen.query_one(LogView)


def line_count(driver: Driver) -> int:
    """Return how many lines the line below the log counts."""
    found = re.search(r" of ([\d,]+)(?:,|  )", driver.text.splitlines()[-2])
    return int(found[1].replace(",", "")) if found else 0


def log_lines(text: str) -> list[str]:
    """Return the lines of the log that are on the screen."""
    return text.splitlines()[2:-2]


async def test_a_running_jobs_log_grows_and_is_followed(platform_with: PlatformFactory) -> None:
    """Without a key; the last line in sight is the last there is."""
    async with driving(growing(platform_with)) as driver:
        await driver.until_at("log")
        await driver.until("following")
        assert "● running" in driver.text
        before = line_count(driver)
        await driver.wait(lambda: line_count(driver) > before + 1)
        assert log_view(driver).position.lines[1] == line_count(driver)
        assert "● live" in driver.text


async def test_a_log_is_not_followed_before_all_of_it_was_read(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in sight meanwhile is not its end."""
    read, rest = LogSource.read, asyncio.Event()

    async def read_slowly(
        source: LogSource, copy: LogCopy, urgency: Urgency, grew: Callable[[], None]
    ) -> None:
        await read(source, copy, urgency, grew)
        grew()  # what came may have waited for the end of a long log
        await rest.wait()

    monkeypatch.setattr(LogSource, "read", read_slowly)
    async with driving(growing(platform_with)) as driver:
        await driver.until("reading")
        rest.set()
        await driver.until("following")


async def test_scrolling_up_lets_go_and_counts_what_comes(platform_with: PlatformFactory) -> None:
    """What one reads stays where it is; `G` resumes."""
    async with driving(growing(platform_with)) as driver:
        await driver.until_at("log")
        await driver.wait(lambda: line_count(driver) > 30)
        await driver.press("k", "k")
        await driver.until(lambda text: "paused" in text or "below" in text)
        shown = log_lines(driver.text)
        await driver.until(lambda text: bool(re.search(r"\d+ new lines? below  G resumes", text)))
        assert log_lines(driver.text) == shown
        await driver.press("G")
        await driver.until("following")
        before = line_count(driver)
        await driver.wait(lambda: line_count(driver) > before)
        assert log_view(driver).position.lines[1] == line_count(driver)


async def test_who_reads_further_up_is_sent_nothing_until_they_do_something(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That lines come is told once: no counter, not that of hits, no time nor gauge moves then."""
    async with driving(growing(platform_with)) as driver:
        await driver.until_at("log")
        await driver.wait(lambda: line_count(driver) > 30)
        await driver.press("k", "k")
        await driver.enter("/", "e")
        await driver.until(lambda text: bool(re.search(r"at least \d+ new lines? below", text)))
        await driver.rest()
        frames, display = 0, driver.app._display

        def count(screen: Screen[Any], renderable: Any) -> None:
            nonlocal frames
            frames += renderable is not None
            display(screen, renderable)

        monkeypatch.setattr(driver.app, "_display", count)
        shown, view = driver.text, log_view(driver)
        before = line_count(driver)
        await driver.wait(lambda: view.content.lines > before + 3)
        assert (driver.text, frames) == (shown, 0)
        await driver.press("k")
        assert line_count(driver) > before + 3
        assert frames


async def test_f_lets_go_and_follows(platform_with: PlatformFactory) -> None:
    """A switch."""
    async with driving(growing(platform_with)) as driver:
        await driver.until_at("log")
        await driver.until("following")
        await driver.press("f")
        await driver.until(lambda text: "following" not in text)
        await driver.press("f")
        await driver.until("following")


async def test_a_held_log_does_not_grow(platform_with: PlatformFactory) -> None:
    """`=` pauses; `=` again brings what came meanwhile."""
    async with driving(growing(platform_with)) as driver:
        await driver.until_at("log")
        await driver.press("=")
        await driver.until("‖ paused")
        before = line_count(driver)
        await driver.pilot.pause(1.0)  # the time of five looks
        assert line_count(driver) == before
        await driver.press("=")
        await driver.wait(lambda: line_count(driver) > before)


async def test_a_log_ends_with_the_jobs_final_status(platform_with: PlatformFactory) -> None:
    """The whole log is there then, and nothing more is asked for."""
    project, job, status = ending_job()
    clock = FastClock(8, NOW)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=log_of(project, job), clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until_at("log")
        await driver.until("● running")
        await driver.until("  ended")
        await driver.until(f" {status} ·")
        await driver.until("✔ final")
        document = log_view(driver).document
        assert document is not None
        count = document.line_count
        last = " ".join(document.text(y) for y in range(count - 3, count))
        assert ("Job succeeded" in last) is (status == "success")
        with api_client(platform) as client:
            path = in_project(platform, f"jobs/{job.id}/trace", project=project.full_path)
            assert document.size == len(client.get(path).content)


async def test_offline_a_cached_log_says_when_it_was_fetched(
    platform_with: PlatformFactory,
) -> None:
    """It is not the moment at which it is opened, when nothing can be fetched."""
    pipeline, job = next(
        one for one in every_job(NOW, 2) if one[1].status == "failed" and not one[1].retried
    )
    project = company().project(pipeline.project_id)
    assert project is not None
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    start, cache = log_of(project, job), CacheSettings()
    first = dashboard(there, start=start, clock=FrozenClock(), remembers=True, cache=cache)
    async with driving(first) as driver:
        await driver.until("✔ final")
    later = FrozenClock(NOW + timedelta(hours=2))
    with fault(platform, "refuse"):
        again = dashboard(there, start=start, clock=later, remembers=True, cache=cache)
        async with driving(again) as driver:
            await driver.press("r")
            await driver.until(f"✖ offline, fetched {NOW:%H:%M} UTC")
            assert log_view(driver).document is not None


async def test_leaving_a_log_ends_its_requests(platform_with: PlatformFactory) -> None:
    """On another view nobody follows it."""
    clock = FastClock(3, NOW)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=log_of(*long_running_job()), clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until_at("log")
        await driver.press("2")
        await driver.until_at("projects")
        await driver.pilot.pause(0.5)  # what was under way comes to its end
        before = max(entry["number"] for entry in requests_of(platform))
        await driver.pilot.pause(1.0)  # the time of five looks
        asked = [entry["path"] for entry in requests_of(platform, before)]
        assert not [path for path in asked if path.endswith("/trace")]


def never_run(platform: RunningEmulator) -> tuple[int, dict[str, Any]]:
    """Return a pipeline of the showcase with a job that never ran."""
    with api_client(platform) as client:
        for pipeline in client.get(in_project(platform, "pipelines?status=failed")).json():
            path = in_project(platform, f"pipelines/{pipeline['id']}/jobs")
            for job in client.get(path).json():
                if job["status"] == "skipped":
                    return int(pipeline["id"]), job
    raise LookupError("every job of the showcase ran")


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_enter_on_a_job_that_never_ran_says_so(still_platform: RunningEmulator) -> None:
    """A toast, and the jobs stay in front."""
    pipeline, job = never_run(still_platform)
    start = Route("jobs", still_platform.project, "showcase", pipeline)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        assert driver.table.move_to(str(job["id"]))
        await driver.press("enter")
        await driver.until_told(f"{job['name']} has not run: it is skipped.")
        assert driver.route.view == "jobs"


@pytest.mark.variants(
    "default", "spec-only", reason="its addresses are attacks, which nothing opens"
)
async def test_the_address_of_a_job_that_never_ran_says_so(
    still_platform: RunningEmulator,
) -> None:
    """There is no log to wait for."""
    pipeline, job = never_run(still_platform)
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", str(job["web_url"]))
        await driver.until(JOB_HAS_NO_LOG)
        assert driver.route.pipeline == pipeline


async def test_from_an_address_esc_leads_up(still_platform: RunningEmulator) -> None:
    """`platui URL` of a job: its pipeline's jobs, the pipelines, the projects."""
    pipeline, job = never_run(still_platform)
    start = Route("log", still_platform.project, job=job["id"])
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until(JOB_HAS_NO_LOG)
        await driver.wait(lambda: driver.route.pipeline == pipeline)
        for view in ("jobs", "pipelines", "projects"):
            await driver.press("escape")
            await driver.until_at(view)


# moving about


@asynccontextmanager
async def at_a_log(
    platform: RunningEmulator, size: tuple[int, int] = SIZE
) -> AsyncIterator[Driver]:
    """Run the dashboard and open the log of the failed job of the showcase."""
    app = dashboard(platform, start=pipelines_of(platform), clock=FrozenClock())
    async with driving(app, size) as driver:
        await driver.until_at("pipelines")
        await driver.press("l")
        await driver.until_at("log")
        await driver.until("  ended")
        yield driver


async def test_a_number_goes_to_that_line(still_platform: RunningEmulator) -> None:
    """Counted from 1; beyond the end it says so."""
    async with at_a_log(still_platform) as driver:
        document = log_view(driver).document
        assert document is not None
        await driver.enter(":", "12")
        await driver.wait(
            lambda: log_view(driver).position.lines[0] <= 11 < log_view(driver).position.lines[1]
        )
        assert document.text(11).rstrip()[:70] in driver.text
        await driver.enter(":", "999999")
        await driver.until("999999 not found: no line or row here")


async def test_a_place_in_the_end_alone_has_no_line(still_platform: RunningEmulator) -> None:
    """While only the end is loaded, its lines have other numbers than those of the log."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        await driver.wait(lambda: log_view(driver).position.top_line == 0)
        screen = driver.app.screen
        assert isinstance(screen, LogScreen)
        body = screen.body
        assert body.context.current_route().line == 0
        assert body.text.update is not None
        body.text.update = replace(body.text.update, is_tail=True)
        assert body.context.current_route().line is None


async def test_an_address_with_a_line_opens_the_log_there(still_platform: RunningEmulator) -> None:
    """As the web's log gives it; also of the log that is open; beyond the end it says so."""
    async with at_a_log(still_platform) as driver:
        page = f"{still_platform.base_url}/{driver.route.project}/-/jobs/{driver.route.job}"
        await driver.enter(":", f"{page}#L12")
        await driver.wait(lambda: log_view(driver).position.focus == 11)
        assert log_view(driver).position.lines[0] <= 11 < log_view(driver).position.lines[1]
        await driver.enter(":", f"{page}#L2")
        await driver.wait(lambda: log_view(driver).position.focus == 1)
        await driver.enter(":", f"{page}#L999999")
        await driver.until_told("This log has no line 999999.")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_top_end_and_pages(still_platform: RunningEmulator, size: tuple[int, int]) -> None:
    """`g` is the first line, `G` the last; a page down and up again is where it was."""
    async with at_a_log(still_platform, size) as driver:
        await driver.press("g")
        await driver.until(" lines 1–")
        await driver.press("pagedown")
        await driver.until(lambda text: " lines 1–" not in text)
        await driver.press("pageup")
        await driver.until(" lines 1–")
        await driver.press("G")
        await driver.wait(lambda: log_view(driver).position.lines[1] == line_count(driver))


async def test_line_numbers_can_be_shown(still_platform: RunningEmulator) -> None:
    """`#` shows and hides them."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        await driver.until(" lines 1–")
        first = driver.text.splitlines()[2]
        await driver.press("#")
        await driver.until(lambda text: text.splitlines()[2].split()[0] == "1")
        await driver.press("#")
        await driver.until(lambda text: text.splitlines()[2] == first)


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_long_lines_are_reached_sideways(still_platform: RunningEmulator) -> None:
    """With the arrows, and back."""
    async with at_a_log(still_platform) as driver:
        before = log_lines(driver.text)
        await driver.press("right")
        await driver.until(lambda text: log_lines(text) != before)
        await driver.press("left")
        await driver.until(lambda text: log_lines(text) == before)


async def test_the_jobs_record_is_a_key_away(still_platform: RunningEmulator) -> None:
    """`d`, also over a log."""
    async with at_a_log(still_platform) as driver:
        await driver.press("d")
        await driver.until(" author ")
        await driver.press("escape")
        await driver.until(" lines ")


async def test_saving_a_log_that_is_loading_says_so() -> None:
    """The file would have a part of it, and be taken for the log."""
    log = answer(b"first\n" + b"x" * 100_000 + b"\nlast\n", content_type="text/plain")
    release = asyncio.Event()

    async def script(heard: Heard, writer: StreamWriter) -> None:
        if heard.target.endswith("/trace"):
            writer.write(log[:-50_000])
            await writer.drain()
            await release.wait()
            writer.write(log[-50_000:])
        else:
            writer.write(answer({"id": 5, "name": "dbt", "status": "failed"}))

    start = Route("log", "acme/etl", "etl", 10, 5, "dbt")
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("first")
            await driver.press("s")
            await driver.until("Save the log: only the part loaded so far")
            await driver.press("escape")
            release.set()
            await driver.until("✔ final")
            await driver.press("s")
            await driver.until("Save the log")
            assert "loaded so far" not in driver.text
