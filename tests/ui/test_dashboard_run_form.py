"""The run form: filled in, looked at, asked about, sent; and nothing typed is lost."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Driver, Elsewhere, dashboard, driving, pipelines_of
from tests.support.faults import clear_faults, set_fault
from tests.support.hand import Hand
from tests.support.platform import api_client, credentials, in_project
from tests.support.writes import at_work_with, started, writes_to
from tests.texts.screens import NEW_PIPELINE, ZONE
from tests.texts.widgets import ACCEPT_INPUT, REQUEST_PREVIEW

from platui.core.paths import config_dir
from platui.core.secrets import Secret
from platui.models.values.routes import Route
from platui.service.writes.task import WriteTask
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.dialogs.picker import Picker
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.dialogs.write_task import WriteTaskDialog
from platui.ui.key_guard import REACTION_SECONDS
from platui.ui.screens.run.body import RunBody, RunScreen
from platui.ui.widgets.field_input import FieldInput

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.support.platform import PlatformFactory

    from platui.service.writes.write_service import WriteService
    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default", reason="it has the neighbours that forms are filled from"
)

PLANTED = "planted-5ecret"


def pipeline(platform: RunningEmulator, number: int | None) -> dict[str, Any]:
    """Return a pipeline of the showcase, as the platform says."""
    with api_client(platform) as api:
        return dict(api.get(in_project(platform, f"pipelines/{number}")).json())


def variables(platform: RunningEmulator, number: int | None) -> dict[str, str]:
    """Return the variables of a pipeline of the showcase, secrets too: from inside the platform."""
    world, now = platform.platform.world, platform.platform.time.now()
    project = world.project(platform.project)
    assert project is not None
    record = world.pipelines.get(project.id, number or 0, now)
    assert record is not None
    return {one.key: one.value for one in record.variables}


class FormHand(Hand):
    """A hand at the run form."""

    async def ready(self) -> None:
        """Wait until the form is there and filled in."""

        def is_ready() -> bool:
            front = self.driver.app.screen
            row = front.query_one(RunBody).view.cursor.row if isinstance(front, RunScreen) else None
            return row is not None and bool(row.field) and row.label in self.driver.text

        await self.driver.wait(is_ready)

    async def type_line(self, key: str, text: str) -> None:
        """Press a key that opens a line, type, and take it."""
        await self.press(key)
        await self.type_on(text)

    async def type_on(self, text: str) -> None:
        """Type on the line that is open, and take it."""
        await self.driver.wait(lambda: isinstance(self.driver.app.focused, FieldInput))
        await self.driver.type(text)
        assert PLANTED not in self.driver.text
        line = self.driver.app.focused
        await self.driver.press("enter")
        await self.driver.wait(lambda: self.driver.app.focused is not line)

    async def type_on_row(self, text: str) -> None:
        """Type on the row under the cursor, which takes it, all in one go."""
        await self.look()
        await self.driver.type(text)
        assert PLANTED[:4] not in self.driver.text
        await self.driver.press("enter")
        await self.driver.wait(lambda: not isinstance(self.driver.app.focused, FieldInput))

    async def pick(self, text: str) -> None:
        """Choose from the list in front."""
        await self.at(Picker)
        await self.driver.type(text)
        await self.driver.until(lambda screen: text in screen)
        await self.driver.press("enter")
        await self.ready()

    async def send(self) -> None:
        """Send, and say yes."""
        await self.press("S")
        await self.at(QuestionDialog)
        assert PLANTED not in self.driver.text
        await self.press("i")
        await self.driver.until("POST")
        assert PLANTED not in self.driver.text
        await self.press("y")


@asynccontextmanager
async def form_on(
    platform: RunningEmulator, *, again: int | None = None, **options: Any
) -> AsyncIterator[tuple[Driver, FormHand]]:
    """Open the form of the showcase, of a pipeline where one is to be run again."""
    async with at_work_with(FormHand, platform, row=again, **options) as (driver, hand):
        await hand.press("t" if again is None else "R")
        await hand.ready()
        yield driver, hand


async def new_pipeline(driver: Driver) -> int:
    """Wait until the dashboard is at the new pipeline, and return its id."""
    await driver.until_at("jobs")
    assert driver.route.pipeline is not None
    return driver.route.pipeline


def rows(driver: Driver) -> Sequence[str]:
    """Return what stands in the form, a string a row."""
    front = driver.app.screen_stack[0]
    assert isinstance(front, RunScreen)
    return [
        f"{row.label}|{row.value}|{row.problem}"
        for row in front.query_one(RunBody).view.cursor.rows
    ]


# sending


async def test_a_key_without_use_says_so_and_does_nothing_else(desk: RunningEmulator) -> None:
    """`u` takes variables of before; where there are none it does not change the times."""
    async with form_on(desk) as (driver, hand):
        await hand.press("u")
        await driver.until_told("No variables are saved from earlier runs of this project.")
        assert ZONE not in driver.told


async def test_a_pipeline_is_started_with_what_was_typed(desk: RunningEmulator) -> None:
    """Ref, file, variables and a secret that shows nowhere; then one is at the new pipeline."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("j", "enter")
        await hand.pick("refresh")
        await hand.type_line("a", "DAY=2026-03-14")
        await hand.type_line("s", "API_KEY")
        await hand.type_on(PLANTED)
        await driver.until("env_var, secret")
        await hand.send()
        number = await new_pipeline(driver)
        assert PLANTED not in driver.text + driver.told
    assert variables(desk, number) == {
        "_PIPELINE_FILE_NAME": "refresh-ci.yml", "DAY": "2026-03-14", "API_KEY": PLANTED,
    }  # fmt: skip
    assert pipeline(desk, number)["source"] == "api"
    assert len(writes_to(desk)) == 1


