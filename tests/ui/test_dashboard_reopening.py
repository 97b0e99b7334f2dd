"""`Y` copies the command that opens a view again, and that command opens it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, failed_pipeline, in_project

from platui.models.values.routes import Route
from platui.ui.command_app import ClipboardAndBrowser
from platui.ui.dialogs.menu import Menu
from platui.ui.route_lines import read_route
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui_emulator.server import RunningEmulator


_LINE = 9


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that were handed over for the clipboard."""
    texts: list[str] = []

    async def note(_: ClipboardAndBrowser, text: str, what: str) -> None:
        del what
        texts.append(text)

    monkeypatch.setattr(ClipboardAndBrowser, "_copy", note)
    return texts


async def take(driver: Driver, copied: list[str]) -> str:
    """Press `Y`, choose what opens this view, and return the line in the command."""
    copied.clear()
    await driver.press("Y")
    await driver.wait(lambda: bool(copied) or isinstance(driver.app.screen, Menu))
    if not copied:
        words = "at this line" if driver.route.view == "log" else "this view"
        await driver.paste(words)
        await driver.press("enter")
        await driver.wait(lambda: bool(copied))
    program, option, profile, line = shlex.split(copied[0])
    assert (program, option, profile) == ("platui", "--profile", "test")
    return line


@pytest.mark.variants("default", reason="a project with something red, whose name is its own")
async def test_the_command_that_is_copied_opens_the_view_that_it_was_copied_from(
    still_platform: RunningEmulator, copied: list[str]
) -> None:
    """Of every kind of view, with its filter, its line and its ref."""
    project = still_platform.project
    with api_client(still_platform) as client:
        failed = client.get(in_project(still_platform, "pipelines?status=failed")).json()[0]["id"]
        path = in_project(still_platform, f"pipelines/{failed}/jobs")
        job = next(one["id"] for one in client.get(path).json() if one["status"] == "failed")
    lines = (
        f":projects group={project.rpartition('/')[0]}",
        f":pipelines {project} sort=-id /failed main",
        f":log {project} #{failed} job={job} line={_LINE}",
        f":compare {project} #{failed} job={job}",
        f":file {project} path=README.md ref=main",
        f":run {project} ref=main",
        ":access /level:owner",
        ":requests /200",
    )
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        for line in lines:
            found = read_route(line)
            assert found is not None
            # As it is pasted: typed letter by letter, this would take longer than all else.
            await driver.press(":")
            await driver.wait(lambda: " :" in driver.text.splitlines()[-2][:2])
            await driver.paste(line.removeprefix(":"))
            await driver.press("enter")
            await driver.wait(lambda view=found[0].view: settled(driver, view), wanted=line)  # type: ignore[misc]
            assert await take(driver, copied) == line
            if found[0].view == "log":
                # The log of a red job leads to what changed since the last green run, too.
                await driver.press("b")
                await driver.until_route("since")
                assert driver.route.pipeline == failed


def settled(driver: Driver, view: str) -> bool:
    """Return whether a view is there, with what it was opened with."""
    screen = driver.app.screen
    if not isinstance(screen, ViewScreen) or view != screen.body.route.view or not screen.is_whole:
        return False
    if screen.focused is None:
        return False
    if view == "log":
        return screen.body.context.current_route().line == _LINE - 1
    read = driver.app.navigation.history.current
    return screen.body.route == read


@pytest.mark.variants("default", reason="a project with something red")
async def test_the_words_of_the_command_line_filter_the_first_view(
    still_platform: RunningEmulator, copied: list[str]
) -> None:
    """As they would if they were typed there."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform), words="failed", clock=FrozenClock()
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.until("/failed hides")
        line = await take(driver, copied)
        assert line == f":pipelines {still_platform.project} /failed"


async def test_the_next_start_opens_the_namespace_and_the_order_of_a_line(
    still_platform: RunningEmulator, copied: list[str]
) -> None:
    """The place is kept whole, as its kept rows are."""
    group = still_platform.project.rpartition("/")[0]
    start = Route("projects", group=group, sort="-age")
    async with driving(dashboard(still_platform, start=start, remembers=True)) as driver:
        await driver.wait(lambda: settled(driver, "projects") and bool(driver.table.total_count))
        line = await take(driver, copied)
        driver.app.exit(0)
    assert (f" group={group} " in f"{line} ", "sort=" in line) == (True, True)
    async with driving(dashboard(still_platform, remembers=True)) as driver:
        await driver.wait(lambda: settled(driver, "projects"))
        assert await take(driver, copied) == line


@pytest.mark.variants("default", "spec-only", reason="a failed job that is listed as one")
async def test_the_cursor_of_the_jobs_is_kept_for_the_next_start(
    still_platform: RunningEmulator,
) -> None:
    """Only a first visit leads to the failed job."""
    start = Route("jobs", still_platform.project, "showcase", failed_pipeline(still_platform))
    first = dashboard(still_platform, start=start, clock=FrozenClock(), remembers=True)
    async with driving(first, (80, 40)) as driver:
        await driver.until_at("jobs")
        await driver.settle()
        failed = driver.cursor
        await driver.press("g")
        kept = driver.cursor
        if kept == failed:
            await driver.press("j")
            kept = driver.cursor
        driver.app.exit(0)
    again = dashboard(still_platform, clock=FrozenClock(), remembers=True)
    async with driving(again, (80, 40)) as driver:
        await driver.until_at("jobs")
        await driver.settle()
        assert (driver.cursor, kept != failed) == (kept, True)
