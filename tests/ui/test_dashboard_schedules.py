"""Schedules: what did not run, what runs next, and the way to what ran last."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.company import NOW, company
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.service import requests_of
from tests.support.wire import Heard, answer, wire_server
from tests.texts.screens import NO_SCHEDULE_LIST

from platui.config.settings import PollSettings
from platui.models.values.routes import Route

if TYPE_CHECKING:
    import asyncio

    from tests.support.dashboard import Driver

    from platui_emulator.records import Schedule
    from platui_emulator.server import RunningEmulator

NEVER: Final = PollSettings(3600, 3600)
HONEST: Final = pytest.mark.variants("default", reason="names and schedules as they are")


def schedules_with(*, stalled: bool = False, inactive: bool = False) -> tuple[str, list[Schedule]]:
    """Return a project with such a schedule, and all of its schedules."""
    for project, found in _all():
        late = any(one.active and one.next_run_at and one.next_run_at < NOW for one in found)
        still = any(not one.active for one in found)
        if late >= stalled and still >= inactive:
            return project, found
    raise LookupError


def _all() -> list[tuple[str, list[Schedule]]]:
    return [
        (project.full_path, list(company().schedules.of(project.id, NOW)))
        for project in company().projects()
    ]


def place_of(project: str) -> Route:
    """Return the schedules of a project."""
    return Route("schedules", project, project.rpartition("/")[2])


def first_cells(driver: Driver) -> list[str]:
    """Return what the rows say of their next run, from top to bottom."""
    return [row.cells[0].text for row in driver.table.shown_rows]


@HONEST
async def test_what_did_not_fire_stands_on_top(still_platform: RunningEmulator) -> None:
    """With its cause in the details, and counted above."""
    project, _ = schedules_with(stalled=True)
    app = dashboard(still_platform, start=place_of(project), clock=FrozenClock(), poll=NEVER)
    async with driving(app) as driver:
        await driver.until_at("schedules")
        await driver.until("1 did not run")
        assert first_cells(driver)[0] == "✖ did not run"
        await driver.press("d")
        await driver.until("missing")
        await driver.until("full-ci.yml")
        assert "next runs" in driver.text
        await driver.press("escape")
        await driver.press("F")
        await driver.until("hides")
        assert first_cells(driver) == ["✖ did not run"]


@HONEST
async def test_no_schedule_that_works_is_accused(still_platform: RunningEmulator) -> None:
    """Of a handful of projects, with every last run looked at, only the stalled schedules."""
    late = {
        str(one.id)
        for _, found in _all()
        for one in found
        if one.active and one.next_run_at and one.next_run_at < NOW
    }
    accused: set[str] = set()
    stalled = {project for project, found in _all() if any(str(one.id) in late for one in found)}
    others = [project for project, _ in _all() if project not in stalled]
    projects = [*sorted(stalled), *others[:4]]
    app = dashboard(still_platform, start=place_of(projects[0]), clock=FrozenClock(), poll=NEVER)
    async with driving(app) as driver:
        for project in projects:
            app.navigation.go(place_of(project))
            await driver.until_at("schedules")
            await driver.wait(
                lambda: all(row.cells[3].text for row in driver.table.shown_rows),
                wanted="every last run",
            )
            accused |= {
                row.key for row in driver.table.shown_rows if "did not" in row.cells[0].text
            }
    assert late
    assert accused == late


@HONEST
async def test_enter_goes_to_the_last_run_and_l_to_its_log(
    still_platform: RunningEmulator,
) -> None:
    """And `esc` comes back to the schedules, on the same row."""
    project, _ = schedules_with(stalled=True)
    app = dashboard(still_platform, start=place_of(project), clock=FrozenClock(), poll=NEVER)
    async with driving(app) as driver:
        await driver.until_at("schedules")
        await driver.until("✖ failed")
        key = driver.cursor
        await driver.press("enter")
        await driver.until_at("jobs")
        pipeline = driver.route.pipeline
        await driver.press("escape")
        await driver.until_at("schedules")
        assert driver.cursor == key
        await driver.press("l")
        await driver.until_at("log")
        assert driver.route.pipeline == pipeline
        await driver.press("escape")
        await driver.until_at("schedules")


@HONEST
async def test_a_schedule_is_found_again_however_often_it_is_opened(
    still_platform: RunningEmulator,
) -> None:
    """The cursor may have left it; back from another view it stays where it was."""
    project, found = next((path, some) for path, some in _all() if len(some) > 2)
    start = replace(place_of(project), schedule=found[1].id)
    app = dashboard(still_platform, start=start, clock=FrozenClock(), poll=NEVER)
    async with driving(app) as driver:
        await driver.wait(lambda: driver.cursor == str(found[1].id))
        await driver.press("g")
        await driver.press("j" if driver.cursor == str(found[1].id) else "g")
        other = driver.cursor
        assert other != str(found[1].id)
        app.navigation.go(Route("requests"))
        await driver.until_at("requests")
        await driver.press("escape")
        await driver.until_at("schedules")
        assert driver.cursor == other
        app.navigation.go(start)
        await driver.wait(lambda: driver.cursor == str(found[1].id))


@HONEST
async def test_a_schedule_that_never_ran_says_so(still_platform: RunningEmulator) -> None:
    """There is nothing to open."""
    project, _ = schedules_with(inactive=True)
    app = dashboard(still_platform, start=place_of(project), clock=FrozenClock(), poll=NEVER)
    async with driving(app) as driver:
        await driver.until_at("schedules")
        await driver.until("never ran")
        await driver.press("G", "enter")
        await driver.until_told("has not run yet")


@HONEST
async def test_the_area_opens_on_the_project_in_focus(still_platform: RunningEmulator) -> None:
    """By its key, by its name; `esc` leads back to where one was."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform), clock=FrozenClock(), poll=NEVER
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("5")
        await driver.until_at("schedules")
        assert driver.route.project == still_platform.project
        await driver.press("escape")
        await driver.until_at("pipelines")
        await driver.enter(":", "sc")
        await driver.until_at("schedules")