@pytest.mark.parametrize("text", ["hey", "bad-key=1", "hello", "eyyyy"])
async def test_typed_text_is_no_answer(desk: RunningEmulator, text: str) -> None:
    """A `y` or an enter in it neither sends nor closes; after a pause, it counts."""
    before = writes_to(desk)
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("S")
        await hand.at(QuestionDialog)
        await hand.look()
        await driver.type(text)
        await driver.press("enter")
        await driver.until_told("pause, then press it again")
        assert isinstance(driver.app.screen, QuestionDialog)
        assert writes_to(desk) == before
        await hand.press("x")
        await driver.press("pagedown", "left", "tab", "right", "shift+tab", "down")
        await hand.press("i", "j", "left", "tab", "y")
        await new_pipeline(driver)
    assert len(writes_to(desk)) == len(before) + 1


async def test_text_that_began_before_its_question_is_no_answer(desk: RunningEmulator) -> None:
    """Also where its letters come so slowly that each seems deliberate."""
    before = writes_to(desk)
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("S")
        await hand.at(QuestionDialog)
        await driver.press("b")
        hand.clock.jump(REACTION_SECONDS * 2)
        await driver.press("y")
        await driver.until_told("pause, then press it again")
        assert isinstance(driver.app.screen, QuestionDialog)
    assert writes_to(desk) == before


async def test_a_pipeline_is_triggered_with_the_trigger_token(desk: RunningEmulator) -> None:
    """The form names which token is used and where it comes from, and never the token."""
    token = credentials(desk)["trigger"]
    async with form_on(desk, trigger_token=token) as (driver, hand):
        await driver.until("default branch")
        await hand.press("k", "enter")
        await driver.until("from the keyring; type another")
        await driver.type("DAY=1")
        await driver.press("enter")
        await driver.until_told("Not a trigger token")
        await hand.press("down")
        await hand.type_line("a", "DAY=2026-03-14")
        await driver.until("Trigger a pipeline on main")
        assert "from the keyring" in driver.text
        await hand.type_line("s", "KEY")
        await hand.type_on(PLANTED)
        await driver.until("secrets are sent as plain variables")
        await hand.press("i")
        text = await driver.until("as form fields")
        assert token not in text
        await hand.send()
        number = await new_pipeline(driver)
    assert variables(desk, number) == {"DAY": "2026-03-14", "KEY": PLANTED}
    assert pipeline(desk, number)["source"] == "trigger"


