"""Keys and commands that write: where they are offered, and what they say where they do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import STEP, lines
from tests.support.faults import set_fault
from tests.support.platform import api_client, in_project
from tests.support.writes import at_work, go_to, started, writes_to
from textual.events import Key

from platui.ui.active_keys import DEFAULT_KEYS
from platui.ui.dialogs.menu import Menu
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.screen_keys import actions_of, view_bindings
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.run.body import RunScreen

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.writes import WriteHand

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has the neighbours that are acted with")


async def says(driver: Driver, hand: WriteHand, key: str, words: str) -> None:
    """Press a key that has nothing to do, and read why."""
    driver.app.clear_notifications()
    await hand.press(key)
    await driver.until_told(words)
    assert len(driver.app.screen_stack) == 1


def is_lit(driver: Driver, key: str) -> bool:
    """Return whether the footer shows a key as one that works now, like that of the details."""
    screen = driver.app.screen
    assert isinstance(screen, ViewScreen)
    styles = {one.text.strip(): one.style for one in screen.footer.render_line(0)}
    return styles[key] == styles["d"]


async def test_a_key_with_nothing_to_do_says_why(desk: RunningEmulator) -> None:
    """In one line, of the row under the cursor, and nothing is sent."""
    [key] = started(desk)
    before = writes_to(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await says(driver, hand, "T", "Nothing to retry: this pipeline is pending.")
        await says(driver, hand, "P", "Nothing to play here: only for jobs.")
        green = next(row for row in driver.table.shown_rows if "success" in row.cells[0].text)
        await go_to(driver, green.key)
        await driver.wait(lambda: not is_lit(driver, "X"))
        await says(driver, hand, "X", "Nothing to cancel: this pipeline has ended (success).")
        await says(driver, hand, "T", "Nothing to retry: nothing failed in this pipeline.")
        await hand.press("space")
        await driver.until("1 marked")
        assert driver.cursor != green.key
        named = f"the marked pipeline #{green.key} has ended (success)."
        await says(driver, hand, "X", f"Nothing to cancel: {named}")
        await hand.press("space")
        await driver.until("2 marked")
        await says(driver, hand, "X", "Nothing to cancel: none of the 2 marked rows allows it.")
        await hand.press("escape", "enter")
        await driver.until_at("jobs")
        await says(driver, hand, "P", "Nothing to play: this job is not manual.")
        await driver.enter(":", "play")
        await driver.until_told("Nothing to play: this job is not manual.")
        await driver.enter(":", "write")
        await driver.until_told("No writes in this session. Earlier ones: platui audit")
    assert writes_to(desk) == before


async def test_the_footer_offers_what_the_row_allows_behind_what_opens_it(
    desk: RunningEmulator,
) -> None:
    """At 80 columns; what another row allows keeps its place, greyed, so that no key moves."""
    [key] = started(desk)
    async with at_work(desk, row=key) as (driver, _):
        await driver.until("enter open  l log  X cancel  T retry  d details ")
        footer = driver.text.splitlines()[-1]
        assert footer.rstrip().endswith("? help")
        await driver.wait(lambda: is_lit(driver, "X") and not is_lit(driver, "T"))
        red = next(row for row in driver.table.shown_rows if "failed" in row.cells[0].text)
        await go_to(driver, red.key)
        await driver.wait(lambda: is_lit(driver, "T") and not is_lit(driver, "X"))
        green = next(row for row in driver.table.shown_rows if "success" in row.cells[0].text)
        await go_to(driver, green.key)
        await driver.wait(lambda: not is_lit(driver, "T") and not is_lit(driver, "X"))
        assert driver.text.splitlines()[-1] == footer


async def test_retry_is_not_offered_where_nothing_failed(desk: RunningEmulator) -> None:
    """The footer leaves it out for a successful pipeline, but the key of a job still asks."""
    async with at_work(desk) as (driver, hand):
        green = next(row for row in driver.table.shown_rows if "success" in row.cells[0].text)
        await go_to(driver, green.key)
        await driver.press("enter")
        await driver.until_at("jobs")
        await driver.until("enter open  d details ")
        assert "T retry" not in driver.text
        job = driver.cursor
        await hand.press("T")
        await driver.until(f"Retry job #{job}")


async def test_marks_are_taken_off_what_was_done(relayed: RunningEmulator) -> None:
    """What was refused, or not begun, keeps its mark to be tried again."""
    keys = started(relayed, 3)
    async with at_work(relayed, row=keys[0], relayed=True) as (driver, hand):
        set_fault(relayed, "expired", method="POST", after=1)
        await hand.press("space", "space", "space", "X")
        await hand.answer_yes()
        await driver.until("1 of 3 done, 1 refused, 1 not started")
        await hand.press("escape")
        await driver.until("2 marked")
        assert driver.table.marks == frozenset(keys[1:])


async def test_an_attempt_that_was_tried_again_loses_its_mark(desk: RunningEmulator) -> None:
    """The next key acts on nothing old."""
    async with at_work(desk) as (driver, hand):
        await hand.press("enter")
        await driver.until_at("jobs")
        await driver.until("T retry")
        await hand.press("space")
        await driver.until("1 marked")
        await hand.press("T")
        await hand.answer_yes()
        await driver.until_told("Retried job")
        await driver.until(lambda text: "marked" not in text)
        assert not driver.table.marks


async def test_what_was_run_now_is_the_last_run_at_once(platform_with: PlatformFactory) -> None:
    """As soon as the platform has started it, long before its turn to be looked at comes."""
    platform_time = FakeClock()
    desk = platform_with(clock=platform_time)
    form = {"description": "Weekly audit", "ref": "main", "cron": "0 1 * * 5"}
    with api_client(desk) as api:
        made = api.post(in_project(desk, "pipeline_schedules"), data=form).json()["id"]
    async with at_work(desk, "schedules", row=made) as (driver, hand):

        async def until_last_run(words: str) -> None:
            """Let time go on, by less than a turn."""
            for _ in range(40):
                if any("Weekly audit" in line and words in line for line in lines(driver.app)):
                    return
                platform_time.jump(0.3)
                await hand.clock.advance(0.3)
                await driver.pilot.pause(STEP)
            raise AssertionError(driver.text)

        await until_last_run("never ran")
        await hand.press("R")
        await hand.answer_yes()
        await driver.until_told("Ran schedule")
        await driver.wait(lambda: len(driver.app.screen_stack) == 1)
        await until_last_run("pending")


async def test_the_acts_can_be_typed_and_found_in_the_palette(desk: RunningEmulator) -> None:
    """By the names that the keys have."""
    async with at_work(desk) as (driver, hand):
        for typed, says in (("rerun", "Rerun"), ("start", "Run a pipeline")):
            await driver.enter(":", typed)
            await driver.wait(lambda: isinstance(driver.app.screen, RunScreen), wanted=typed)
            await driver.until(says)
            await hand.press("escape")
            await driver.until_at("pipelines")
        await driver.enter(":", "trigger")
        await driver.until("type or paste one")
        await hand.press("escape")
        await driver.until_at("pipelines")
        for words in ("rerun", "trigger", "retry"):
            await driver.press("ctrl+p")
            await hand.at(Menu)
            await driver.type(words)
            await driver.wait(lambda: driver.table.cursor_key is not None, wanted=words)
            await driver.press("escape")
            await driver.until_at("pipelines")
        await driver.press("ctrl+p")
        await hand.at(Menu)
        await driver.type("with a trigger token")
        await driver.press("enter")
        await driver.until("type or paste one")


async def test_projects_have_nothing_to_run_again(desk: RunningEmulator) -> None:
    """Typed, it says where there is; no key, footer or help names it."""
    async with at_work(desk, "projects") as (driver, _):
        await driver.enter(":", "rerun")
        await driver.until_told("Select a pipeline first.")
        assert driver.route.view == "projects"
        assert "rerun" not in driver.text.splitlines()[-1]
        active = {one.binding.id for one in driver.app.screen.active_bindings.values()}
        assert "write.run" in active
        assert "write.rerun" not in active
        named = {one.id for one in actions_of(view_bindings("projects"), DEFAULT_KEYS)}
        assert "write.run" in named
        assert "write.rerun" not in named


@pytest.mark.parametrize("view", ["pipelines", "schedules"])
async def test_off_offers_nothing_that_writes(desk: RunningEmulator, view: str) -> None:
    """Neither in the footer nor in the palette, nor where one types."""
    async with at_work(desk, view, writes="off") as (driver, hand):
        assert await driver.until("/ filter")
        for words in (" run", "rerun", "cancel", "retry", "new"):
            assert words not in driver.text.splitlines()[-1]
        await hand.press("R")
        await driver.until_told("Writes are off in this profile (writes = off in config.toml).")
        assert driver.told.count("Writes are off") == 1  # its title would only say it again
        offered = [word for word, _ in driver.app.commands()]
        assert not {"run", "trigger", "rerun", "cancel", "unlock", "write"} & set(offered)
        await driver.press("ctrl+p")
        menu = driver.app.screen
        assert isinstance(menu, Menu)
        assert not [item for item in menu._items if item.value.startswith("write")]


async def test_keys_right_after_entering_a_view_count(desk: RunningEmulator) -> None:
    """Forms and questions open at once; an answer before its question was seen does not count."""
    [key] = started(desk)
    before = writes_to(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await hand.press("2")
        await driver.until_at("projects")
        await driver.press("3")
        await driver.until_at("pipelines")
        await driver.press("T", "y")
        await hand.at(QuestionDialog)
        await hand.press("escape")
        await driver.press("t")
        await driver.wait(lambda: isinstance(driver.app.screen, RunScreen))
        await hand.press("escape")
        await driver.until_at("pipelines")
        await driver.press("R")
        await driver.until("Rerun")
    assert writes_to(desk) == before


@pytest.mark.parametrize(
    ("keys", "words"), [("5N", "New schedule"), ("5/zq", "0 of "), ("3/zq", "0 match")]
)
async def test_keys_typed_while_a_view_opens_act_on_it(
    desk: RunningEmulator, keys: str, words: str
) -> None:
    """They are not lost: the first key makes the view, the others use it."""
    [key] = started(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await hand.press("4")
        await driver.until_at("jobs")
        for one in keys:
            driver.app.post_message(Key("slash" if one == "/" else one, one))
        await driver.until(words)
