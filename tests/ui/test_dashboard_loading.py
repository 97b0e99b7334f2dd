"""Lists that are longer than what is loaded: said, loaded on, loaded whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.service import requests_of

if TYPE_CHECKING:
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
        counted = f"{loaded} of {TOTAL} loaded" if variant == "default" else f"{loaded} loaded"
        await driver.until(counted)
        assert "L loads all" in driver.text


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