async def test_a_wrong_trigger_token_is_told_at_its_field(desk: RunningEmulator) -> None:
    """And the form stays as it was typed."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("k", "enter")
        await driver.until("it is never shown")
        await hand.press("escape", "down", "S")
        await driver.until("Enter the trigger token")
        await hand.type_on_row(PLANTED)
        await driver.until("from your input")
        assert not list(config_dir().rglob("*.triggers/*"))
        await hand.type_line("a", "DAY=2026-03-14")
        await hand.send()
        await hand.at(WriteTaskDialog)
        await driver.until("nothing was changed")
        await hand.press("escape")
        await hand.ready()
        _, token, *_ = rows(driver)
        assert "not valid for" in token
        await hand.press("delete")
        await driver.until("Trigger token removed.")
        assert rows(driver)[1].startswith("trigger token|not set|")
        await hand.press("delete")
        await driver.until_told("Only a typed or saved trigger token can be removed.")
        assert PLANTED not in driver.text
        assert "DAY|2026-03-14|" in rows(driver)


async def test_a_refusal_is_told_at_its_field_and_loses_nothing(desk: RunningEmulator) -> None:
    """A ref that is not there; put right, it is sent with all that was typed."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("s", f"API_KEY={PLANTED[:3]}")
        await hand.press("g", "j", "enter")
        await hand.pick("no-such-branch")
        await hand.send()
        await hand.at(WriteTaskDialog)
        await driver.until("eference not found")
        await hand.press("escape")
        await hand.ready()
        _, ref, *_ = rows(driver)
        assert ref.startswith("ref|no-such-branch|")
        assert "eference not found" in ref
        await hand.press("enter")
        await hand.pick("main")
        await hand.send()
        number = await new_pipeline(driver)
    assert variables(desk, number) == {"API_KEY": PLANTED[:3]}


async def test_nothing_is_lost_when_the_line_is_dead(desk: RunningEmulator) -> None:
    """Nobody answers: nothing was sent, and all of it is still there."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", "DAY=2026-03-14")
        desk.stop()
        await hand.send()
        await hand.at(WriteTaskDialog)
        while driver.app.writes.tasks.under_way:  # it waits a little, and tries to look again
            await hand.clock.advance(1)
            await driver.pilot.pause()
        await hand.press("escape")
        await hand.ready()
        assert "DAY|2026-03-14|" in rows(driver)
        assert "retries automatically" not in " ".join(rows(driver))


async def test_letters_that_are_no_keys_begin_a_variable(desk: RunningEmulator) -> None:
    """On the row that adds one, one after another; the key that signs in is a letter, too."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("down", "down")
        await driver.until("› +")
        await driver.type("DBT_TARGET=dev")
        await driver.press("enter")
        await driver.until(lambda text: "DBT_TARGET" in text and "dev" in text)
        await driver.until("› +")
        await driver.type("A_B=1")
        await driver.press("enter")
        await driver.until("A_B")
        shown = rows(driver)
    assert {"DBT_TARGET|dev|", "A_B|1|"} <= {*shown}


async def test_letters_that_are_no_keys_search_the_refs(desk: RunningEmulator) -> None:
    """Keys of the form stay keys; before it starts over, it asks."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await driver.type("main-x")
        await driver.until('use "main-x"')
        await hand.press("enter")
        await hand.ready()
        chosen = next(row for row in rows(driver) if row.startswith("ref|"))
        await driver.type("c")
        await driver.until("Discard your input?")
        await hand.press("n")
        await hand.ready()
        assert chosen in rows(driver)


async def test_what_was_typed_is_there_when_one_comes_back(desk: RunningEmulator) -> None:
    """One looks something up, and goes on; after sending the form is an empty one."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", "DAY=2026-03-14")
        await hand.press("escape")
        await driver.until_at("pipelines")
        await hand.press("t")
        await hand.ready()
        assert "DAY|2026-03-14|" in rows(driver)
        await driver.until("Unsaved input restored; c clears it.")
        await hand.press("c")
        await driver.until("Discard your input?")
        await hand.press("y")
        await driver.until(lambda text: "2026-03-14" not in text and "default branch" in text)
        await hand.type_line("a", "DAY=2026-03-14")
        await hand.send()
        await new_pipeline(driver)
        await hand.press("t")
        await hand.ready()
        await driver.until(lambda text: "2026-03-14" not in text and "default branch" in text)
        assert "DAY|2026-03-14|" not in rows(driver)
        await hand.press("u", "enter")
        await driver.until("2026-03-14")
        await hand.ready()
        assert "DAY|2026-03-14|" in rows(driver)


