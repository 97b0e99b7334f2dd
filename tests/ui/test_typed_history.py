"""What was typed after `:` before, and commands whose keys are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.writes import at_work, go_to, started

from platui.ui.dialogs.question import QuestionDialog
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui.ui.widgets.prompt import Prompt
    from platui_emulator.server import RunningEmulator


def prompt_of(driver: Driver) -> Prompt:
    """Return the prompt of the view in front."""
    screen = driver.app.screen
    assert isinstance(screen, ViewScreen)
    return screen.prompt


async def test_commands_are_recalled_in_another_view(still_platform: RunningEmulator) -> None:
    """Each view has its own prompt, but there is one history."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.enter(":", "schedules")
        await driver.until_at("schedules")
        await driver.press("colon")
        await driver.wait(lambda: prompt_of(driver).is_open)
        await driver.press("up")
        await driver.wait(lambda: prompt_of(driver).text == "schedules")


async def test_a_recalled_command_that_is_changed_is_a_new_one(
    still_platform: RunningEmulator,
) -> None:
    """Arrows choose among its hits, and what was typed stays."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.enter(":", "utc")
        await driver.press("colon")
        await driver.wait(lambda: prompt_of(driver).is_open)
        await driver.press("up")
        await driver.wait(lambda: prompt_of(driver).text == "utc")
        await driver.press("backspace", "backspace", "backspace", *"pip")
        hits = prompt_of(driver).hits
        assert hits is not None
        await driver.wait(lambda: len(hits.hits) > 1)
        await driver.press("down")
        await driver.wait(lambda: hits.chosen == 1)
        assert prompt_of(driver).text == "pip"


@pytest.mark.parametrize("keys", [{}, {"write.cancel": ""}])
async def test_a_typed_write_needs_no_key(desk: RunningEmulator, keys: dict[str, str]) -> None:
    """Whoever has taken the key away can still type it, and find it in the palette."""
    [number] = started(desk)
    async with at_work(desk, row=number, keys=keys) as (driver, hand):
        await go_to(driver, number)
        await hand.look()
        await driver.press("ctrl+p", *"cancel")
        await driver.until("Cancel this pipeline")
        await driver.press("escape")
        await driver.wait(lambda: isinstance(driver.app.screen, ViewScreen))
        await driver.enter(":", "cancel")
        await driver.wait(lambda: isinstance(driver.app.screen, QuestionDialog))


async def test_a_search_that_ends_after_its_prompt_shows_nothing(
    still_platform: RunningEmulator,
) -> None:
    """The view was left meanwhile."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("colon")
        await driver.wait(lambda: prompt_of(driver).is_open)
        prompt = prompt_of(driver)
        prompt.close()
        await prompt.remove_children()
        prompt.show_status((("searching …", "muted"),))  # raises nothing
