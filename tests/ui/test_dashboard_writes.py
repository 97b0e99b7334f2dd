"""Writes as the user meets them: asked about, unlocked, followed, and told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock, FastClock
from tests.support.dashboard import Driver, dashboard, driving, pipelines_of
from tests.support.faults import clear_faults, set_fault
from tests.support.hand import SIGHT, Hand
from tests.support.platform import credentials
from tests.support.writes import (
    a_failed_one,
    at_work,
    go_to,
    showcase,
    started,
    status_of,
    writes_to,
)
from tests.texts.dialogs import CLOSE, EMPTY_PROJECT_NAME, INPUT_SAVED, NEW_PROJECT, PALETTE
from tests.texts.writes import RESULT_UNKNOWN

from platui.config.profile import Profile
from platui.config.profile_choice import SessionProfiles
from platui.config.settings import Options, Settings
from platui.ui.dialogs.form import FormDialog
from platui.ui.dialogs.inputs import TypedNameDialog
from platui.ui.dialogs.question import QuestionDialog

if TYPE_CHECKING:
    from platui.config.profile import Writes
    from platui.core.clock import Clock
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has the neighbours that are acted with")


# the question


async def test_a_question_names_profile_project_and_effect(desk: RunningEmulator) -> None:
    """A production profile says so in words, the first answer is No, and No sends nothing."""
    [key] = started(desk)
    before = writes_to(desk)
    async with at_work(desk, row=key, production=True, name="prod-eu") as (driver, hand):
        await hand.press("X")
        await hand.at(QuestionDialog)
        text = await driver.until("[ No ]")
        assert "PRODUCTION · prod-eu" in text
        assert f"Cancel pipeline #{key} main" in text
        assert f"in {desk.project}" in text
        assert "optional feature" in text
        await hand.press("enter")
        await driver.wait(lambda: not isinstance(driver.app.screen, QuestionDialog))
        await driver.rest()
    assert writes_to(desk) == before


@pytest.mark.parametrize("keys", [("y",), ("right", "enter"), ("tab", "enter")])
async def test_yes_does_it_and_tells_so(desk: RunningEmulator, keys: tuple[str, ...]) -> None:
    """By its key, or by going to it."""
    [key] = started(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await hand.press("X")
        await hand.at(QuestionDialog)
        await hand.press(*keys)
        await driver.until_told(f"Canceled pipeline #{key} main.")
        await driver.until(lambda text: "■ canceled" in text)
    assert status_of(desk, key) == "canceled"


async def test_no_key_answers_before_the_question_can_have_been_seen(
    desk: RunningEmulator,
) -> None:
    """What was typed ahead, in one piece or just after, is dropped; later it counts."""
    [key] = started(desk)
    before = writes_to(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await hand.press("X", "y", "right", "enter", "escape")
        await hand.at(QuestionDialog)
        await driver.until("[ No ]")
        hand.clock.jump(SIGHT - 0.01)
        await driver.press("y", "right", "enter", "escape")
        await driver.rest()
        assert "[ No ]" in driver.text
        assert writes_to(desk) == before
        hand.clock.jump(SIGHT)
        await driver.press("y")
        await driver.until_told("Canceled")


async def test_a_write_key_asks_where_the_screen_has_just_changed(desk: RunningEmulator) -> None:
    """It names the row under the cursor; an answer typed on sends nothing."""
    [key] = started(desk)
    before = writes_to(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await driver.press("enter")
        await driver.until_at("jobs")
        await driver.press("escape", "X", "y", "y")
        await hand.at(QuestionDialog)
        assert f"#{key}" in driver.text
        assert writes_to(desk) == before


async def test_the_request_stands_behind_a_key(desk: RunningEmulator) -> None:
    """As it will be sent, with the command that does the same."""
    [key] = started(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await hand.press("X")
        await hand.at(QuestionDialog)
        await hand.press("i")
        text = await driver.until("POST")
        assert f"{key}/cancel" in text
        assert f"platui --url {desk.base_url} cancel" in text
        await hand.press("i")
        await driver.until(lambda text: "POST" not in text)


# many


async def test_marked_rows_are_asked_about_once_and_done_in_order(desk: RunningEmulator) -> None:
    """Those for which it makes no sense are left out, and that is said."""
    keys = started(desk, 3)
    async with at_work(desk, row=keys[0]) as (driver, hand):
        await hand.press("space", "space", "space", "space")
        await driver.until("4 marked")
        await hand.press("X")
        await hand.at(QuestionDialog)
        text = await driver.until("Cancel 3 pipelines")
        assert all(f"Cancel pipeline #{key}" in text for key in keys)
        assert "1 other marked row is skipped" in text
        await hand.press("y")
        await driver.until_told("Canceled 3 pipelines.")
    assert [status_of(desk, key) for key in keys] == ["canceled"] * 3


# the lock


async def test_a_locked_profile_is_opened_by_its_name_and_asks_still(
    desk: RunningEmulator,
) -> None:
    """Another name opens nothing; the header counts down; U locks it again."""
    [key] = started(desk)
    async with at_work(desk, row=key, writes="locked", name="prod-eu") as (driver, hand):
        await hand.press("X")
        await hand.at(TypedNameDialog)
        await driver.until(f"For: Cancel pipeline #{key}")
        await driver.type("prod")
        await driver.press("enter")
        await driver.until("called prod-eu")
        await driver.type("-eu")
        await driver.press("enter")
        await hand.at(QuestionDialog)
        assert "unlocked 15m" in driver.text
        await hand.press("escape")
        await driver.wait(lambda: not isinstance(driver.app.screen, QuestionDialog))
        await hand.press("U")
        await driver.until(lambda text: "unlocked" not in text)
        await driver.until_told("locked.")


async def test_off_says_why_and_asks_nothing(desk: RunningEmulator) -> None:
    """The key is grey, and says what the profile has set."""
    [key] = started(desk)
    async with at_work(desk, row=key, writes="off") as (driver, hand):
        await hand.press("X")
        await driver.until_told("Writes are off in this profile")
        await hand.press("U")
        assert len(driver.app.screen_stack) == 1


@pytest.mark.parametrize("writes", ["off", "locked", "confirm"])
async def test_a_log_has_no_key_that_writes(desk: RunningEmulator, writes: Writes) -> None:
    """Not even the one that unlocks."""
    app = dashboard(desk, start=pipelines_of(desk), clock=FakeClock(), writes=writes)
    before = writes_to(desk)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("l")
        await driver.until_at("log")
        keys = [one.binding.id or "" for one in app.screen.active_bindings.values()]
        assert not [name for name in keys if name.startswith("write.")]
        await driver.press("X", "T", "P", "U", "N", "R")
        await driver.rest()
        assert driver.route.view == "log"
        assert len(app.screen_stack) == 1
    assert writes_to(desk) == before


# typed, or chosen from the palette


async def test_what_is_typed_asks_as_the_key_does(desk: RunningEmulator) -> None:
    """And says so where there is nothing to be done."""
    [key] = started(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await driver.enter(":", "retry")
        await driver.until_told("Nothing to retry: this pipeline is pending.")
        await driver.enter(":", "cancel")
        await hand.at(QuestionDialog)
        await hand.press("y")
        await driver.until_told("Canceled")
        await driver.enter(":", "write")
        await driver.until(f"✔ Done: pipeline #{key}")


async def test_the_palette_asks_as_the_key_does(desk: RunningEmulator) -> None:
    """What it lists is what the keys do."""
    [key] = started(desk)
    async with at_work(desk, row=key) as (driver, hand):
        await driver.press("ctrl+p")
        await driver.until(PALETTE)
        await driver.type("cancel this pip")
        await driver.press("enter")
        await hand.at(QuestionDialog)
        await driver.until(f"Cancel pipeline #{key}")


# jobs


async def test_a_job_is_retried_and_its_earlier_attempt_is_not(desk: RunningEmulator) -> None:
    """The new one has another id; the one before can no more be retried."""
    async with at_work(desk) as (driver, hand):
        await driver.press("enter")
        await driver.until_at("jobs")
        await driver.until("T retry")
        before = driver.cursor
        assert before is not None
        await hand.press("T")
        await hand.at(QuestionDialog)
        await driver.until(f"Retry job #{before}")
        await hand.press("y")
        await driver.until_told(f"Retried job #{before}")
        await driver.until("earlier attempt")
        assert driver.table.move_to(before)
        await driver.rest()  # the key keeps its place in the footer, greyed
        await hand.press("T")
        await driver.rest()
        assert not isinstance(driver.app.screen, QuestionDialog)


async def test_a_platform_without_it_says_so(narrow_platform: RunningEmulator) -> None:
    """One clear sentence, and nothing was changed; the next time it is not even asked about."""
    # Others start pipelines here as well: the newest need not be one that has failed.
    async with at_work(narrow_platform, row=a_failed_one(narrow_platform)) as (driver, hand):
        await hand.press("T")
        await hand.at(QuestionDialog)
        await hand.press("y")
        text = await driver.until("Not supported")
        assert "nothing was changed" in text
        await hand.press("escape")
        await driver.until_at("pipelines")
        await hand.press("T")
        await driver.until_told("Not supported")
        assert len(driver.app.screen_stack) == 1


# what may go wrong


async def test_marked_rows_stop_where_the_platform_refuses(relayed: RunningEmulator) -> None:
    """What was done, what was refused and what was not begun is told apart."""
    keys = started(relayed, 4)
    set_fault(relayed, "expired", method="POST", after=2)
    async with at_work(relayed, relayed=True, timeout=1.0, row=keys[0]) as (driver, hand):
        await hand.press("space", "space", "space", "space", "X")
        await hand.at(QuestionDialog)
        await hand.press("y")
        text = await driver.until("2 of 4 done, 1 refused, 1 not started")
        assert "Stopped: " in text
        assert text.count("✔ done") == 2
        assert text.count("✖ refused") == 1
    clear_faults(relayed)
    assert [status_of(relayed, key) for key in keys] == ["canceled"] * 2 + ["pending"] * 2


async def test_a_403_says_so_in_the_platforms_words(desk: RunningEmulator) -> None:
    """Nothing was changed, the rest is not begun, and the dialog stays until it is left."""
    keys = started(desk, 2)
    token = str(credentials(desk)["personal_read_only"])
    async with at_work(desk, row=keys[0], token=token) as (driver, hand):
        await hand.press("space", "space", "X")
        await hand.at(QuestionDialog)
        await hand.press("y")
        text = await driver.until("0 of 2 done, 1 refused, 1 not started")
        assert "scope" in text
        await hand.press("escape")
        await hand.press("escape", "up", "X")
        await hand.at(QuestionDialog)
        await hand.press("y")
        text = await driver.until("nothing was changed")
        assert "Not allowed" in text
        await driver.press("escape")
        await driver.until_at("pipelines")
    assert [status_of(desk, key) for key in keys] == ["pending"] * 2


async def asked_behind_faults(driver: Driver, key: str) -> None:
    """Open the question of canceling a pipeline, and look at it for long enough."""
    clock = driver.app.service.clock
    await driver.until_at("pipelines")
    await go_to(driver, key)
    await seen(driver, clock)
    await driver.press("X")
    await driver.until("[ No ]")
    await seen(driver, clock)


async def seen(driver: Driver, clock: Clock) -> None:
    """Look at the screen, by a clock that runs by itself."""
    since = clock.monotonic()
    await driver.wait(lambda: clock.monotonic() > since + 2 * SIGHT)


def cancellations(platform: RunningEmulator) -> int:
    """Return how many times a pipeline was to be canceled."""
    return sum(one["path"].endswith("/cancel") for one in writes_to(platform))


async def test_a_lost_answer_is_looked_for_and_told_as_likely(relayed: RunningEmulator) -> None:
    """It is never sent again, and what was found can be opened."""
    [key] = started(relayed)
    async with driving(showcase(relayed, FastClock(10), relayed=True, timeout=1.0)) as driver:
        await asked_behind_faults(driver, key)
        set_fault(relayed, "reset_before", method="POST", times=1)
        await driver.press("y")
        await driver.until(RESULT_UNKNOWN)
        text = await driver.until(f"enter open pipeline #{key}")
        assert "is canceled" in text
        await driver.press("enter")
        await driver.until_at("jobs")
        assert driver.route.pipeline == int(key)
    assert cancellations(relayed) == 1


async def test_a_write_that_is_left_to_itself_is_told_of(relayed: RunningEmulator) -> None:
    """Nobody knows what became of it: that is said as it is, and can be read again."""
    [key] = started(relayed)
    async with driving(showcase(relayed, FastClock(10), relayed=True, timeout=1.0)) as driver:
        await asked_behind_faults(driver, key)
        set_fault(relayed, "hang", method="POST", times=1, seconds=5)
        await driver.press("y")
        await driver.until("● Sent")
        await driver.press("escape", "escape")
        await driver.wait(lambda: driver.route.view == "projects")
        await driver.until_told("Result unknown")
        await driver.enter(":", "write")
        text = await driver.until(CLOSE)
        assert "may still appear" in text or "probably" in text
    assert cancellations(relayed) <= 1


async def test_a_429_is_waited_out_in_sight_and_can_be_canceled(relayed: RunningEmulator) -> None:
    """Canceling sends nothing; leaving, or another profile, is asked about while it waits."""
    [key] = started(relayed)
    before = writes_to(relayed)
    other = Profile("other", "http://127.0.0.1:1")
    board = SessionProfiles(Settings(profiles={"other": other}), {}, Options(), other)
    async with at_work(relayed, relayed=True, timeout=1.0, row=key, session_profiles=board) as (
        driver,
        hand,
    ):
        set_fault(relayed, "quota", method="POST", seconds=40)
        await hand.press("X")
        await hand.at(QuestionDialog)
        await hand.press("y")
        await driver.until("c cancel, nothing is sent")
        assert "Sending in" in driver.text
        await driver.press("escape")
        await driver.press("escape")
        await driver.wait(lambda: driver.route.view == "projects")
        await driver.press("q")
        await driver.until("Leave while a write is running?")
        await hand.press("n")
        await driver.enter(":", "profile other")
        await driver.until("Switch to other while a write is running?")
        await hand.press("n")
        await driver.enter(":", "write")
        await driver.until("c cancel, nothing is sent")
        await driver.press("c")
        await driver.until("Canceled by you: nothing was sent.")
        await driver.press("escape")
        await driver.wait(lambda: len(driver.app.screen_stack) == 1)
        await driver.press("q")
        await driver.wait(lambda: driver.app.return_code == 0)
    assert writes_to(relayed) == before


# a new project


async def test_a_new_project_is_made_and_opened(desk: RunningEmulator) -> None:
    """A name that is taken is refused in the platform's words, and what was typed stays."""
    clock = FakeClock()
    app = dashboard(desk, clock=clock, writes="confirm")
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("projects")
        await typed_project(hand)
        await driver.wait(lambda: driver.route.view == "pipelines")
        await driver.until("night run")
        await driver.until_told('"night run" created.')
        await driver.press("escape")
        await driver.until_at("projects")
        await typed_project(hand)
        text = await driver.until("nothing was changed")
        assert "taken" in text
        await driver.press("escape")
        text = await driver.until(lambda text: NEW_PROJECT in text and "taken" in text)
        assert "night run" in text
        assert "started at night" in text
        assert "[form fields]" in text
        await driver.press("escape")
        await driver.until_told(INPUT_SAVED)
        await hand.press("N")
        left = "not sent: name, description"
        await driver.until(lambda text: left in text and "night run" in text)
        await hand.press("up", "end", "c")
        await driver.until("Discard your input: name, description")
        await hand.press("y")
        await driver.until(lambda text: "night run" not in text and "[JSON]" in text)
    assert [one["path"] for one in writes_to(desk)] == ["/api/v4/projects"] * 2