def _has_row(driver: Driver, row: str) -> bool:
    return row in rows(driver)


async def test_a_command_with_another_ref_changes_the_ref_of_the_form(
    desk: RunningEmulator,
) -> None:
    """Also if it is entered again; what else was filled in stays."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", "DAY=2026-03-14")
        for ref in ("release-1", "release-2", "release-2"):
            await driver.enter(":", f"run {desk.project} ref={ref}")
            await driver.wait(partial(_has_row, driver, f"ref|{ref}|"))
            assert "DAY|2026-03-14|" in rows(driver)
            _choose_ref(driver, "mine")
            await hand.press("escape")
        # Back to a form of before, what was chosen stays.
        await driver.enter(":", f"run {desk.project} ref=release-3")
        await driver.wait(partial(_has_row, driver, "ref|release-3|"))
        _choose_ref(driver, "mine")
        await hand.press("[")
        await hand.press("]")
        await driver.until_route("run")
        assert _has_row(driver, "ref|mine|")


def _choose_ref(driver: Driver, ref: str) -> None:
    form = driver.app.screen_stack[0].query_one(RunBody)
    assert form.form_state is not None
    form.form_state.change(replace(form.form_state.form, ref=ref))
    form.draw()
    assert _has_row(driver, f"ref|{ref}|")


@pytest.mark.parametrize("secret", [False, True])
async def test_an_open_input_stays_with_the_form_of_its_project(
    desk: RunningEmulator, *, secret: bool
) -> None:
    """A text is taken there; a half secret, which nobody sees, is dropped."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", "DAY=1")
        await hand.type_line("s" if secret else "a", "NIGHT=old")
        await hand.press("enter")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.type(PLANTED)
        await driver.press("ctrl+p")
        await hand.at(Menu)
        await driver.type("finance-dbt")
        await driver.until("project    finance-dbt")
        await driver.press("enter")
        await driver.until(lambda text: "finance-dbt › Pipelines" in text)
        await hand.press("t")
        await driver.until(f"{NEW_PIPELINE}acme/finance/finance-dbt")
        await driver.wait(lambda: driver.app.focused is not None)
        assert not isinstance(driver.app.focused, FieldInput)
        assert not any("DAY" in row or "NIGHT" in row for row in rows(driver))
        await driver.press("left_square_bracket", "left_square_bracket")
        await driver.until("Unsaved input restored")
        assert "DAY|1|" in rows(driver)
        state = driver.app.screen.query_one(RunBody).form_state
        assert state is not None
        night = state.form.variables[1].value
        assert night == (Secret("old") if secret else f"old{PLANTED}")


@pytest.mark.parametrize("again", [False, True])
async def test_no_frame_shows_the_form_that_was_sent(
    desk: RunningEmulator, monkeypatch: pytest.MonkeyPatch, *, again: bool
) -> None:
    """Neither the next form of the project nor that of the new pipeline begins with it."""
    forms: list[str] = []
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", "DAY=2026-03-14")
        await hand.send()
        await new_pipeline(driver)

        def display(app: PlatuiApp, _screen: object, frame: object) -> None:
            if frame is not None and isinstance(app.screen, RunScreen):
                forms.append(driver.text)

        monkeypatch.setattr(type(driver.app), "_display", display)
        await hand.press("R" if again else "t")
        end = "Filled in" if again else "default branch"
        await driver.wait(lambda: bool(forms) and end in forms[-1])
        assert not [text for text in forms if "2026-03-14" in text and "Filled in" not in text]


