"""After a write, the rows that it concerns show what is going on until it is over."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import PATIENCE, dashboard, driving, pauses
from tests.support.faults import set_fault
from tests.support.frozen import NIGHT
from tests.support.platform import api_client, in_project
from tests.support.writes import WriteHand, a_failed_one, at_work, go_to, showcase, started
from tests.texts.writes import RESULT_UNKNOWN

from platui.models.values.routes import Route
from platui.models.wire import Pipeline
from platui.ui.screens.schedules.body import SchedulesBody

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has the neighbours that are acted with")


@asynccontextmanager
async def at_desk(
    platform_with: PlatformFactory, view: str = "pipelines"
) -> AsyncIterator[tuple[Driver, WriteHand, RunningEmulator]]:
    """Open a list of the showcase on a platform that shares the clock of the dashboard."""
    clock = FakeClock()
    platform = platform_with(clock=clock)
    async with driving(showcase(platform, clock, view)) as driver:
        await driver.until_at(view)
        yield driver, WriteHand(driver, clock), platform


async def passes(driver: Driver, hand: WriteHand, words: str, step: float = 15) -> str:
    """Let time pass until the screen matches; return the text that does."""
    for pause in pauses(PATIENCE):
        if found := re.search(words, driver.text):
            return found.group()
        await hand.clock.advance(step)
        await driver.pilot.pause(pause)
    raise AssertionError(f"{words} never appeared\n{driver.text}")


async def test_a_retried_pipeline_shows_its_state_then_its_result(
    platform_with: PlatformFactory,
) -> None:
    """In the list of pipelines, below the row, until minutes after the end."""
    async with at_desk(platform_with) as (driver, hand, platform):
        key = a_failed_one(platform)
        await go_to(driver, key)
        await hand.press("T")
        await hand.answer_yes()
        await driver.until("retrying · ")
        result = await passes(driver, hand, r"retried · \w+ \d+\w+")
        with api_client(platform) as api:
            ended = api.get(in_project(platform, f"pipelines/{key}")).json()["status"]
        assert result.startswith(f"retried · {ended} ")
        # The column TOOK of the row, once the list is polled again.
        await passes(driver, hand, rf"#{key} .* {result.split()[-1]}")
        await hand.clock.advance(20 * 60)
        await hand.press("r")
        await driver.until(lambda text: "retried" not in text)


async def test_a_retried_job_shows_its_new_attempt(platform_with: PlatformFactory) -> None:
    """Below the newest attempt only, and with its name below its pipeline."""
    async with at_desk(platform_with) as (driver, hand, platform):
        await go_to(driver, a_failed_one(platform))
        await hand.press("enter")
        await driver.until_at("jobs")
        await hand.press("T")
        await hand.answer_yes()
        await driver.until("(earlier attempt)")
        await driver.until(lambda text: text.count("retrying · ") == 1)
        assert re.search(r"retrying · .*\n.*\(earlier attempt\)", driver.text)
        await hand.press("escape")
        await driver.until_at("pipelines")
        await driver.until("retrying ")
        await passes(driver, hand, r"retried \w+ · \w+ \d+\w+")


async def test_a_canceled_pipeline_says_so(platform_with: PlatformFactory) -> None:
    """The result is the status that the platform reports."""
    async with at_desk(platform_with) as (driver, hand, platform):
        [key] = started(platform)
        await hand.press("r")
        await go_to(driver, key)
        await hand.press("X")
        await hand.answer_yes()
        await passes(driver, hand, r"cancel requested · canceled")


async def test_a_schedule_run_now_leads_to_its_pipeline(platform_with: PlatformFactory) -> None:
    """The response does not name the pipeline; it is found, and followed to its end."""
    async with at_desk(platform_with, "schedules") as (driver, hand, _):
        await hand.press("R")
        await hand.answer_yes()
        await driver.until("run now · ")
        await passes(driver, hand, r"run now · (running|pending|created) \d+\w+")
        await passes(driver, hand, r"run now · (success|failed) \d+\w+")


async def test_the_last_run_of_a_schedule_is_as_new_as_the_line_below_it(
    platform_with: PlatformFactory,
) -> None:
    """Both are polled separately; the row said pending, and the line below it running."""
    async with at_desk(platform_with, "schedules") as (driver, hand, _):
        await hand.press("R")
        await hand.answer_yes()
        await passes(driver, hand, r"run now · (running|pending|created) \d+\w+")
        effects = driver.app.service.write_effects
        of, effect = next(one for one in effects.value.items() if one[0][0] == "schedule")
        assert isinstance(effect.record, Pipeline)
        newer = effect.record.model_copy(update={"status": "running", "sha": "another"})
        effects.set({of: replace(effect, record=newer)})
        runs = driver.app.screen.query_one(SchedulesBody).runs
        assert runs.last(str(of[1])) is newer
        effects.set({of: replace(effect, record=newer, is_lost=True)})
        assert runs.last(str(of[1])) is not newer


async def test_a_rerun_is_shown_below_the_pipeline_that_was_run_again(
    platform_with: PlatformFactory,
) -> None:
    """With the number of the new pipeline, and the typical duration of its ref."""
    async with at_desk(platform_with) as (driver, hand, platform):
        await go_to(driver, key := a_failed_one(platform))
        await hand.press("R")
        await driver.until_route("run")
        await driver.until("Filled in from the variables of")
        await hand.press("S")
        await hand.answer_yes()
        await driver.until_at("jobs")
        new = driver.route.pipeline
        await hand.press("escape")
        await driver.until_at("pipelines")
        await go_to(driver, key)
        await driver.until(lambda text: text.count(f"rerun #{new} · ") == 1)
        await driver.until(lambda text: text.count(f"rerun of #{key} · ") == 1)
        await passes(driver, hand, rf"rerun #{new} · running \d+\w+ of ~\d+\w+")


async def test_an_old_attempt_names_the_newest(platform_with: PlatformFactory) -> None:
    """Its log says which attempt it is; a key opens the newest, and from there the one before."""
    async with at_desk(platform_with) as (driver, hand, platform):
        await go_to(driver, a_failed_one(platform))
        await hand.press("enter")
        await driver.until_at("jobs")
        old = driver.cursor
        await hand.press("l")
        await driver.until_at("log")
        await hand.press("a")
        await driver.until_told("This job has no other attempt.")
        await hand.press("escape")
        await driver.until_at("jobs")
        await hand.press("T")
        await hand.answer_yes()
        await driver.until("(earlier attempt)")
        await go_to(driver, old or "")
        await hand.press("l")
        await driver.until("attempt 1 of 2, a opens the newest")
        await hand.press("a")
        await driver.wait(lambda: str(driver.route.job) != old)
        await passes(driver, hand, "attempt 2 of 2")
        await hand.press("a")
        await driver.wait(lambda: str(driver.route.job) == old)
        await driver.until("attempt 1 of 2")


async def test_a_retried_incident_shows_it_on_the_board(platform_with: PlatformFactory) -> None:
    """Below the row of the incident, without waiting for the board; then the result."""
    clock = FakeClock(NIGHT)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=Route("triage"), clock=clock, writes="confirm")
    await app.service.triage_state.watch([103])
    async with driving(app, (120, 40)) as driver:
        hand = WriteHand(driver, clock)
        await passes(driver, hand, "5 incidents with the same cause", 1)
        await hand.press("T")
        await hand.answer_yes()
        await driver.until("5 retried · ")
        await hand.press("right")
        await driver.until(lambda text: text.count("retrying · ") == 5)
        await passes(driver, hand, r"retried · \w+ \d+\w+")


async def test_a_write_whose_answer_was_lost_is_followed(relayed: RunningEmulator) -> None:
    """The pipeline was canceled, as the platform shows; its row says so."""
    [key] = started(relayed)
    async with at_work(relayed, row=key, relayed=True, timeout=1.0) as (driver, hand):
        set_fault(relayed, "reset_before", method="POST", times=1)
        await hand.press("X")
        await hand.answer_yes()
        await driver.until(RESULT_UNKNOWN)
        await driver.until(f"enter open pipeline #{key}")
        await hand.press("escape")
        await passes(driver, hand, r"cancel requested · canceled")


async def test_a_write_that_may_not_have_arrived_is_followed(relayed: RunningEmulator) -> None:
    """The row shows that the result is unknown, and what the platform says of the pipeline."""
    [key] = started(relayed)
    async with at_work(relayed, row=key, relayed=True, timeout=1.0) as (driver, hand):
        set_fault(relayed, "server_error", method="POST", times=1, status=502)
        await hand.press("X")
        await hand.answer_yes()
        await driver.until(RESULT_UNKNOWN)
        await hand.press("escape")
        await passes(driver, hand, r"canceling, result unknown · (pending|running) \d+\w+", step=2)
