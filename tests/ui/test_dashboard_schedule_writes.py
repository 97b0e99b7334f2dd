"""Schedules made, changed, run, taken over and deleted: after a question, once, and on record."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import driving
from tests.support.platform import api_client, in_project
from tests.support.writes import WriteHand, at_work_with, go_to, showcase, writes_to
from tests.texts.dialogs import INPUT_SAVED
from tests.texts.screens import NO_SCHEDULE_LIST

from platui.present.schedules.variables import ADD
from platui.service.writes.task import WriteTask
from platui.ui.dialogs.form import FormDialog
from platui.ui.dialogs.form_content import ScheduleContent
from platui.ui.dialogs.inputs import TypedNameDialog
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.dialogs.write_task import WriteTaskDialog
from platui.ui.screens.schedules.body import SchedulesBody
from platui.ui.widgets.field_input import FieldInput

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui.service.writes.write_service import WriteService
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has the neighbours that are acted with")


class FormHand(WriteHand):
    """A hand that also fills in forms."""

    async def fill(self, field: str, text: str) -> None:
        """Go to a field of the form and type over it; a ref is pasted, which opens no list."""
        form = self.form
        form.form.view.go_to(field)
        if field == "ref":
            await self.driver.paste(text)
        else:
            await self.driver.type(text)
            await self.driver.press("enter")
        await self.driver.wait(lambda: not form.form.view.is_typing)

    @property
    def form(self) -> FormDialog:
        """Return the form in front."""
        front = self.driver.app.screen
        assert isinstance(front, FormDialog)
        return front

    async def send(self) -> None:
        """Go to where letters are keys, and send it."""
        self.form.form.view.go_to("active")
        await self.press("S")


def schedules_of(
    platform: RunningEmulator, **options: Any
) -> AbstractAsyncContextManager[tuple[Driver, FormHand]]:
    """Open the dashboard on the showcase's schedules."""
    return at_work_with(FormHand, platform, "schedules", **options)


def made(platform: RunningEmulator, **fields: str) -> int:
    """Make a schedule as the token's owner; return its id."""
    form = {"description": "Weekly audit", "ref": "main", "cron": "0 1 * * 5", **fields}
    with api_client(platform) as api:
        return int(api.post(in_project(platform, "pipeline_schedules"), data=form).json()["id"])


def schedules(platform: RunningEmulator) -> dict[int, dict[str, Any]]:
    """Return the schedules of the showcase by id, as the platform says."""
    with api_client(platform) as api:
        found = api.get(in_project(platform, "pipeline_schedules")).json()
        return {int(one["id"]): one for one in found}


def sent(platform: RunningEmulator) -> list[tuple[str, int]]:
    """Return method and status of every request that was no GET."""
    return [(one["method"], one["status"]) for one in writes_to(platform)]


async def test_a_schedule_is_made(desk: RunningEmulator) -> None:
    """Its meaning is told while it is typed; it is asked about, and sent once."""
    before = set(schedules(desk))
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        await hand.fill("description", "Weekly audit")
        await hand.fill("ref", "main")
        await hand.fill("cron", "30 2 * * 0")
        await hand.fill("zone", "Berlin")
        await driver.until("at 02:30 every Sunday")
        assert "clock change skips" in driver.text
        await hand.send()
        await driver.until('Create the schedule "Weekly audit"')
        await hand.answer_yes()
        await driver.until_at("schedules")
        await driver.until("Weekly audit")
        (new,) = set(schedules(desk)) - before
        await driver.wait(lambda: driver.cursor == str(new), wanted="the new schedule")
        assert schedules(desk)[new]["cron_timezone"] == "Berlin"
        assert sent(desk) == [("POST", 201)]