async def test_changes_made_while_it_is_sent_are_kept(
    desk: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pipeline starts as it was confirmed; the form goes on with what was typed since."""
    sent, follow = asyncio.Event(), WriteTask.follow

    async def late(task: WriteTask, service: WriteService) -> None:
        await sent.wait()
        await follow(task, service)

    monkeypatch.setattr(WriteTask, "follow", late)
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", "DAY=2026-03-14")
        await hand.send()
        await hand.at(WriteTaskDialog)
        await hand.press("escape")
        await hand.ready()
        await hand.type_line("a", "NIGHT=yes")
        sent.set()
        await driver.until("The form is kept, as you went on with it.")
        assert any("NIGHT" in row for row in rows(driver))
        with api_client(desk) as api:
            newest = api.get(in_project(desk, "pipelines")).json()[0]["id"]
    assert variables(desk, newest) == {"DAY": "2026-03-14"}


# again


async def test_what_was_typed_stays_when_the_rest_is_filled_in_later(
    relayed: RunningEmulator,
) -> None:
    """The pipeline to run again could not be read at first."""
    [number] = started(relayed, DAY="1", MINE="before")
    async with at_work_with(FormHand, relayed, row=number, relayed=True) as (driver, hand):
        set_fault(relayed, "server_error", path=f"pipelines/{number}", status=500)
        await hand.press("R")
        await driver.until("500")
        await hand.type_line("a", "MINE=42")
        clear_faults(relayed)
        await hand.press("r")
        await driver.until("DAY")
        form_state = driver.app.screen.query_one(RunBody).form_state
        assert form_state is not None
        typed = {item.key: item.value for item in form_state.form.variables}
        assert typed == {"MINE": "42", "DAY": "1"}


async def test_a_pipeline_is_run_again_on_the_ref_that_was_asked_for(desk: RunningEmulator) -> None:
    """Its own ref is filled in where none was."""
    [number] = started(desk, DAY="1")
    async with at_work_with(FormHand, desk) as (driver, _hand):
        await driver.enter(":", f"run {desk.project} #{number} ref=release-1")
        await driver.until("DAY")
        await driver.until("release-1")


async def test_what_platui_sent_is_filled_in_and_the_secret_asked_for(
    desk: RunningEmulator,
) -> None:
    """Nothing is sent before it was typed again; then all of it goes as before."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("j", "enter")
        await hand.pick("refresh")
        await hand.type_line("s", f"API_KEY={PLANTED[:3]}")
        await hand.send()
        first = await new_pipeline(driver)
        await hand.press("R")
        await hand.ready()
        await driver.until("Filled in from the request that platui sent")
        await driver.until("Unknown: the value of API_KEY")
        await hand.press("S")
        await driver.until("secrets are not saved")
        assert not isinstance(driver.app.screen, QuestionDialog)
        await hand.type_on_row("new")
        await hand.send()
        await driver.wait(lambda: driver.route.pipeline not in {None, first})
        number = await new_pipeline(driver)
    assert variables(desk, number) == {
        "_PIPELINE_FILE_NAME": "refresh-ci.yml", "API_KEY": "new",
    }  # fmt: skip


async def test_the_default_file_is_never_sent_silently(desk: RunningEmulator) -> None:
    """Of another's pipeline nobody knows the file: it is to be chosen, if only as the default."""
    again = int(started(desk, DAY="1")[0])
    before = writes_to(desk)
    async with form_on(desk, again=again) as (driver, hand):
        await driver.until("Unknown: the pipeline file")
        await hand.press("S")
        await driver.until("Pipeline file unknown")
        assert not isinstance(driver.app.screen, QuestionDialog)
        assert writes_to(desk) == before
        await hand.press("enter")
        await hand.pick("project default")
        await driver.until(lambda text: "Unknown: the pipeline file" not in text)
        await hand.send()
        await driver.wait(lambda: driver.route.pipeline not in {None, again})
        number = await new_pipeline(driver)
    assert variables(desk, number) == {"DAY": "1"}


# typing


async def test_pasted_lines_become_variables(desk: RunningEmulator) -> None:
    """Also where one was about to type; what cannot be read is named by its line."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await driver.paste("export DAY=1\n# comment\nNAME='x y'\nnonsense\n")
        await driver.until("skipped: line 4 has no =")
        await hand.press("a")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.paste("A=1\nB=2\n")
        await driver.until("Pasted 2 variables")
        assert {"DAY|1|", "NAME|x y|", "A|1|", "B|2|"} <= set(rows(driver))


async def test_ctrl_c_asks_before_it_discards_a_form(desk: RunningEmulator) -> None:
    """No by default; a second one does not ask again."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await driver.paste("A=1\n")
        await driver.wait(lambda: "A|1|" in rows(driver))
        await driver.press("ctrl+c")
        await driver.until("Leave and discard your input?")
        assert "Unsent input is discarded: marketing-dbt › Run a pipeline." in driver.text
        await hand.press("n")
        await driver.until(lambda text: "discard what" not in text)
        assert "A|1|" in rows(driver)
        await driver.press("ctrl+c")
        await driver.until("Leave and discard your input?")
        await driver.press("ctrl+c")
        await driver.wait(lambda: driver.app.return_code == 0)


async def test_a_certificate_is_taken_whole(desk: RunningEmulator) -> None:
    """A value of several lines is not cut at its first."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("s", "CERT")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.paste(f"-----BEGIN\n{PLANTED}\n-----END\n")
        await driver.until("env_var, secret")
        await hand.send()
        number = await new_pipeline(driver)
    assert variables(desk, number) == {"CERT": f"-----BEGIN\n{PLANTED}\n-----END\n"}


async def test_a_certificate_pasted_behind_its_key_is_its_value(desk: RunningEmulator) -> None:
    """No line of it becomes a variable, whose name would be part of a secret."""
    certificate = "-----BEGIN PRIVATE KEY-----\nMIIEabcd\nQUJDREVGR0g=\n-----END PRIVATE KEY-----\n"
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await driver.paste(f'A=1\nKEY="{certificate}"\nB=2\n')
        await driver.until("Pasted 2 variables; skipped: line 2 begins a key or certificate")
        assert not [row for row in rows(driver) if "QUJD" in row or row.startswith("KEY")]
        await hand.press("s")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.type("HIDDEN")
        await driver.paste(certificate)
        await driver.until("env_var, secret")
        await hand.press("a")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.type("OTHER=")
        await driver.paste(certificate)
        await driver.until("OTHER")
        assert "BEGIN" not in driver.text
        await hand.send()
        number = await new_pipeline(driver)
    sent = {"A": "1", "B": "2", "HIDDEN": certificate, "OTHER": certificate}
    assert variables(desk, number) == sent


async def test_variables_are_changed_masked_and_taken_out(desk: RunningEmulator) -> None:
    """A secret that is made plain has lost its value: nobody reads it over a shoulder."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.type_line("a", f"KEY={PLANTED}"[:6])
        await hand.press("space")
        await driver.until("env_var, secret")
        await hand.press("space")
        await driver.until("(empty)")
        await hand.press("enter")
        await hand.type_on("7")
        await hand.press("e")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.press(*["backspace"] * 3)
        await hand.type_on("a b")
        assert "a b|7|Use only letters, digits and _ in a key." in rows(driver)
        await hand.press("x")
        await driver.until(lambda text: "a b" not in text)


async def test_typing_is_left_without_a_trace(desk: RunningEmulator) -> None:
    """`esc` leaves the line, not the form; keys that are typed are no commands."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("a")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.until(ACCEPT_INPUT)
        await driver.type("qSxRt=1")
        await driver.press("escape")
        await driver.wait(lambda: not isinstance(driver.app.focused, FieldInput))
        assert driver.route.view == "run"
        assert not any("qSx" in row for row in rows(driver))


async def test_a_secret_that_is_typed_or_pasted_shows_nowhere(desk: RunningEmulator) -> None:
    """On the row of the token, on that of a secret, and behind the key of one."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await hand.press("k", "enter")
        await hand.type_on(PLANTED)
        await driver.until("from your input")
        await hand.press("up")
        assert driver.text.splitlines()[-1].startswith(" type to fill in, masked")
        await driver.paste(f"{PLANTED}\n")
        await driver.until(lambda text: "› ref" in text)
        await hand.press("s")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.type(f"API_KEY={PLANTED}")
        assert PLANTED[:4] not in driver.text
        await driver.press("enter")
        await hand.press("s")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.paste(f"OTHER={PLANTED}")
        await driver.until("Pasted 1 variable.")
        assert PLANTED[:4] not in driver.text + driver.told
        secret = "env_var, secret"
        await driver.until(lambda text: text.count(secret) == 2)
        await hand.press("up", "i")
        await driver.until(REQUEST_PREVIEW)
        assert PLANTED[:4] not in driver.app.export_screenshot()
    assert not any(PLANTED in str(one) for one in writes_to(desk))


async def test_what_is_typed_or_pasted_on_a_row_is_its_text(desk: RunningEmulator) -> None:
    """Letters that are keys elsewhere too; a ref and a value that are pasted are taken there."""
    async with form_on(desk) as (driver, hand):
        await driver.until("default branch")
        await driver.paste("release/2\n")
        await driver.until("› ref")
        assert rows(driver)[1] == "ref|release/2|"
        await hand.press("j", "j")
        await driver.until("S send")
        await hand.press("k", "j", "i")  # letters are keys where a variable is added, too
        await driver.until(REQUEST_PREVIEW)
        assert "run acme/marketing/marketing-dbt" in driver.text
        await hand.press("escape")
        await driver.until(lambda text: REQUEST_PREVIEW not in text)
        await hand.type_line("enter", "Ssq=x1")
        assert "Ssq|x1|" in rows(driver)
        await hand.press("up")
        await driver.paste("host=db port=1")
        await driver.until("host=db port=1")
        assert "Ssq|host=db port=1|" in rows(driver)
        await hand.press("i")
        await driver.until(REQUEST_PREVIEW)
        await hand.press("escape")
        await driver.until(lambda text: REQUEST_PREVIEW not in text)
        assert driver.route.view == "run"
        await driver.paste("A=1\nB=2\n")
        await driver.until("Pasted 2 variables.")
        await hand.press("escape")
        await driver.until_at("pipelines")
        await hand.press("t")
        await hand.ready()
        await driver.until("Unsaved input restored")
        assert "Pasted" not in driver.text


# choosing


async def test_ten_thousand_refs_are_found_while_one_types(desk: RunningEmulator) -> None:
    """Few rows are made of them, what is here is shown at once, and the rest is asked for."""
    asked: list[str] = []
    names = [f"feature/DATA-{number}" for number in range(10_000)]

    async def find(word: str) -> tuple[list[MenuItem], bool]:
        asked.append(word)
        found = [name for name in names if word in name]
        return [MenuItem(name, name) for name in found[:100]], len(found) <= 100

    app = dashboard(desk, start=pipelines_of(desk), clock=FakeClock())
    chosen: list[str | None] = []
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        items = [MenuItem(name, name) for name in names[:9000]]
        app.push_screen(Picker("Which?", items, find), chosen.append)
        await driver.until("9,000 of 9,000")
        assert driver.table.total_count < 1000
        await driver.type("data-9999")
        await driver.until('use "data-9999"')
        await driver.press(*["backspace"] * 9)
        await driver.type("DATA-9999")
        await driver.until("1 of 9,0")
        await driver.press("enter")
        await driver.wait(lambda: bool(chosen))
    assert chosen == ["feature/DATA-9999"]
    assert "DATA-9999" in asked


async def test_a_name_that_is_typed_whole_is_the_first_choice(desk: RunningEmulator) -> None:
    """Before refs with it in the title of their commit, and however many contain it."""
    listed = [MenuItem("bugfix", "bugfix", "Merge dev into bugfix")]
    listed += [MenuItem(f"dev-{number}", f"dev-{number}") for number in range(400)]
    arrives = asyncio.Event()

    async def find(_: str) -> tuple[list[MenuItem], bool]:
        await arrives.wait()
        return [MenuItem("release-1", "release-1"), MenuItem("dev-x", "dev-x")], True

    app = dashboard(desk, start=pipelines_of(desk), clock=FakeClock())
    chosen: list[str | None] = []
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        items = [*listed, MenuItem("dev", "dev"), MenuItem("releases", "releases")]
        app.push_screen(Picker("Which?", items, find), chosen.append)
        await driver.until("403 of 403")
        await driver.type("dev")
        await driver.until("402 of 403")
        await driver.press("enter")
        await driver.wait(lambda: chosen == ["dev"])
        app.push_screen(Picker("Which?", items, find), chosen.append)
        await driver.until("403 of 403")
        await driver.type("release")
        await driver.until("1 of 403")
        await driver.press("down")
        arrives.set()
        await driver.until("2 of 405")
        await driver.press("enter")
        await driver.wait(lambda: chosen == ["dev", "release"])


async def test_choices_that_arrive_while_the_picker_closes_are_dropped(
    desk: RunningEmulator,
) -> None:
    """Its widgets are removed before Textual cancels its workers."""

    async def find(_: str) -> tuple[list[MenuItem], bool]:
        while picker.children:  # noqa: ASYNC110  (no event tells that they are gone)
            await asyncio.sleep(0)
        return [MenuItem("late", "late")], True

    app = dashboard(desk, start=pipelines_of(desk), clock=FakeClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        picker = Picker("Which?", [], find)
        app.push_screen(picker)
        await driver.until("loading")
        await driver.press("escape")
        await driver.wait(lambda: not picker.is_running)
        await driver.press("j")
        assert app.is_running


async def test_a_platform_that_lists_nothing_lets_one_type(platform_with: PlatformFactory) -> None:
    """What is typed is remembered for the next time."""
    narrow = platform_with(clock=FakeClock(), spec_only=True)
    async with form_on(narrow) as (driver, hand):
        await hand.press("enter")
        await hand.pick("main")
        await hand.press("j", "enter")
        await hand.pick("refresh-ci.yml")
        assert any(row.startswith("pipeline file|refresh-ci.yml") for row in rows(driver))
        await hand.send()
        first = await new_pipeline(driver)
        await hand.press("t")
        await hand.ready()
        await hand.press("j", "enter")
        await hand.at(Picker)
        await driver.until(lambda text: "refresh-ci.yml" in text and "used before" in text)
    assert pipeline(narrow, first)["ref"] == "main"


# keys


async def test_writes_off_say_why_and_open_nothing(desk: RunningEmulator) -> None:
    """The keys are grey."""
    clock = FakeClock()
    app = dashboard(desk, start=pipelines_of(desk), clock=clock, writes="off")
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("pipelines")
        for key in "tR":
            app.clear_notifications()
            await hand.press(key)
            await driver.until_told("Writes are off in this profile")
            assert driver.route.view == "pipelines"
    assert writes_to(desk) == []


async def test_no_such_key_works_in_the_log(desk: RunningEmulator) -> None:
    """There `t` is about times."""
    clock = FakeClock()
    app = dashboard(desk, start=pipelines_of(desk), clock=clock, writes="confirm")
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("pipelines")
        await hand.press("l")
        await driver.until_at("log")
        await hand.press("R", "t", "S")
        await driver.rest()
        assert driver.route.view == "log"
        assert len(app.screen_stack) == 1


async def test_t_runs_the_project_under_the_cursor(desk: RunningEmulator) -> None:
    """From the list of projects, where nothing can be run again."""
    clock = FakeClock()
    app: PlatuiApp = dashboard(desk, start=Route("projects"), clock=clock, writes="confirm")
    async with driving(app) as driver:
        hand = FormHand(driver, clock)
        await driver.until_at("projects")
        key = driver.cursor
        await hand.press("R", "t")
        await hand.ready()
        assert str(driver.route.project) == key
        with api_client(desk) as api:
            path = api.get(f"projects/{key}").json()["path_with_namespace"]
        assert f"{NEW_PIPELINE}{path}" in driver.text
        await driver.until("default branch")
        await hand.press("S")
        await hand.at(QuestionDialog)
        assert f"in {path} " in driver.text
        await hand.press("n")
        await driver.wait(lambda: not isinstance(app.screen, QuestionDialog))
        await hand.press("escape")
        await driver.until_at("projects")


async def test_sent_too_early_the_form_says_what_it_waits_for(relayed: RunningEmulator) -> None:
    """The default branch is no mistake of the user, and comes by itself."""
    set_fault(relayed, "hang", path="projects/", seconds=3600)
    clock, reached = FakeClock(), Elsewhere(relayed.faults_url, relayed.token)
    app = dashboard(reached, start=Route("run", relayed.project), clock=clock, writes="confirm")
    async with driving(app) as driver:
        hand = FormHand(driver, clock)
        await hand.ready()
        await hand.press("S")
        await driver.until_told("still loading")
        assert "Choose a branch" not in driver.text
        assert "loading the default" in driver.text


async def test_names_that_are_attacks_are_harmless_in_the_form(
    platform_with: PlatformFactory,
) -> None:
    """Refs and files in lists and fields; what is sent is what the platform said."""
    hostile = platform_with(clock=FakeClock(), scenario="hostile")
    async with form_on(hostile) as (driver, hand):
        for keys in (("g", "j", "enter"), ("g", "j", "j", "enter")):
            await hand.press(*keys)
            await hand.at(Picker)
            await driver.rest()
            assert all(line.isprintable() for line in driver.text.splitlines())
            await hand.press("down", "down", "enter")
            await hand.ready()
            assert all(line.isprintable() for line in driver.text.splitlines())
