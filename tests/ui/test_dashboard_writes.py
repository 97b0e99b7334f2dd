"""Writes as the user meets them: asked about, unlocked, followed, and told of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Driver, dashboard, driving, pipelines_of
from tests.support.platform import api_client, ask, in_project

from platui.models.values.places import View
from platui.ui.dialogs.confirm import ConfirmDialog
from platui.ui.dialogs.unlock import UnlockDialog

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui.emulator.server import RunningEmulator
    from platui.ui.app import PlatuiApp

pytestmark = pytest.mark.faces("default", reason="it has the neighbours that are acted with")

SIGHT = 0.3
"""Seconds after which a key counts."""


@pytest.fixture
def desk(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform of one's own whose time stands still: what is running goes on running."""
    return platform_with(clock=FakeClock())


def started(platform: RunningEmulator, count: int = 1) -> list[str]:
    """Start pipelines of the showcase; return their keys, newest first."""
    with api_client(platform) as api:
        answers = [
            api.post(in_project(platform, "pipeline"), params={"ref": "main"}) for _ in range(count)
        ]
    return [str(answer.json()["id"]) for answer in reversed(answers)]


def status_of(platform: RunningEmulator, pipeline: str) -> str:
    """Return how a pipeline of the showcase stands, as the platform says."""
    with api_client(platform) as api:
        return str(api.get(in_project(platform, f"pipelines/{pipeline}")).json()["status"])


def writes_to(platform: RunningEmulator) -> list[dict[str, Any]]:
    """Return every request that was no GET."""
    answer = ask("GET", f"{platform.base_url}/-/emulator/requests").json()
    return [one for one in answer["requests"] if one["method"] != "GET"]


class Hand:
    """A driver whose clock is stepped: keys count when the test says that one has looked."""

    def __init__(self, driver: Driver, clock: FakeClock) -> None:
        self.driver = driver
        self.clock = clock

    async def look(self) -> None:
        """Look at the screen for long enough to have seen it."""
        await self.driver.pilot.pause()
        self.clock.jump(2 * SIGHT)

    async def press(self, *keys: str) -> None:
        """Look, then press keys."""
        await self.look()
        await self.driver.press(*keys)

    async def at(self, dialog: type[Any]) -> None:
        """Wait until a dialog is in front."""
        await self.driver.wait(lambda: isinstance(self.driver.app.screen, dialog))


async def opened(driver: Driver, key: str) -> None:
    """Go to a pipeline of the list."""
    await driver.until_at(View.PIPELINES)
    await driver.until(f"#{key}")
    assert driver.table.move_to(key)


def list_of(platform: RunningEmulator, clock: FakeClock, **options: Any) -> PlatuiApp:
    """Return the dashboard on the showcase's pipelines."""
    options = {"writes": "confirm", **options}
    return dashboard(platform, start=pipelines_of(platform), clock=clock, **options)


# the question


async def test_a_question_names_profile_project_and_effect(desk: RunningEmulator) -> None:
    """A production profile says so in words, the first answer is No, and No sends nothing."""
    [key] = started(desk)
    before, clock = writes_to(desk), FakeClock()
    app = list_of(desk, clock, production=True, name="prod-eu")
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await hand.press("X")
        await hand.at(ConfirmDialog)
        text = await driver.until("[ No ]")
        assert "PRODUCTION · prod-eu" in text
        assert f"Cancel pipeline #{key} main" in text
        assert f"in {desk.project}" in text
        assert "does not promise it" in text
        await hand.press("enter")
        await driver.wait(lambda: not isinstance(app.screen, ConfirmDialog))
        await driver.rest()
    assert writes_to(desk) == before


@pytest.mark.parametrize("keys", [("y",), ("right", "enter"), ("tab", "enter")])
async def test_yes_does_it_and_tells_so(desk: RunningEmulator, keys: tuple[str, ...]) -> None:
    """By its key, or by going to it."""
    [key] = started(desk)
    clock = FakeClock()
    async with driving(list_of(desk, clock)) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await hand.press("X")
        await hand.at(ConfirmDialog)
        await hand.press(*keys)
        await driver.until_told(f"Canceled pipeline #{key} main.")
        await driver.until(lambda text: "■ canceled" in text)
    assert status_of(desk, key) == "canceled"


