"""How many keys the tasks of a night take, from the board where the dashboard opens."""

from __future__ import annotations

import asyncio
import shlex
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Driver, dashboard, driving
from tests.support.hand import Hand
from tests.texts.widgets import ACCEPT_INPUT

from platui.cli.commands.demo.reports import import_past_reports
from platui.models.values.routes import Route
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it is about what is broken there")


class Task(NamedTuple):
    """What an engineer wants at night, and how it is reached from the board."""

    name: str
    limit: int
    """The number of keys; a typed name or value is none."""
    steps: tuple[tuple[str, str], ...]
    """(the keys, with a text that is typed in quotes; what is on the screen afterwards)."""


TASKS: Final = (
    Task("what is broken and why", 0, (("", "Database Error in model"),)),
    Task("the log at its error", 1, (("enter", "ERROR: Job failed"),)),
    Task("what changed since the last success", 1, (("b", "LAST SUCCESS"),)),
    Task(
        "a comparison with the last success", 2,
        (("enter", "ERROR: Job failed"), ("c", "difference ")),
    ),
    Task("an acknowledgement", 1, (("a", "acknowledged"),)),
    Task("a handoff as Markdown", 1, (("e", "Save the Markdown as"),)),
    Task("a retry", 2, (("T", "[ No ]"), ("y", "Retried"))),
    Task(
        "a run with a variable", 5,
        (
            ("t", "VARIABLES"),
            ("a", ACCEPT_INPUT),
            ("'FULL_REFRESH=true' enter S", "[ No ]"),
            ("y", "started"),
        ),
    ),
    Task(
        "a project by its name", 2,
        ((": 'treasury'", "▸ project   treasury-cash"), ("enter", "treasury-cash › Pipelines")),
    ),
    Task(
        "the owners of a project by its name", 4,
        (("6", " memberships"), ("tab / 'warehouse-core' enter", "OWNER")),
    ),
)  # fmt: skip

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


@asynccontextmanager
async def at_the_board(platform: RunningEmulator) -> AsyncIterator[tuple[Driver, Hand]]:
    """Open the dashboard on the board, with each cause known."""
    clock = SteppedClock()
    app = dashboard(
        platform,
        start=Route("triage"),
        clock=clock,
        writes="confirm",
        terminal=Terminal(usable=True, has_window=False),  # the handoff is copied into a file
        admin_url=platform.admin_url,
        admin_key=platform.admin_key,
        prepare_reports=import_past_reports,
    )
    await app.service.triage_state.watch(WATCHED)
    async with driving(app) as driver:
        await driver.until(lambda text: "● live" in text and " cause" in text and "? help" in text)
        await driver.until(lambda text: "loading" not in text, 60)
        yield driver, Hand(driver, clock)


@pytest.fixture
def night(platform_with: PlatformFactory) -> RunningEmulator:
    """Run the company at one moment of a night."""
    return platform_with(clock=FakeClock())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
async def test_a_task_takes_few_keys(night: RunningEmulator, task: Task) -> None:
    """The keys do it, and they are as few as promised."""
    keys_pressed = 0
    async with at_the_board(night) as (driver, hand):
        for keys, shown in task.steps:
            for key in shlex.split(keys, posix=False):
                if key.startswith("'"):
                    await driver.type(key.strip("'"))
                else:
                    await hand.press(key)
                    keys_pressed += 1
            await driver.until(shown, 60)
    assert keys_pressed == task.limit
