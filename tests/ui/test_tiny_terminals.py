"""A terminal may be of any size: nothing breaks where nothing fits, and all is back afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.dashboard import driving
from tests.support.frozen import FrozenClock
from tests.support.writes import showcase

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui_emulator.server import RunningEmulator

TINY: Final = ((5, 2), (1, 1), (3, 30), (120, 1), (6, 3), (2, 2), (40, 2), (4, 24), (12, 6))

PLACES: Final = {
    "pipelines": (),
    "details": ("d",),
    "filter": ("/", "m"),
    "sort menu": ("S",),
    "help": ("?",),
    "command line": (":", "j"),
    "jump": ("ctrl+p", "d"),
    "run form": ("t",),
    "confirmation": ("T",),
    "rerun": ("R",),
    "jobs": ("enter",),
    "log": ("l",),
    "log search": ("l", "/", "e"),
    "menu": ("m",),
    "copy menu": ("y",),
    "triage": ("1",),
    "projects": ("2",),
    "commits": ("5",),
    "schedules": ("4",),
    "new schedule": ("4", "N"),
    "access": ("6",),
    "raw": ("J",),
    "changes": ("C",),
    "artifacts": ("enter", "D"),
    "note": ("1", "n"),
    "broken since": ("b",),
    "requests": ("Q",),
    "compare": ("enter", "="),
}


def below_header(text: str) -> list[str]:
    """Return the lines below the one that counts requests.

    Without numbers and the scrollbar: a list loads its next page while it is looked at.
    """
    return [line.rstrip(" █▁▂▃▄▅▆▇") for line in re.sub(r"\d", "0", text).splitlines()[1:]]


async def at_rest(driver: Driver) -> list[str]:
    """Return what is shown at last; a message would leave after its seconds."""
    await driver.settle()
    if driver.told:
        driver.app.clear_notifications()
        await driver.settle()
    return below_header(driver.text)


@pytest.mark.parametrize("place", PLACES)
async def test_every_place_survives_every_size(still_platform: RunningEmulator, place: str) -> None:
    """Shrunk, grown again, it shows what it showed."""
    async with driving(showcase(still_platform, FrozenClock())) as driver:
        await driver.until_at("pipelines")
        for key in PLACES[place]:
            await driver.press(key)
            await driver.settle()
        before = await at_rest(driver)
        for size in TINY:
            await driver.pilot.resize_terminal(*size)
            await driver.pilot.pause()
            await driver.press("down")
            await driver.press("up")
        await driver.pilot.resize_terminal(80, 24)
        assert await at_rest(driver) == before


@pytest.mark.parametrize("size", TINY)
@pytest.mark.parametrize("view", ["pipelines", "triage", "schedules", "access"])
async def test_it_starts_at_any_size(
    still_platform: RunningEmulator, view: str, size: tuple[int, int]
) -> None:
    """And keys still do what they do."""
    async with driving(showcase(still_platform, FrozenClock(), view), size) as driver:
        await driver.until_route(view)
        await driver.press("j", "?", "escape", "enter")
        await driver.pilot.resize_terminal(80, 24)
        await driver.settle()
        assert driver.text.strip()


async def test_messages_that_do_not_fit_bring_no_scrollbar(still_platform: RunningEmulator) -> None:
    """It would cover the footer."""
    async with driving(showcase(still_platform, FrozenClock()), (20, 6)) as driver:
        await driver.until_at("pipelines")
        for number in range(3):
            driver.app.notify(f"Message {number} has several words.", severity="warning")
        await driver.until_told("Message 2")
        await driver.pilot.pause()
        assert not driver.app.screen.show_vertical_scrollbar