async def test_a_hidden_form_keeps_the_width_of_its_errors(desk: RunningEmulator) -> None:
    """It is hidden below a question, while the error of the answer arrives."""
    clock = FakeClock()
    async with driving(dashboard(desk, clock=clock, writes="confirm")) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("projects")
        await hand.press("N")
        await driver.until(NEW_PROJECT)
        await hand.press("ctrl+enter")
        await driver.until(EMPTY_PROJECT_NAME)
        form = driver.app.screen
        assert isinstance(form, FormDialog)
        lines = form.form.view.cursor.lines
        form.add_class("-behind")
        await driver.rest()
        assert not form.form.view.size.width
        form.draw()
        assert form.form.view.cursor.lines == lines


async def typed_project(hand: Hand) -> None:
    """Fill in the form of a new project and say yes."""
    driver = hand.driver
    await hand.press("N")
    await driver.until(NEW_PROJECT)
    await hand.press("ctrl+enter")
    await driver.until(EMPTY_PROJECT_NAME)
    await driver.type("night run")
    await driver.press("tab")
    await driver.type("started at night")
    await driver.press("tab", "tab", "right")
    await driver.until("[form fields]")
    await hand.press("S")
    await hand.at(QuestionDialog)
    await driver.until('Create the project "night run"')
    await hand.press("y")
