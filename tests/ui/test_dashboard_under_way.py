"""A write that is under way is seen from everywhere, and the same is not sent a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.faults import clear_faults, set_fault
from tests.support.writes import at_work, started, writes_to
from tests.texts.writes import RESULT_UNKNOWN, SENDS_AGAIN

from platui.ui.dialogs.question import QuestionDialog
from platui.ui.dialogs.write_task import WriteTaskDialog
from platui.ui.screens.run.body import RunScreen

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.writes import WriteHand

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has the neighbours that are acted with")

STARTING = "Starting a pipeline on main in acme/"


async def ask_to_start(driver: Driver, hand: WriteHand) -> None:
    """Open the run form on the default branch, and send it as far as the question."""
    await hand.press("t")
    await driver.wait(lambda: isinstance(driver.app.screen, RunScreen))
    await driver.until("default branch")
    await hand.press("S")


async def start(driver: Driver, hand: WriteHand) -> None:
    """Start a pipeline, and look at how that goes."""
    await ask_to_start(driver, hand)
    await hand.answer_yes()
    await hand.at(WriteTaskDialog)


def starts(platform: RunningEmulator) -> int:
    """Return how many times a pipeline was to be started."""
    paths = (one["path"].partition("?")[0] for one in writes_to(platform))
    return sum(path.endswith("/pipeline") for path in paths)


async def test_the_same_is_not_sent_while_it_is_under_way(relayed: RunningEmulator) -> None:
    """Over a slow line: it is seen from every view, and refused by name; another one may go."""
    before = starts(relayed)
    async with at_work(relayed, relayed=True, timeout=30.0) as (driver, hand):
        set_fault(relayed, "latency", method="POST", seconds=60.0)
        await start(driver, hand)
        await driver.until("● Sent")
        assert STARTING not in driver.text
        await hand.press("escape")
        await driver.until(STARTING)
        hand.clock.jump(12)
        await hand.press("S")
        await driver.until_told("Already running for 1")
        await driver.until_told("starting a pipeline on main in acme/")
        assert isinstance(driver.app.screen, RunScreen)
        await hand.press("escape")
        await driver.until_at("pipelines")
        await driver.until(lambda text: STARTING in text and " s  :write shows it" in text)
        await hand.press("T")
        await hand.at(QuestionDialog)
        await hand.press("n", "l")
        await driver.until_at("log")
        await driver.until(STARTING)
        await driver.enter(":", "write")
        await hand.at(WriteTaskDialog)
        assert STARTING not in driver.text
    assert starts(relayed) <= before + 1


async def test_the_same_is_doubted_after_an_unknown_outcome(relayed: RunningEmulator) -> None:
    """The question names what may have happened, until the same was done."""
    async with at_work(relayed, relayed=True, timeout=1.0) as (driver, hand):
        set_fault(relayed, "reset_before", method="POST", times=1)
        await start(driver, hand)
        await driver.until(RESULT_UNKNOWN)
        await driver.until("enter open pipeline #")
        await hand.press("escape")
        await driver.wait(lambda: isinstance(driver.app.screen, RunScreen))
        await hand.press("S")
        await hand.at(QuestionDialog)
        text = " ".join((await driver.until(SENDS_AGAIN)).replace("│", " ").split())
        assert "Already sent" in text
        assert "on main, started by you: probably yours" in text
        await hand.press("y")
        await driver.until_at("jobs")
        await driver.until_told(f"Pipeline #{driver.route.pipeline} started on main in acme/")
        await hand.press("escape")
        await driver.until_at("pipelines")
        await ask_to_start(driver, hand)
        await hand.at(QuestionDialog)
        assert SENDS_AGAIN not in await driver.until("[ No ]")
    assert starts(relayed) == 2


async def test_what_waits_is_counted_down_and_canceled_in_one_step(
    relayed: RunningEmulator,
) -> None:
    """From wherever one is by then; several are chosen from."""
    keys = started(relayed, 2)
    before = writes_to(relayed)
    async with at_work(relayed, row=keys[0], relayed=True) as (driver, hand):
        set_fault(relayed, "quota", method="POST", seconds=40)
        await hand.press("X")
        await hand.answer_yes()
        await driver.until("Sending in")
        await hand.press("escape")
        await driver.until(f"◷ Canceling pipeline #{keys[0]}")
        await driver.until(":write  :write cancel")
        first = driver.text.split("sending in ")[1].split()[0]
        hand.clock.jump(5)
        await driver.until(lambda text: f"sending in {int(first) - 5} s" in text)
        await hand.press("X")
        await driver.until_told("Already waiting, sending in")
        await hand.press("down", "X")
        await hand.answer_yes()
        await driver.until("Sending in")
        await hand.press("escape")
        await driver.until("2 running")
        await driver.enter(":", "write")
        await driver.until("Running writes")
        await hand.press("escape")
        await driver.enter(":", "write cancel")
        await driver.until("Choose a write to cancel")
        await hand.press("enter")
        await driver.until_told("Not sent")
        await driver.until(f"◷ Canceling pipeline #{keys[1]}")
        await driver.enter(":", "write cancel")
        await driver.until(lambda text: "Canceling" not in text)
        await driver.enter(":", "write cancel")
        await driver.until_told("No unsent requests.")
        clear_faults(relayed)
    assert writes_to(relayed) == before