async def test_who_stays_types_on(desk: RunningEmulator) -> None:
    """After `ctrl+c` and `esc`, the next letters go to the field that is being typed."""
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        await driver.type("week")
        await driver.until("week")
        await driver.press("ctrl+c")
        await driver.until("Leave and discard")
        await hand.press("escape")
        await hand.at(FormDialog)
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.type("ly")
        await driver.until("weekly")


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("description", " ", "Enter a description."),
        ("ref", "no-such-branch", "no-such-branch not found"),
        ("cron", "0 25 * * *", 'Invalid hour "25" (0 to 23).'),
        ("zone", "Europe/Pari", "did you mean Europe/Paris?"),
    ],
)
async def test_what_is_wrong_is_said_before_anything_is_sent(
    desk: RunningEmulator, field: str, text: str, says: str
) -> None:
    """In the form, with the cursor in the field that is wrong."""
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        right = {"description": "x", "ref": "main", "cron": "0 1 * * 5", "zone": "UTC"}
        for name, value in {**right, field: text}.items():
            await hand.fill(name, value)
        form = driver.app.screen
        assert isinstance(form, FormDialog)
        content = form.content
        assert isinstance(content, ScheduleContent)
        await driver.wait(lambda: content.refs is not None)
        await hand.send()
        await driver.until(says)
        assert form.form.view.cursor.field == field
        if field != "ref":  # one is at the text already: leaving it leaves no form
            await driver.wait(lambda: form.form.view.is_typing)
            await driver.press("escape")
            await driver.wait(lambda: not form.form.view.is_typing)
            assert hand.form is form
            await driver.press("ctrl+u")
            await driver.wait(lambda: form.form.view.is_typing)
            assert isinstance(driver.app.focused, FieldInput)
            assert not driver.app.focused.value
        assert sent(desk) == []


async def test_the_platforms_words_stand_beside_what_was_typed(desk: RunningEmulator) -> None:
    """After a refusal nothing that was typed is lost."""
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        form = driver.app.screen
        for name, value in {"description": "x", "ref": "main", "cron": "0 0 * * mon%2"}.items():
            await hand.fill(name, value)
        await driver.until("the platform may")
        await hand.send()
        await hand.answer_yes()
        await hand.at(WriteTaskDialog)
        await driver.until("invalid")
        await hand.press("escape")
        await driver.wait(lambda: driver.app.screen is form)
        await driver.until("invalid")
        assert "mon%2" in driver.text
        assert sent(desk) == [("POST", 400)]


async def test_letters_on_the_ref_search_its_list(desk: RunningEmulator) -> None:
    """`chore/...` is a name there: `c` does not start over, nor does `S` send."""
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        await hand.fill("description", "Night load")
        hand.form.form.view.go_to("ref")
        await driver.until("type to search")
        await driver.type("chore/S")
        await driver.until('use "chore/S"')
        await hand.press("enter")
        await driver.wait(lambda: isinstance(driver.app.screen, FormDialog))
        assert hand.form.typed["ref"] == "chore/S"
        assert hand.form.typed["description"] == "Night load"
    assert writes_to(desk) == []


async def test_a_schedule_is_changed(desk: RunningEmulator) -> None:
    """Only what differs is sent; nothing is sent where nothing does."""
    number = made(desk)
    async with schedules_of(desk) as (driver, hand):
        driver.table.move_to(str(number))
        await hand.press("E")
        await hand.at(FormDialog)
        await hand.send()
        await driver.until("No changes to send")
        await hand.fill("cron", "0 2 * * 5")
        await hand.press("escape")
        await driver.until_told(INPUT_SAVED)
        await hand.press("E")
        await hand.at(FormDialog)
        await driver.until("c discards the changes · not sent: cron")
        await driver.until("c start over")
        await hand.press("c")
        await driver.until("Discard your input: cron?")
        await hand.press("n")
        await driver.until("0 2 * * 5")
        await hand.press("c")
        await hand.answer_yes()
        await driver.until("0 1 * * 5")
        await hand.fill("cron", "0 2 * * 5")
        await hand.fill("zone", "cest")
        await driver.until("did you mean Europe/Berlin")
        await hand.fill("zone", "UTC")
        await hand.send()
        await driver.until("0 1 * * 5 → 0 2 * * 5")
        assert 'Change the schedule "Weekly audit": cron' in driver.text
        await hand.press("i")
        await driver.until("PUT")
        assert "zone" not in driver.text
        await hand.answer_yes()
        await driver.until("at 02:00 every Friday")
        await driver.wait(lambda: not isinstance(driver.app.screen, FormDialog))
        assert schedules(desk)[number]["cron"] == "0 2 * * 5"
        assert schedules(desk)[number]["description"] == "Weekly audit"


