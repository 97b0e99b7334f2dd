"""Many logs at once: a stream of all jobs that run or failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, company, jobs, newest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project

from platui.config.settings import PollSettings
from platui.logs.merged import MergedLog
from platui.models.values.routes import Route
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui_emulator.records import Job
    from platui_emulator.server import RunningEmulator

QUICK = PollSettings(0.2, 0.2)


def busy_pipeline() -> tuple[Route, list[Job]]:
    """Return the jobs of a pipeline in which some run at once, and those."""
    for project in company().projects():
        for pipeline in newest(project, NOW, 5):
            running = [job for job in jobs(pipeline, NOW) if job.status == "running"]
            if len(running) > 1:
                place = Route("jobs", project.full_path, project.path, pipeline.id)
                return place, running
    raise LookupError("no pipeline with many running jobs")


def stream(driver: Driver) -> MergedLog | None:
    """Return the stream, if it is in front and has lines."""
    if driver.app.screen.query(LogView):
        view = driver.app.screen.query_one(LogView)
        if isinstance(view.document, MergedLog) and view.position.lines[1] > 0:
            return view.document
    return None


async def streaming(driver: Driver) -> MergedLog:
    """Wait until there are lines of a stream."""
    await driver.wait(lambda: stream(driver) is not None)
    document = stream(driver)
    assert document is not None
    return document


def texts(document: MergedLog) -> list[str]:
    """Return all lines of a stream."""
    return [document.text(y) for y in range(document.line_count)]


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_running_jobs_are_followed_in_one_stream(platform_with: PlatformFactory) -> None:
    """`M` on the jobs; every line says whose it is, and more come by themselves."""
    place, running = busy_pipeline()
    clock = FastClock(4, NOW)
    app = dashboard(platform_with(clock=clock), start=place, clock=clock, poll=QUICK)
    async with driving(app, (120, 40)) as driver:
        await driver.until_at("jobs")
        await driver.press("M")
        document = await streaming(driver)
        await driver.wait(lambda: {j.id for j in running} <= {
            document.origin(y).job for y in range(document.line_count)
        })  # fmt: skip
        await driver.until(f"› {len(running)} jobs")
        await driver.until("  following")
        before = document.line_count
        await driver.wait(lambda: document.line_count > before + 1)
        last = document.text(document.line_count - 1)
        name = next(j.name for j in running if j.id == document.origin(document.line_count - 1).job)
        assert last.startswith(name[:19])
        assert "│" in last
        assert "Loading" not in driver.text


def failed_pipeline(platform: RunningEmulator) -> tuple[int, str]:
    """Return a pipeline of the showcase that failed, and the name of a job that did."""
    with api_client(platform) as client:
        for pipeline in client.get(in_project(platform, "pipelines?status=failed")).json():
            path = in_project(platform, f"pipelines/{pipeline['id']}/jobs")
            for job in client.get(path).json():
                if job["status"] == "failed":
                    return int(pipeline["id"]), str(job["name"])
    raise LookupError("no pipeline failed")


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_a_pipeline_that_failed_shows_why_and_enter_opens_the_log(
    still_platform: RunningEmulator,
) -> None:
    """The end of its failed log, how it and the pipeline ended; `esc` leads back each time."""
    pipeline, name = failed_pipeline(still_platform)
    start = Route("jobs", still_platform.project, "showcase", pipeline)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        await driver.press("M")
        document = await streaming(driver)
        await driver.until(f"━━ pipeline #{pipeline} ✖ failed")
        await driver.until("  ended")
        said = next(text for text in texts(document) if text.startswith(f"── {name} ✖ failed"))
        assert " · exit 1 · " in said
        line = next(y for y in range(document.line_count) if document.origin(y).line > 20)
        driver.app.screen.query_one(LogView).position.reveal(line)
        await driver.press("enter")
        await driver.until_at("log")
        assert driver.route.job_name == name
        wanted = document.text(line).partition("│ ")[2]
        await driver.until(wanted[:60].rstrip())
        await driver.press("escape")
        await driver.until(f"── {name} ✖ failed · exit 1")
        assert driver.route.view == "many"
        await driver.press("escape")
        await driver.until_at("jobs")


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_enter_opens_the_newest_log_in_sight(still_platform: RunningEmulator) -> None:
    """Without a cursor; the last line, which says how the pipeline ended, belongs to no job."""
    pipeline, name = failed_pipeline(still_platform)
    start = Route("many", still_platform.project, "showcase", pipeline)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await streaming(driver)
        await driver.until(f"━━ pipeline #{pipeline} ✖ failed")
        await driver.until("  ended")
        await driver.press("enter")
        await driver.until_at("log")
        assert driver.route.job_name == name


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_enter_opens_nothing_that_the_filter_hides(still_platform: RunningEmulator) -> None:
    """Where no line matches, there is none to open."""
    pipeline, _ = failed_pipeline(still_platform)
    start = Route("many", still_platform.project, "showcase", pipeline)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await streaming(driver)
        await driver.until("  ended")
        await driver.enter("&", "no such words")
        await driver.until("No line matches.")
        await driver.press("enter")
        await driver.until_told("No visible line.")
        assert driver.route.view == "many"


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_e_goes_from_error_to_error_over_all_jobs(still_platform: RunningEmulator) -> None:
    """With its rule in the line below, around at the end; and marks stand at the edge."""
    pipeline, _ = failed_pipeline(still_platform)
    start = Route("jobs", still_platform.project, "showcase", pipeline)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        await driver.press("M")
        document = await streaming(driver)
        await driver.until("  ended")
        marks = document.errors
        assert marks
        assert document.error_count == len(marks)
        view = driver.app.screen.query_one(LogView)
        await driver.press("g")
        for number, mark in enumerate(marks, 1):
            await driver.press("e")
            await driver.wait(lambda told=mark.message_line: view.position.focus == told)  # type: ignore[misc]
            await driver.until(f"error {number} of {len(marks)} · {mark.rule}")
        assert "✖" in "".join(strip.text[-1] for strip in view.render_lines(view.size.region))
        await driver.press("e")
        await driver.until("from the top")
        assert view.position.focus == marks[0].message_line
        await driver.press("E")
        await driver.wait(lambda: view.position.focus == marks[-1].message_line)
        said = document.text(marks[-1].message_line).partition("│ ")[2]
        await driver.press("enter")
        await driver.until_at("log")
        await driver.until(said[:60].rstrip())


@pytest.mark.variants("default", "spec-only", reason="honest states are gone by")
async def test_where_nothing_runs_or_failed_it_says_so(still_platform: RunningEmulator) -> None:
    """From the row of a pipeline that is green."""
    with api_client(still_platform) as client:
        listed = client.get(in_project(still_platform, "pipelines")).json()
    green = next(one["id"] for one in listed if one["status"] == "success")
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        assert driver.table.move_to(str(green))
        await driver.press("M")
        await driver.until("No running or failed job (pipeline: success).")
        await driver.rest()
        keys = driver.app.screen.active_bindings
        # Nothing to open, to follow or to go to the end of: the footer says so, too.
        assert not any(keys[key].enabled for key in ("enter", "f", "G", "g") if key in keys)
        await driver.press("enter", "escape")
        await driver.until_at("pipelines")


# searching all logs of a pipeline


async def at_jobs(driver: Driver) -> None:
    """Wait for the jobs."""
    await driver.until_at("jobs")


def start_at(platform: RunningEmulator) -> Route:
    """Return the jobs of a pipeline that failed."""
    return Route("jobs", platform.project, "showcase", failed_pipeline(platform)[0])


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_all_logs_of_a_pipeline_are_searched(still_platform: RunningEmulator) -> None:
    """A backslash and words: hits by job; `n` goes to the next, `enter` to its line, `esc` back."""
    name = failed_pipeline(still_platform)[1]
    app = dashboard(still_platform, start=start_at(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await at_jobs(driver)
        await driver.enter("\\", "job ")
        await driver.until(lambda text: bool(re.search(r"job · (\d+) of \1 logs · ", text)))
        assert f"✖  {name} failed · " in driver.text
        await driver.press("n", "n")
        await driver.wait(lambda: (driver.cursor or "").startswith("hit:"))
        _, number, line = (driver.cursor or "").split(":")
        await driver.press("enter")
        await driver.until_at("log")
        assert driver.route.job == int(number)
        view = driver.app.screen.query_one(LogView)
        await driver.wait(lambda: view.position.focus == int(line))
        assert view.document is not None
        assert "job " in view.document.text(int(line)).lower()
        await driver.until(lambda text: bool(re.search(r"/job +\d+ of ", text)))
        await driver.press("escape", "escape")  # of the search in this log, then of the log
        await driver.wait(lambda: driver.route.view == "search")
        await driver.until("n next hit")
        assert driver.cursor == f"hit:{number}:{line}"
        await driver.press("N")
        await driver.wait(lambda: driver.cursor != f"hit:{number}:{line}")
        await driver.press("escape")
        await at_jobs(driver)


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_another_text_is_looked_for_in_the_same_logs(
    still_platform: RunningEmulator,
) -> None:
    """`/` on the hits; what is nowhere is told, and `:grep` does it from anywhere."""
    app = dashboard(still_platform, start=start_at(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await at_jobs(driver)
        await driver.enter(":", "grep nowhere-to-be-found")
        await driver.until("nowhere-to-be-found not found in ")
        await driver.press("/")
        await driver.until("in all logs of #")
        await driver.press("ctrl+u", *"exit code", "enter")
        await driver.until(lambda text: bool(re.search(r"exit code · .* hits? in \d", text)))
        assert driver.route.search == "exit code"
        await driver.settle()  # `esc` stops a search that still runs
        await driver.press("escape")
        await at_jobs(driver)


async def test_grep_without_a_pipeline_asks_for_one(still_platform: RunningEmulator) -> None:
    """On the projects there is none."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "grep error")
        await driver.until_told("Select a pipeline first.")
        await driver.enter(":", "grep")
        await driver.until_told("Nothing to search for.")


@pytest.mark.variants("hostile", reason="it is about that one")
async def test_hostile_logs_stay_text(still_platform: RunningEmulator) -> None:
    """Names, errors and lines that are attacks stay on their line."""
    app = dashboard(still_platform, start=start_at(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await at_jobs(driver)
        await driver.enter("\\", "e")
        await driver.until(" hits in ")
        assert "\x1b" not in driver.text
        await driver.press("escape", "M")
        await driver.rest()
        assert "\x1b" not in driver.text
