"""Lists that are longer than what is loaded: said, loaded on, loaded whole."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.faults import clear_faults, faults_of, set_fault
from tests.support.frozen import FrozenClock, StillClock
from tests.support.platform import api_client, failed_pipeline
from tests.support.service import requests_of
from tests.support.wire import answer, wire_server

from platui.models.values.feeds import Snapshot, Source
from platui.models.values.routes import Route
from platui.ui.screens.jobs import JobsBody

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

PROJECT = "acme/finance/tax-vat"
TOTAL = 1440
"""Pipelines that this project has at the still platform's moment."""


def number_of_newest_request(platform: RunningEmulator) -> int:
    """Return the number of the last request that came."""
    return max((entry["number"] for entry in requests_of(platform)), default=0)


async def test_a_filter_on_part_of_a_list_says_so(
    still_platform: RunningEmulator, variant: str
) -> None:
    """Beside what is typed: how many match, how many are loaded, and what loads the rest."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform, PROJECT), clock=FrozenClock()
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        loaded = driver.table.total_count
        assert loaded < TOTAL
        await driver.press("/")
        await driver.type("main")
        missing = f"{TOTAL - loaded:,} not loaded" if variant == "default" else "more not loaded"
        await driver.until(f"match · {missing}")
        assert "enter s search all  enter L load all" in driver.text
        await driver.press("enter")
        await driver.until(f"{missing} · s searches all · L loads all")


async def test_more_is_loaded_near_the_end(still_platform: RunningEmulator) -> None:
    """By itself, and not before."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform, PROJECT), clock=FrozenClock()
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        loaded = driver.table.total_count
        last = driver.table.shown_rows[-1].key
        await driver.press("pagedown")
        await driver.pilot.pause(0.3)
        assert driver.table.total_count == loaded
        await driver.press("G")
        await driver.wait(lambda: driver.table.total_count > loaded)
        assert driver.cursor == last


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_page_that_did_not_come_is_requested_again_at_the_last_row(
    relayed: RunningEmulator, *, leaves: bool
) -> None:
    """It failed, or the view was left while it was loading; a held key requests it once."""
    set_fault(relayed, "hang" if leaves else "server_error", path="[?&]page=2")
    start = pipelines_of(relayed, PROJECT)
    app = dashboard(Elsewhere(relayed.faults_url, relayed.token), start=start, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        loaded = driver.table.total_count
        await driver.press("G")
        if leaves:
            await driver.wait(lambda: any(one["struck"] for one in faults_of(relayed)))
            await driver.press("2")
            await driver.until_at("projects")
        else:
            await driver.until("retry")
        clear_faults(relayed)
        if leaves:
            await driver.press("left_square_bracket")
            await driver.until_at("pipelines")
        await driver.settle()
        assert driver.table.total_count == loaded
        await driver.press("j", "j")
        await driver.wait(lambda: driver.table.total_count > loaded)
        await driver.settle()
        assert driver.table.total_count <= loaded + 100


async def test_nothing_is_loaded_on_under_a_filter(still_platform: RunningEmulator) -> None:
    """The end of what matches says nothing about how far one has read."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform, PROJECT), clock=FrozenClock()
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        loaded = driver.table.total_count
        await driver.enter("/", "failed")
        await driver.until("/failed hides")
        before = number_of_newest_request(still_platform)
        await driver.press("G")
        await driver.pilot.pause(0.5)
        assert driver.table.total_count == loaded
        assert number_of_newest_request(still_platform) == before


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_the_whole_list_is_loaded_on_demand(still_platform: RunningEmulator) -> None:
    """`L`: hundred at a time, each page once; the filter then looks at all of them."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform, PROJECT), clock=FrozenClock()
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.enter("/", "failed")
        few = driver.table.shown_count
        before = number_of_newest_request(still_platform)
        await driver.press("L")
        await driver.wait(lambda: driver.table.total_count == TOTAL)
        assert driver.table.shown_count > few
        asked = [
            entry["path"]
            for entry in requests_of(still_platform, before)
            if "/pipelines?" in entry["path"]
        ]
        assert len(asked) == len(set(asked))
        assert len(asked) <= TOTAL / 100 + 1
        await driver.press("/")
        await driver.until(f"of {TOTAL}")
        assert "loads all" not in driver.text


async def test_what_is_loaded_whole_has_nothing_to_load(still_platform: RunningEmulator) -> None:
    """`L` is greyed where the list is complete."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.wait(lambda: driver.table.total_count == 60)
        before = number_of_newest_request(still_platform)
        await driver.press("L")
        await driver.pilot.pause(0.3)
        listed = [
            entry
            for entry in requests_of(still_platform, before)
            if entry["path"].startswith("/api/v4/projects?")
        ]
        assert listed == []
        assert driver.app.screen.check_action("run", ("list.load_all",)) is None


async def test_failed_only_and_sorting_name_what_is_not_loaded(
    still_platform: RunningEmulator, variant: str
) -> None:
    """They look at the loaded rows only, as a filter does."""
    start = pipelines_of(still_platform, PROJECT)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        assert "not loaded" not in driver.text
        missing = TOTAL - driver.table.total_count
        named = f"{missing:,} not loaded" if variant == "default" else "more not loaded"
        await driver.press("F")
        await driver.until(f"{named} · s searches all · L loads all")
        await driver.press("F")
        await driver.until(lambda text: "not loaded" not in text)
        await driver.press("S")
        await driver.until("Sort by")
        await driver.type("took, rev")
        await driver.press("enter")
        await driver.until(f"{named} · L loads all")


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_the_platform_is_searched_for_status_and_ref(
    still_platform: RunningEmulator,
) -> None:
    """`s` under a filter; esc shows all again, with the cursor on the row that was chosen."""
    start = pipelines_of(still_platform, PROJECT)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.enter("/", "failed main")
        await driver.until("s searches all")
        few = driver.table.shown_count
        await driver.press("s")
        await driver.until("found for “failed main”")
        await driver.wait(lambda: driver.table.total_count > few)
        texts = {(row.cells[0].text, row.cells[2].text) for row in driver.table.shown_rows}
        assert texts == {("✖ failed", "main")}
        await driver.press("j", "j")
        chosen = driver.cursor
        await driver.press("escape")
        await driver.wait(lambda: driver.table.total_count >= 100)
        assert driver.cursor == chosen
        await driver.enter("/", "no-such-ref")
        await driver.press("s")
        await driver.until("No pipelines found for “no-such-ref”.")


@pytest.mark.variants("default", reason="others have other scenarios")
async def test_projects_are_searched_on_the_platform(platform_with: PlatformFactory) -> None:
    """Of 5,000 projects 100 are loaded; `s` finds one of the others, `F` is no search."""
    platform = platform_with(scenario="big")
    async with driving(dashboard(platform, clock=StillClock()), size=(80, 24)) as driver:
        await driver.until_at("projects")
        loaded = {row.cells[1].text for row in driver.table.shown_rows}
        name = next(path for path in _paths(platform) if path not in loaded)
        await driver.press("F")
        await driver.until("4,900 not loaded · L loads all")
        await driver.until("status loaded for ")
        await driver.press("F", "tab", "down", "enter")
        await driver.until(lambda text: "4,900 not loaded" in text and "L loads" not in text)
        await driver.press("escape")
        await driver.until("100 of 5,000 projects")
        await driver.enter("/", name)
        await driver.until("4,900 not loaded · s searches all · L loads all")
        await driver.press("s")
        await driver.until(f"found for “{name}”")
        await driver.wait(lambda: driver.table.shown_count > 0)
        assert driver.table.cursor_row is not None
        assert name in driver.table.cursor_row.cells[1].text


@pytest.mark.variants("default", reason="others have other scenarios")
async def test_the_watch_list_offers_the_search_too(platform_with: PlatformFactory) -> None:
    """What it finds is added to the list: marks made before stay."""
    platform = platform_with(scenario="big")
    async with driving(dashboard(platform, clock=StillClock()), size=(80, 24)) as driver:
        await driver.until_at("projects")
        loaded = {row.cells[1].text for row in driver.table.shown_rows}
        name = next(path for path in _paths(platform) if path not in loaded)
        await driver.enter(":", "watch")
        await driver.until("4,900 not loaded · L loads all")
        await driver.until("marked ·")
        marked = len(driver.table.marks)
        await driver.enter("/", name)
        await driver.until("4,900 not loaded · s searches all, L loads all")
        await driver.until("s  search all      esc  clear the filter")
        await driver.press("s")
        await driver.until(f"found for “{name}”")
        await driver.wait(lambda: driver.table.shown_count > 0)
        await driver.press("g", "space", "escape")
        await driver.until(f"{marked + 1} of 5,000 marked")


@pytest.mark.parametrize("keys", [(), ("j",)])
async def test_the_cursor_goes_to_the_failed_job_unless_it_was_moved(keys: Sequence[str]) -> None:
    """Jobs come page by page, and which one failed is known with the last page."""
    release = asyncio.Event()
    jobs = [
        {"id": 1000 - at, "name": f"job {at}", "stage": "test", "status": "success"}
        for at in range(101)
    ]
    jobs[-1]["status"] = "failed"

    async def pages(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if "pipelines/5/jobs" not in heard.target:
            writer.write(answer({"id": 5, "status": "failed"} if "?" not in heard.target else []))
        elif "page=2" not in heard.target:
            writer.write(answer(jobs[:100], X_Next_Page="2"))
        else:
            await release.wait()
            writer.write(answer(jobs[100:], X_Next_Page=""))

    async with wire_server(pages) as server:
        start = Route("jobs", "acme/data", "data", pipeline=5)
        async with driving(dashboard(Elsewhere(server.url), start=start)) as driver:
            await driver.until_at("jobs")
            await driver.press(*keys)
            before = driver.cursor
            release.set()
            await driver.wait(lambda: driver.table.total_count == len(jobs))
            await driver.settle()
            assert driver.cursor == (before if keys else "900")


async def test_jobs_that_arrive_while_their_view_closes_change_nothing(
    still_platform: RunningEmulator,
) -> None:
    """Its widgets go one by one."""
    project, red = still_platform.project, failed_pipeline(still_platform)
    start = Route("jobs", project, project.rpartition("/")[2], pipeline=red)
    async with driving(dashboard(still_platform, start=start, clock=StillClock())) as driver:
        await driver.until_at("jobs")
        await driver.settle()
        body = driver.app.screen.query_one(JobsBody)
        arrived = Snapshot(body.listing, Source.LIVE, body.now)
        await body.table.remove()
        body._has_moved_cursor = False
        body.take(arrived)
        assert not body._has_moved_cursor


def _paths(platform: RunningEmulator) -> list[str]:
    """Return the names of the last projects of the list."""
    with api_client(platform) as client:
        page = client.get("projects", params={"page": 50, "per_page": 100})
    return [one["path"] for one in page.json()]