@pytest.mark.parametrize("closes", [False, True])
async def test_changes_made_to_a_schedule_while_it_is_sent_are_kept(
    desk: RunningEmulator, monkeypatch: pytest.MonkeyPatch, *, closes: bool
) -> None:
    """The schedule is changed as it was confirmed; the form goes on with what was typed since."""
    sent, follow, number = asyncio.Event(), WriteTask.follow, made(desk)

    async def late(task: WriteTask, service: WriteService) -> None:
        await sent.wait()
        await follow(task, service)

    monkeypatch.setattr(WriteTask, "follow", late)
    async with schedules_of(desk) as (driver, hand):
        driver.table.move_to(str(number))
        await hand.press("E")
        await hand.at(FormDialog)
        await hand.fill("cron", "0 2 * * 5")
        await hand.fill("description", "Friday audit")
        await hand.send()
        await hand.answer_yes()
        await hand.at(WriteTaskDialog)
        await hand.press("escape")
        await hand.at(FormDialog)
        await hand.fill("cron", "0 5 * * 5")
        if closes:
            await hand.press("escape")
            await driver.until_told(INPUT_SAVED)
        sent.set()
        if closes:
            await driver.until_told("changed in")
            await hand.press("E")
            await hand.at(FormDialog)
            await driver.until("not sent: cron")
        else:
            await driver.until_told("The form is kept, as you went on with it.")
        assert isinstance(driver.app.screen, FormDialog)
        assert hand.form.typed == {"cron": "0 5 * * 5"}
        record = schedules(desk)[number]
        assert (record["cron"], record["description"]) == ("0 2 * * 5", "Friday audit")
        await hand.send()
        await driver.until("0 2 * * 5 → 0 5 * * 5")


async def test_the_form_is_filled_in_from_the_list_where_no_details_are_shown(
    desk: RunningEmulator,
) -> None:
    """Hidden details are no longer read, and another may have changed the schedule since."""
    number, clock = made(desk), FakeClock()
    async with driving(showcase(desk, clock, "schedules"), (120, 40)) as driver:
        hand = FormHand(driver, clock)
        await driver.until_at("schedules")
        await go_to(driver, number)
        details = driver.app.screen.query_one(SchedulesBody).details
        await driver.wait(lambda: details.full_record(str(number)) is not None)
        await driver.press("d")
        await driver.wait(lambda: not details.is_shown)
        with api_client(desk) as api:
            path = in_project(desk, f"pipeline_schedules/{number}")
            api.put(path, data={"description": "Monthly audit"}).raise_for_status()
        await driver.press("r")
        await driver.until("Monthly audit")
        await hand.press("E")
        await hand.at(FormDialog)
        await driver.settle()
        assert "Weekly audit" not in driver.text


@pytest.mark.parametrize(("key", "done"), [("R", "Ran"), ("O", "Took ownership of")])
async def test_a_schedule_is_run_and_taken_over(desk: RunningEmulator, key: str, done: str) -> None:
    """After one question; its end is told."""
    async with schedules_of(desk) as (driver, hand):
        number = int(driver.cursor or 0)
        await hand.press(key)
        await hand.answer_yes()
        await driver.until_told(done)
        (write,) = sent(desk)
        assert write == ("POST", 201)
        if key == "O":
            with api_client(desk) as api:
                me = api.get("user").json()["username"]
            assert schedules(desk)[number]["owner"]["username"] == me


@pytest.mark.parametrize("key", ["E", "D"])
async def test_what_acts_on_one_schedule_refuses_marked_ones(
    desk: RunningEmulator, key: str
) -> None:
    """It acted on the row of the cursor, which need not be one of them."""
    made(desk)
    async with schedules_of(desk) as (driver, hand):
        await hand.press("space", key)  # the cursor is on the next row
        await driver.until("acts on one schedule: esc removes the marks.")
        assert driver.route.view == "schedules"
        await driver.press("escape")
        await hand.press(key)
        await hand.at(FormDialog if key == "E" else TypedNameDialog)


async def test_a_schedule_is_deleted_by_its_description(desk: RunningEmulator) -> None:
    """Typed letter by letter; anything else leaves it."""
    number = made(desk)
    async with schedules_of(desk) as (driver, hand):
        driver.table.move_to(str(number))
        await hand.press("D")
        await hand.at(TypedNameDialog)
        await driver.type("Weekly")
        await driver.press("enter")
        await driver.until("The description does not match")
        await driver.type(" audit")
        await driver.press("enter")
        await hand.answer_yes()
        await driver.until_told("Deleted")
        assert number not in schedules(desk)
        assert sent(desk)[-1][0] == "DELETE"