async def test_a_platform_that_lists_no_schedules(narrow_platform: RunningEmulator) -> None:
    """It is said, and not asked again."""
    app = dashboard(
        narrow_platform, start=place_of(narrow_platform.project), clock=FrozenClock(), poll=NEVER
    )
    async with driving(app) as driver:
        await driver.until(NO_SCHEDULE_LIST)
        asked = len(requests_of(narrow_platform))
        await driver.press("r")
        await driver.rest()
        assert len(requests_of(narrow_platform)) == asked


async def test_times_follow_the_zone_of_the_reader(still_platform: RunningEmulator) -> None:
    """The column of the next run says in which zone it is."""
    project, _ = schedules_with()
    app = dashboard(still_platform, start=place_of(project), clock=FrozenClock(), poll=NEVER)
    async with driving(app) as driver:
        await driver.until_at("schedules")
        await driver.until("NEXT RUN UTC")
        await driver.press("u")
        await driver.until(lambda text: "NEXT RUN" in text and "NEXT RUN UTC" not in text)


async def test_thousands_of_schedules_are_loaded_as_one_goes() -> None:
    """A page at a time; the last runs of what is in sight only."""
    total, size = 10_000, 100
    asked: list[str] = []

    async def many(heard: Heard, writer: asyncio.StreamWriter) -> None:
        asked.append(heard.target)
        path, _, query = heard.target.partition("?")
        if path.endswith("/pipeline_schedules"):
            page = next(int(p[5:]) for p in query.split("&") if p.startswith("page="))
            first = (page - 1) * size
            items = [
                {"id": n + 1, "description": f"schedule {n + 1}", "ref": "main",
                 "cron": f"{n % 60} {n % 24} * * *", "active": True}
                for n in range(first, min(first + size, total))
            ]  # fmt: skip
            following = str(page + 1)
            writer.write(answer(items, X_Total=str(total), X_Next_Page=following))
        else:
            number = int(path.rpartition("/")[2]) if path[-1].isdigit() else 0
            writer.write(answer({"id": number, "last_pipeline": None, "description": "one"}))

    async with wire_server(many) as server:
        app = dashboard(Elsewhere(server.url), start=place_of("acme/etl"), poll=NEVER)
        async with driving(app) as driver:
            await driver.until_at("schedules")
            await driver.until("100 schedules of 10000 loaded")
            await driver.until("never ran")
            assert len([one for one in asked if "pipeline_schedules?" in one]) <= 2
            assert len(asked) < 60


def _are_more(asked: list[str], count: int) -> bool:
    return len(asked) > count


async def test_only_what_is_polled_is_late_by_the_time_of_the_poll() -> None:
    """A schedule beyond the first page is as old as when it was loaded: it may have run since."""
    clock, asked, begun = FrozenClock(), list[str](), FrozenClock().moment

    async def two_pages(heard: Heard, writer: asyncio.StreamWriter) -> None:
        path, _, query = heard.target.partition("?")
        if not path.endswith("/pipeline_schedules"):
            writer.write(answer({"id": 7, "last_pipeline": None}))
            return
        asked.append(query)
        page = next(int(part[5:]) for part in query.split("&") if part.startswith("page="))
        announced = (clock.moment + timedelta(minutes=5)).isoformat()
        numbers = [*range(1, 101)] if page == 1 else [*range(101, 151)]
        if clock.moment != begun and page == 1:  # a new one pushes the last one off the page
            numbers = [999, *numbers[:-1]]
        items = [
            {"id": number, "description": f"schedule {number}", "ref": "main",
             "cron": "17 3 * * *", "active": True, "next_run_at": announced}
            for number in numbers
        ]  # fmt: skip
        writer.write(answer(items, X_Total="150", X_Next_Page="2" if page == 1 else ""))

    async with wire_server(two_pages) as server:
        start = place_of("acme/etl")
        app = dashboard(Elsewhere(server.url), start=start, clock=clock, poll=NEVER)
        async with driving(app) as driver:
            await driver.until("100 schedules of 150 loaded")
            await driver.press("G")
            await driver.until(" 150 schedules")
            for _ in range(2):  # what rows say holds for a minute
                count = len(asked)
                clock.moment += timedelta(minutes=20)
                await driver.press("r")
                await driver.wait(partial(_are_more, asked, count), wanted="the first page")
                await driver.rest()
            assert "did not run" not in driver.text
            assert not any("did not" in row.cells[0].text for row in driver.table.shown_rows)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_hostile_schedules_command_nothing(
    hostile_platform: RunningEmulator, size: tuple[int, int]
) -> None:
    """Whatever they are called, and whatever their owners, zones and cron lines say."""
    project = hostile_platform.project
    app = dashboard(hostile_platform, start=place_of(project), clock=FrozenClock(), poll=NEVER)
    async with driving(app, size) as driver:
        await driver.until_at("schedules")
        await driver.rest()
        assert not any(ord(sign) < ord(" ") for sign in driver.text.replace("\n", ""))
        await driver.press("d")
        await driver.rest()
        assert not any(ord(sign) < ord(" ") for sign in driver.text.replace("\n", ""))
