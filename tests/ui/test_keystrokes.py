"""How many keys the tasks of a night take, from the board where the dashboard opens."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Driver, dashboard, driving
from tests.support.hand import Hand

from platui.cli.commands.demo.reports import import_past_reports
from platui.core.paths import state_dir
from platui.models.values.routes import Route
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it is about what is broken there")

WATCHED: Final = (101, 103, 106)
"""Projects: a cause with five incidents, one alone, and some that recovered."""


class SteppedClock(FakeClock):
    """Waits for real, and can be moved on, so that a screen counts as seen."""

    def monotonic(self) -> float:
        """Return real seconds, and those it was moved on."""
        return time.monotonic() + self._elapsed

    async def sleep(self, seconds: float) -> None:
        """Wait for real."""
        await asyncio.sleep(max(0.0, seconds))


class CountingHand(Hand):
    """Presses what a user sees, and counts the keys; a typed text is no key."""

    def __init__(self, driver: Driver, clock: SteppedClock) -> None:
        super().__init__(driver, clock)
        self.count = 0

    async def press(self, *keys: str) -> None:
        """Look before each key."""
        for key in keys:
            await super().press(key)
        self.count += len(keys)

    async def type(self, text: str) -> None:
        """Type a name or a value."""
        await self.driver.type(text)


@asynccontextmanager
async def at_the_board(platform: RunningEmulator) -> AsyncIterator[tuple[Driver, CountingHand]]:
    """Open the dashboard on the board, with each cause known."""
    clock = SteppedClock()
    app = dashboard(
        platform,
        start=Route("triage"),
        clock=clock,
        writes="confirm",
        terminal=Terminal(usable=True, has_window=False),  # copies into a file
        admin_url=platform.admin_url,
        admin_key=platform.admin_key,
        prepare_reports=import_past_reports,
    )
    await app.service.triage_state.watch(WATCHED)
    async with driving(app) as driver:
        await driver.until(lambda text: "● live" in text and " cause" in text and "? help" in text)
        await driver.until(lambda text: "loading" not in text, 60)
        yield driver, CountingHand(driver, clock)


@pytest.fixture
def night(platform_with: PlatformFactory) -> RunningEmulator:
    """Run the company at one moment of a night."""
    return platform_with(clock=FakeClock())


async def test_what_is_broken_takes_no_key(night: RunningEmulator) -> None:
    """The board opens with it: how many, where, since when and why."""
    async with at_the_board(night) as (driver, hand):
        assert " broken (" in driver.text
        assert "Database Error in model" in driver.text
        assert hand.count == 0


async def test_the_log_at_its_error_takes_one_key(night: RunningEmulator) -> None:
    """Enter opens the log of the failed job, at the cause."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("enter")
        await driver.until_at("log")
        await driver.until("ERROR: Job failed")
        assert hand.count == 1


async def test_what_changed_takes_one_key(night: RunningEmulator) -> None:
    """`b` compares with the last successful run."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("b")
        await driver.until_route("since")
        await driver.until("LAST SUCCESS")
        assert hand.count == 1


async def test_a_comparison_with_the_last_success_takes_two_keys(night: RunningEmulator) -> None:
    """The log, and from there the comparison."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("enter")
        await driver.until_at("log")
        await hand.press("c")
        await driver.until_route("compare")
        assert hand.count == 2


async def test_an_acknowledgement_takes_one_key(night: RunningEmulator) -> None:
    """It is kept until the cause changes."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("a")
        await driver.wait(lambda: bool(driver.app.service.triage_state.memory.value.marks))
        assert hand.count == 1


async def test_a_handoff_takes_one_key(night: RunningEmulator) -> None:
    """It is copied as Markdown."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("e")
        await driver.wait((state_dir() / "copied.txt").exists, wanted="the copy")
        assert hand.count == 1


async def test_a_retry_takes_two_keys(night: RunningEmulator) -> None:
    """The key and the answer to its question."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("T")
        await hand.at(QuestionDialog)
        await hand.press("y")
        await driver.until_told("Retried")
        assert hand.count == 2


async def test_a_run_with_a_variable_takes_five_keys(night: RunningEmulator) -> None:
    """The form, a variable, and the answer to the question, besides the variable itself."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("t")
        await driver.until_route("run")
        await driver.until("VARIABLES")
        await hand.press("a")
        await hand.type("FULL_REFRESH=true")
        await hand.press("enter", "S")
        await hand.at(QuestionDialog)
        await hand.press("y")
        await driver.until_told("started")
        assert hand.count == 5


async def test_a_project_takes_two_keys_and_its_name(night: RunningEmulator) -> None:
    """From everywhere, also one that is not watched."""
    async with at_the_board(night) as (driver, hand):
        await hand.press(":")
        await hand.type("treasury")
        await driver.until("▸ project   treasury-cash")
        await hand.press("enter")
        await driver.until_at("pipelines")
        assert hand.count == 2


async def test_who_owns_a_project_takes_four_keys_and_its_name(night: RunningEmulator) -> None:
    """The access report, its projects, a search; the members are beside the project found."""
    async with at_the_board(night) as (driver, hand):
        await hand.press("6")
        await driver.until(" memberships", 60)
        await hand.press("tab", "/")
        await hand.type("warehouse-core")
        await hand.press("enter")
        await driver.until("OWNER")
        assert hand.count == 4