@pytest.mark.parametrize(
    ("width", "whole", "word"),
    [(80, True, "a"), (80, False, "a"), (80, False, "表表表表"), (40, False, "a")],
)
async def test_a_schedule_is_deleted_by_the_part_of_its_description_that_is_shown(
    desk: RunningEmulator, width: int, word: str, *, whole: bool
) -> None:
    """Or by all of it; wide characters and narrow terminals show less."""
    description = "Weekly audit of all the tables that no other schedule loads".replace("a", word)
    number = made(desk, description=description)
    async with schedules_of(desk) as (driver, hand):
        await driver.pilot.resize_terminal(width, 24)
        driver.table.move_to(str(number))
        await hand.press("D")
        await hand.at(TypedNameDialog)
        shown = re.search("Type (.+?)…", driver.text)
        assert shown is not None
        await driver.type(description if whole else shown[1])
        await driver.press("enter")
        await hand.answer_yes()
        await driver.until_told("Deleted")
        assert number not in schedules(desk)


@pytest.mark.parametrize("key", ["N", "R", "E", "O", "D"])
async def test_no_key_of_schedules_writes_where_writes_are_off(
    desk: RunningEmulator, key: str
) -> None:
    """It says why, and nothing is sent."""
    async with schedules_of(desk, writes="off") as (driver, hand):
        await hand.press(key)
        await driver.until_told("Writes are off in this profile")
        await hand.press(key)  # the same again says it again, and not twice
        await driver.rest()
        (toast,) = driver.app._notifications
        assert not toast.title
        assert sent(desk) == []


async def test_a_hand_that_goes_on_typing_when_a_view_opens_sends_nothing(
    desk: RunningEmulator,
) -> None:
    """Its keys ask; an answer does not count before the question was visible."""
    async with schedules_of(desk) as (driver, hand):
        driver.app.write_keys.screen_changed()
        await driver.press("R", "y", "y", "y")
        await hand.at(QuestionDialog)
        assert sent(desk) == []


async def test_schedules_made_here_stand_where_none_are_listed(
    platform_with: PlatformFactory,
) -> None:
    """With the words that these are not all there may be."""
    narrow, clock = platform_with(clock=FakeClock(), spec_only=True), FakeClock()
    async with driving(showcase(narrow, clock, "schedules")) as driver:
        hand = FormHand(driver, clock)
        await driver.until(NO_SCHEDULE_LIST)
        await hand.press("N")
        await hand.at(FormDialog)
        for name, value in {"description": "Audit", "ref": "main", "cron": "0 1 * * 5"}.items():
            await hand.fill(name, value)
        await hand.send()
        await hand.answer_yes()
        await driver.until("showing those created with platui")
        assert [row.cells[1].text for row in driver.table.shown_rows] == ["Audit"]


def variables_of(platform: RunningEmulator, schedule: int) -> dict[str, str]:
    """Return the variables of a schedule, as the platform has them."""
    with api_client(platform) as api:
        path = in_project(platform, f"pipeline_schedules/{schedule}")
        return {one["key"]: one["value"] for one in api.get(path).json()["variables"]}


async def add_variables(driver: Driver, hand: FormHand) -> None:
    """Add a plain and a hidden variable in the form."""
    await hand.fill(ADD, "DAY=2026-03-14")
    await driver.until("variable DAY")
    hand.form.form.view.go_to(ADD)
    await driver.type("API_KEY")
    await driver.press("enter")
    await driver.wait(lambda: hand.form.form.view.cursor.field == "secret API_KEY")
    await driver.type("planted")
    await driver.press("enter")
    await driver.wait(lambda: not hand.form.form.view.is_typing)