async def test_no_key_answers_before_the_question_can_have_been_seen(
    desk: RunningEmulator,
) -> None:
    """What was typed ahead, in one piece or just after, is dropped; later it counts."""
    [key] = started(desk)
    before, clock = writes_to(desk), FakeClock()
    app = list_of(desk, clock)
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await hand.press("X", "y", "right", "enter", "escape")
        await hand.at(ConfirmDialog)
        await driver.until("[ No ]")
        clock.jump(SIGHT - 0.01)
        await driver.press("y", "right", "enter", "escape")
        await driver.rest()
        assert "[ No ]" in driver.text
        assert writes_to(desk) == before
        clock.jump(SIGHT)
        await driver.press("y")
        await driver.until_told("Canceled")


async def test_no_write_key_works_where_the_screen_has_just_changed(desk: RunningEmulator) -> None:
    """Other keys do, and so does the same one a moment later."""
    [key] = started(desk)
    clock = FakeClock()
    app = list_of(desk, clock)
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await driver.press("enter")
        await driver.until_at(View.JOBS)
        await driver.press("escape", "X")
        await driver.until_at(View.PIPELINES)
        await driver.press("X", "down", "up", "X")
        await driver.rest()
        assert driver.cursor == key
        assert not isinstance(app.screen, ConfirmDialog)
        await hand.press("X")
        await hand.at(ConfirmDialog)


async def test_the_request_stands_behind_a_key(desk: RunningEmulator) -> None:
    """As it will be sent, with the command that does the same."""
    [key] = started(desk)
    clock = FakeClock()
    async with driving(list_of(desk, clock)) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await hand.press("X")
        await hand.at(ConfirmDialog)
        await hand.press("i")
        text = await driver.until("POST")
        assert f"{key}/cancel" in text
        assert "platui --profile test cancel" in text
        await hand.press("i")
        await driver.until(lambda text: "POST" not in text)


# many


async def test_marked_rows_are_asked_about_once_and_done_in_order(desk: RunningEmulator) -> None:
    """Those for which it makes no sense are left out, and that is said."""
    keys = started(desk, 3)
    clock = FakeClock()
    async with driving(list_of(desk, clock)) as driver:
        hand = Hand(driver, clock)
        await opened(driver, keys[0])
        await hand.press("space", "space", "space", "space")
        await driver.until("4 marked")
        await hand.press("X")
        await hand.at(ConfirmDialog)
        text = await driver.until("Cancel 3 pipelines")
        assert all(f"Cancel pipeline #{key}" in text for key in keys)
        assert "1 other marked row is left out" in text
        await hand.press("y")
        await driver.until_told("Canceled 3 pipelines.")
    assert [status_of(desk, key) for key in keys] == ["canceled"] * 3


# the lock


async def test_a_locked_profile_is_opened_by_its_name_and_asks_still(
    desk: RunningEmulator,
) -> None:
    """Another name opens nothing; the header counts down; U locks it again."""
    [key] = started(desk)
    clock = FakeClock()
    app = list_of(desk, clock, writes="locked", name="prod-eu")
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await hand.press("X")
        await hand.at(UnlockDialog)
        await driver.type("prod")
        await driver.press("enter")
        await driver.until("The name of this profile is prod-eu.")
        await driver.type("-eu")
        await driver.press("enter")
        await hand.at(ConfirmDialog)
        assert "unlocked 15m" in driver.text
        await hand.press("escape")
        await driver.wait(lambda: not isinstance(app.screen, ConfirmDialog))
        await hand.press("U")
        await driver.until(lambda text: "unlocked" not in text)
        await driver.until_told("locked again")


async def test_off_says_why_and_asks_nothing(desk: RunningEmulator) -> None:
    """The key is grey, and says what the profile has set."""
    [key] = started(desk)
    clock = FakeClock()
    app = list_of(desk, clock, writes="off")
    async with driving(app) as driver:
        hand = Hand(driver, clock)
        await opened(driver, key)
        await hand.press("X")
        await driver.until_told("Its `writes` setting is `off`.")
        await hand.press("U")
        assert len(app.screen_stack) == 1
