"""Where a log went wrong: it opens there, keys go from error to error and from job to job."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, company, long_running_job
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock

from platui.config.settings import PollSettings
from platui.logs import Log
from platui.models.values.routes import Route
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui.ui.screens.parts.view_screen import ViewScreen
    from platui_emulator.records import Job, Project

QUICK = PollSettings(0.2, 0.2)


def log_of(project: Project, job: Job) -> Route:
    """Return the place of a job's log."""
    return Route("log", project.full_path, project.path, job.pipeline_id, job.id, job.name)


def log_view(driver: Driver) -> LogView:
    """Return the widget."""
    return driver.app.screen.query_one(LogView)


def focused(driver: Driver) -> str:
    """Return the line that was jumped to; empty where none was."""
    view = log_view(driver)
    if view.document is None or view.position.focus is None:
        return ""
    return view.document.text(view.position.focus)


def jobs_with(status: str, words: bytes, *, count: int = 1) -> tuple[Project, list[Job]]:
    """Return a project and so many jobs of one of its pipelines whose logs hold some words."""
    for project in company().projects():
        for pipeline in company().pipelines.page(project.id, NOW, offset=0, limit=6)[0]:
            jobs = list(company().pipelines.jobs(project.id, pipeline.id, NOW, with_retried=False))
            fitting = [job for job in jobs if job.status == status]
            if len(fitting) >= count and words in _log(project, fitting[0]):
                return project, fitting
    raise LookupError(f"no {status} job says {words!r}")


def _log(project: Project, job: Job) -> bytes:
    log = company().pipelines.trace(project.id, job.id, NOW)
    return log if isinstance(log, bytes) else b""


@pytest.mark.variants("default", reason="words of a plain platform")
async def test_a_failed_job_opens_at_what_went_wrong(platform_with: PlatformFactory) -> None:
    """Not at the end of a cleanup; the sections that went well are folded."""
    project, jobs = jobs_with("failed", b"Traceback")
    clock = FrozenClock(NOW)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=log_of(project, jobs[0]), clock=clock)
    async with driving(app) as driver:
        await driver.until_at("log")
        await driver.wait(lambda: bool(focused(driver)))
        assert re.match(r"[\w.]+: .+", focused(driver))
        await driver.until(lambda text: "error 2 of 3 · python" in text.splitlines()[-2])
        view = log_view(driver)
        first, end = view.position.lines
        assert view.position.focus is not None
        assert first <= view.position.focus < end
        status = driver.text.splitlines()[1]
        assert status.startswith(" ✖ failed · exit 1 · ")
        assert "3 errors" in status
        assert len(status) <= 80


@pytest.mark.variants("default", reason="words of a plain platform")
async def test_e_goes_from_error_to_error_and_around(platform_with: PlatformFactory) -> None:
    """It says so where it begins anew; `E` goes back."""
    project, jobs = jobs_with("failed", b"Traceback")
    clock = FrozenClock(NOW)
    app = dashboard(platform_with(clock=clock), start=log_of(project, jobs[0]), clock=clock)
    async with driving(app) as driver:
        await driver.until("error 2 of 3 · python")
        await driver.press("e")
        await driver.until("error 3 of 3 · job")
        assert focused(driver).startswith("ERROR: Job failed")
        await driver.press("e")
        await driver.until("error 1 of 3 · log from the top")
        await driver.press("e")
        await driver.until(
            lambda text: "error 2 of 3 · python" in text and "from the top" not in text
        )
        await driver.press("E", "E")
        await driver.until("error 3 of 3 · job from the end")


async def test_of_a_flood_it_says_how_many_errors_at_least_and_e_finds_all(
    platform_with: PlatformFactory,
) -> None:
    """Nobody who asks for an error is told of one that is not the next."""
    clock = FrozenClock(NOW)
    project, job = long_running_job()
    app = dashboard(
        platform_with(clock=clock), start=log_of(project, job), clock=clock,
        poll=PollSettings(1000.0, 1000.0),
    )  # fmt: skip
    async with driving(app) as driver:
        await driver.until("following")
        log = log_view(driver).document
        assert isinstance(log, Log)
        before = log.error_count
        log.spool.append(b"rows\nERROR: one\n" + b"rows loaded: 12\n" * 200_000 + b"ERROR: two\n")
        log.take_in()
        assert (log.has_all_errors, log.error_count) == (False, before + 1)
        cast("ViewScreen", driver.app.screen).body.draw()
        await driver.until(f"{before + 1}+ error")
        await driver.press("E")
        await driver.until(f"error {before + 1} of {before + 2} · log")
        assert focused(driver) == "ERROR: one"
        await driver.until(f"{before + 2} errors")
        await driver.press("e")
        await driver.until(f"error {before + 2} of {before + 2} · log")
        assert focused(driver) == "ERROR: two"


@pytest.mark.variants("default", reason="words of a plain platform")
async def test_a_log_without_errors_says_so(platform_with: PlatformFactory) -> None:
    """And stays where it is; a job that succeeded opens at its end."""
    project, jobs = jobs_with("success", b"Job succeeded")
    clock = FrozenClock(NOW)
    app = dashboard(platform_with(clock=clock), start=log_of(project, jobs[0]), clock=clock)
    async with driving(app) as driver:
        await driver.until_at("log")
        await driver.until("  ended")
        view = log_view(driver)
        assert view.document is not None
        assert view.position.lines[1] == view.document.line_count
        await driver.press("e")
        await driver.until_told("No errors found in this log.")
        assert view.position.focus is None


async def test_a_running_job_opens_following(platform_with: PlatformFactory) -> None:
    """Errors so far move nobody."""
    clock = FastClock(3, NOW)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=log_of(*long_running_job()), clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until_at("log")
        await driver.until("following")
        assert log_view(driver).position.focus is None
        assert driver.text.splitlines()[1].startswith(" ● running · ")


@pytest.mark.variants("default", reason="words of a plain platform")
async def test_j_and_k_go_through_the_failed_jobs(platform_with: PlatformFactory) -> None:
    """With the view as it is; at the last one they say so."""
    project, jobs = jobs_with("failed", b"", count=2)
    clock = FrozenClock(NOW)
    app = dashboard(platform_with(clock=clock), start=log_of(project, jobs[0]), clock=clock)
    async with driving(app) as driver:
        await driver.until_at("log")
        await driver.press("number_sign")
        back = await walked(driver, "K", "No job of this pipeline failed before this one.")
        forth = await walked(driver, "J", "No job of this pipeline failed after this one.")
        assert forth[: len(back)] == back[::-1]
        assert set(forth) == {job.id for job in jobs}
        assert log_view(driver).line_numbers


async def walked(driver: Driver, key: str, ending: str) -> list[int | None]:
    """Press a key until it says that there is nothing more; return the jobs it went through."""
    seen = [driver.route.job]
    while ending not in driver.told:
        await driver.press(key)
        await driver.wait(lambda: driver.route.job != seen[-1] or ending in driver.told)
        if driver.route.job != seen[-1]:
            seen.append(driver.route.job)
            await driver.until_at("log")
    return seen
