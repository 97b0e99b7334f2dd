"""Own actions on the screen: their keys, output, reasons and confirmation."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.hand import Hand
from tests.ui.test_dashboard_compare import red_log
from tests.ui.test_key_reasons import pipeline_with

from platui.config.settings import OwnAction
from platui.models.values.routes import Route
from platui.service.logs import command as command_feed
from platui.ui.dialogs.question import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator

SHELL: dict[str, Any] = {"shell": True}

pytestmark = pytest.mark.variants("default", reason="actions are the same on each platform")


def with_action(
    platform: RunningEmulator, *command: str, start: Route | None = None, **options: Any
) -> PlatuiApp:
    """Return a dashboard with one action, on ctrl+t."""
    given = {one: options.pop(one) for one in OwnAction._fields if one in options}
    action = OwnAction(**{"key": "ctrl+t", "title": "Ticket", "command": command, **given})
    return dashboard(
        platform,
        start=start or pipelines_of(platform),
        actions={"ticket": action},
        **{"clock": FrozenClock(), **options},
    )


async def test_the_output_of_a_command_is_a_text(still_platform: RunningEmulator) -> None:
    """In its colours, without other sequences, with its exit code; esc leads back."""
    script = "printf '\\033[31mred\\033[0m \\033]0;owned\\007%s\\n' \"$1\" >&2; exit 3"
    app = with_action(still_platform, script, "{project}", **SHELL)
    async with driving(app, (140, 30)) as driver:
        await driver.until_at("pipelines")
        await driver.wait(lambda: "ticket" in driver.text.splitlines()[-1])
        await driver.press("ctrl+t")
        await driver.until("exit 3 · 1 line")
        text = await driver.until(f"red {still_platform.project}")
        assert "owned" not in text
        await driver.press("escape")
        await driver.until_at("pipelines")


async def test_an_action_refuses_several_marked_rows(still_platform: RunningEmulator) -> None:
    """It acts on one row: with several marked, it says so, until they are unmarked."""
    app = with_action(still_platform, "echo ran", **SHELL)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("space", "space", "ctrl+t")
        await driver.until_told("Ticket acts on one row")
        await driver.press("escape", "ctrl+t")
        await driver.until("exit 0 · 1 line")


async def test_the_key_of_an_action_replaces_that_of_a_command(
    still_platform: RunningEmulator,
) -> None:
    """Refresh has none then; a later action replaces an earlier one."""
    actions = {name: OwnAction("r", name, ("echo", f"this is {name}")) for name in ("one", "other")}
    app = dashboard(
        still_platform, start=pipelines_of(still_platform), actions=actions, clock=FrozenClock()
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("r")
        await driver.until("this is other")


async def test_esc_cancels_a_command_and_then_leaves(still_platform: RunningEmulator) -> None:
    """Its output so far stays."""
    app = with_action(still_platform, "echo begun; sleep 600", **SHELL)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+t")
        await driver.until(lambda text: "begun" in text and "running, esc cancels" in text)
        await driver.press("escape")
        await driver.until(lambda text: "canceled" in text and "begun" in text)
        await driver.press("escape")
        await driver.until_at("pipelines")


async def test_a_command_that_may_not_be_ended_goes_on(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one of another user."""

    def refuse(_group: int, _signal: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    app = with_action(still_platform, "echo begun; sleep 600", **SHELL)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+t")
        await driver.until(lambda text: "begun" in text and "running, esc cancels" in text)
        screen: Any = driver.app.screen
        with monkeypatch.context() as refused:
            refused.setattr(os, "killpg", refuse)
            await driver.press("escape")
            await driver.until_told("The command goes on")
            await driver.until_at("pipelines")
        assert screen.body.feed.stop()


async def test_endless_output_is_stopped(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And said so."""
    monkeypatch.setattr(command_feed, "MOST", 100_000)
    async with driving(with_action(still_platform, "yes")) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+t")
        await driver.until("of output ·")


async def test_a_program_that_does_not_exist(still_platform: RunningEmulator) -> None:
    """Is named in a message."""
    async with driving(with_action(still_platform, "/no/such-program")) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+t")
        await driver.until_told("could not start (No such file or directory).")


async def test_a_key_without_its_value_says_so(still_platform: RunningEmulator) -> None:
    """Help and palette have the key."""
    async with driving(with_action(still_platform, "echo", "{job}")) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+t")
        await driver.until_told("Ticket needs a job; there is none here.")
        await driver.press("question_mark")
        await driver.until("Keys and commands")
        await driver.type("ticket")
        await driver.until("echo {job}")


async def test_a_log_has_every_value(still_platform: RunningEmulator) -> None:
    """Job, ref, address, and the error that explains the failure."""
    start = red_log(still_platform)
    words = ("printf", "%s\\n", "{pipeline}", "{job}", "ref={ref}", "{url}", "e={error}")
    async with driving(with_action(still_platform, *words, start=start), (140, 40)) as driver:
        await driver.until_at("log")
        await driver.until("error 3 of")
        await driver.press("ctrl+t")
        text = await driver.until(lambda text: "exit 0" in text and "e=" in text)
        shown = [line.strip() for line in text.splitlines()]
        assert {str(start.pipeline), str(start.job), "ref=main"} <= set(shown)
        assert any(line.endswith(f"/-/jobs/{start.job}") for line in shown)
        assert "Database Error in model" in text


async def test_an_action_applies_in_its_views(still_platform: RunningEmulator) -> None:
    """Elsewhere its key is that of platui."""
    number = pipeline_with(still_platform, "failed")
    start = Route("jobs", still_platform.project, "showcase", number)
    app = with_action(still_platform, "echo", "mine", start=start, views=("jobs",), key="S")
    async with driving(app) as driver:
        await driver.until_at("jobs")
        await driver.press("S")
        await driver.until(lambda text: "mine" in text and "exit 0" in text)
        await driver.press("escape", "escape")
        await driver.until_at("pipelines")
        await driver.press("S")
        await driver.until("Sort by")


@pytest.mark.parametrize("writes", ["off", "locked", "confirm"])
async def test_an_action_that_writes_is_locked_and_confirmed(
    desk: RunningEmulator, tmp_path: Path, writes: str
) -> None:
    """The question shows the command, and that platui does not know what it does."""
    made, clock = tmp_path / "made", FakeClock()
    app = dashboard(
        desk,
        start=pipelines_of(desk),
        clock=clock,
        writes=writes,  # type: ignore[arg-type]
        actions={"t": OwnAction("ctrl+t", "Touch", ("touch", os.fspath(made)), writes=True)},
    )
    async with driving(app, (120, 30)) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("pipelines")
        await hand.press("ctrl+t")
        if writes == "off":
            await driver.until_told("Writes are off in this profile")
            return
        if writes == "locked":
            await driver.until("Type test to unlock them")
            await driver.type("test")
            await driver.press("enter")
        await hand.at(QuestionDialog)
        assert f"touch {made}" in driver.text
        assert "platui cannot know what your command does." in driver.text
        assert not made.exists()
        await hand.press("y")
        await driver.wait(made.exists)


async def test_what_is_queued_is_saved_before_another_program_runs(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the terminal and the event loop, maybe for hours."""
    app = with_action(still_platform, "true", output="terminal")
    order = list[str]()

    @contextmanager
    def suspend() -> Iterator[None]:
        order.append("suspended")
        yield

    monkeypatch.setattr(app, "suspend", suspend)
    monkeypatch.setattr(app.service, "save_now", lambda: order.append("saved"))
    async with driving(app, (140, 30)) as driver:
        await driver.until_at("pipelines")
        await driver.press("ctrl+t")
        await driver.until_told("Ticket: exit 0.")
    assert order == ["saved", "suspended"]