async def test_a_new_schedule_gets_its_variables(desk: RunningEmulator) -> None:
    """Its question names them; they are confirmed and sent once the schedule has an id."""
    before = set(schedules(desk))
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        for field, text in (("description", "Audit"), ("ref", "main"), ("cron", "30 2 * * 0")):
            await hand.fill(field, text)
        await add_variables(driver, hand)
        assert "planted" not in driver.text
        await hand.send()
        await driver.until("DAY, API_KEY (secret)")
        await hand.answer_yes()
        await driver.until("Add the variable API_KEY (secret)")
        assert "Add the variable DAY" in driver.text
        assert sent(desk) == [("POST", 201)]
        await hand.answer_yes()
        await driver.until_at("schedules")
        (new,) = set(schedules(desk)) - before
        assert variables_of(desk, new) == {"DAY": "2026-03-14", "API_KEY": "planted"}
        assert sent(desk) == [("POST", 201)] * 3


async def test_variables_that_were_not_confirmed_are_offered_when_the_schedule_is_edited(
    desk: RunningEmulator,
) -> None:
    """The schedule is there and active without them: that is said, and nothing typed is lost."""
    before = set(schedules(desk))
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        for field, text in (("description", "Audit"), ("ref", "main"), ("cron", "30 2 * * 0")):
            await hand.fill(field, text)
        await add_variables(driver, hand)
        await hand.send()
        await driver.until("DAY, API_KEY (secret)")
        await hand.answer_yes()
        await hand.at(QuestionDialog)
        await driver.until("Add the variable API_KEY (secret)")
        await hand.press("escape")
        await driver.until("Created, but not all was sent.")
        (new,) = set(schedules(desk)) - before
        assert variables_of(desk, new) == {}
        await go_to(driver, new)
        await hand.press("E")
        await driver.until("not sent: variable DAY, secret API_KEY")
        await hand.send()
        await driver.until("Add the variable API_KEY (secret)")
        await hand.answer_yes()
        await driver.until_at("schedules")
        assert variables_of(desk, new) == {"DAY": "2026-03-14", "API_KEY": "planted"}


async def test_the_variables_of_a_schedule_are_changed_and_removed(desk: RunningEmulator) -> None:
    """Values are masked; one confirmation covers one request for each."""
    number = made(desk)
    with api_client(desk) as api:
        path = in_project(desk, f"pipeline_schedules/{number}/variables")
        for key in ("DAY", "OLD"):
            api.post(path, json={"key": key, "value": "planted"})
    already = len(sent(desk))
    async with schedules_of(desk, row=number) as (driver, hand):
        await hand.press("E")
        await hand.at(FormDialog)
        await driver.until("variable OLD")
        assert "planted" not in driver.text
        await hand.fill("variable DAY", "today")
        hand.form.form.view.go_to("variable OLD")
        await hand.press("delete")
        await driver.until("removed")
        await hand.fill(ADD, "NEW=1")
        await hand.send()
        text = await driver.until("Remove the variable OLD")
        assert "Change the variable DAY" in text
        assert "Add the variable NEW" in text
        await hand.answer_yes()
        await driver.until_at("schedules")
        assert variables_of(desk, number) == {"DAY": "today", "NEW": "1"}
        assert [method for method, _ in sent(desk)[already:]] == ["PUT", "DELETE", "POST"]


async def test_who_may_not_edit_is_offered_the_ownership(desk: RunningEmulator) -> None:
    """The error names the key; the input stays."""
    async with schedules_of(desk) as (driver, hand):
        mine = made(desk)
        other = next(number for number in schedules(desk) if number != mine)
        await go_to(driver, other)
        await hand.press("E")
        await hand.at(FormDialog)
        await hand.fill("description", "Mine")
        await hand.send()
        await hand.answer_yes()
        await hand.at(WriteTaskDialog)
        await driver.until("take ownership first")
        await hand.press("escape")
        await hand.at(FormDialog)
        await driver.until("input; then, O takes ownership.")


async def test_leaving_asks_while_a_schedule_is_not_sent(desk: RunningEmulator) -> None:
    """Also when its form is closed; its input is still there."""
    async with schedules_of(desk) as (driver, hand):
        await hand.press("N")
        await hand.at(FormDialog)
        await hand.fill("description", "Weekly audit")
        await hand.press("escape")
        await driver.until_told(INPUT_SAVED)
        await hand.press("ctrl+c")
        await driver.until("and discard your input?")
        await hand.press("escape")
        await driver.until_at("schedules")
        await hand.press("N")
        await hand.at(FormDialog)
        await driver.until("not sent: description")
        assert "Weekly audit" in driver.text
