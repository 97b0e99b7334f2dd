"""Going over to another profile inside the dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.color import Color
from tests.support.clock import FakeClock
from tests.support.company import long_running_job
from tests.support.dashboard import Driver, dashboard, driving, pipelines_of
from tests.support.hand import Hand
from tests.support.platform import ask
from tests.support.specification import is_specified

from platui.cli.app_runner import build_next_app
from platui.config.load import load_settings
from platui.config.profile import Profile
from platui.config.profile_choice import SessionProfiles
from platui.config.settings import CacheSettings, Options, Settings
from platui.models.values.routes import Route
from platui.ui.dialogs.menu import Menu
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.themes import palette_of
from platui.ui.widgets.field_input import FieldInput

if TYPE_CHECKING:
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator


@pytest.fixture
def board(
    still_platform: RunningEmulator, narrow_platform: RunningEmulator, tmp_path: Path
) -> SessionProfiles:
    """Return the profiles of two platforms, and one whose token is not accepted."""
    tokens = {"prod-eu": still_platform.token, "staging": narrow_platform.token, "old": "no-such"}
    urls = {"prod-eu": still_platform.base_url, "staging": narrow_platform.base_url}
    profiles = {}
    for name, token in tokens.items():
        file = tmp_path / name
        file.write_text(token)
        file.chmod(0o600)
        url = urls.get(name, narrow_platform.base_url)
        profiles[name] = Profile(name, url, production=name == "prod-eu", token_file=file)
    settings = Settings(profiles=profiles, cache=CacheSettings(disk=False), utc=True, start="last")
    return SessionProfiles(settings, {}, Options(), profiles["prod-eu"])


def first(
    board: SessionProfiles,
    platform: RunningEmulator,
    start: Route | None = None,
    clock: Clock | None = None,
) -> PlatuiApp:
    """Return the dashboard of the first profile."""
    return dashboard(
        platform, start=start, name="prod-eu", production=True, remembers=True,
        session_profiles=board, clock=clock,
    )  # fmt: skip


async def ended(driver: Driver) -> PlatuiApp:
    """Wait until a dashboard has ended for another one; returns that."""
    await driver.wait(lambda: driver.app.has_next_app)
    assert driver.app.next_app is not None
    return build_next_app(driver.app.next_app, None, driver.app.terminal)


async def test_one_goes_over_and_comes_back_to_where_one_was(
    board: SessionProfiles, still_platform: RunningEmulator, narrow_platform: RunningEmulator
) -> None:
    """Each profile opens where it was left, the first frame with the rows of that time."""
    async with driving(first(board, still_platform, pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        row = driver.cursor
        await driver.enter(":", "ctx")
        await driver.wait(lambda: isinstance(driver.app.screen, Menu))
        text = await driver.until(lambda text: "PRODUCTION" in text and "staging" in text)
        assert "current" in text
        assert narrow_platform.base_url in text
        await driver.type("stag")
        await driver.press("enter")
        second = await ended(driver)
    async with driving(second) as driver:
        await driver.until_told("Switch back with :profile prod-eu")
        await driver.until_at("projects")
        assert " staging " in driver.text.splitlines()[0]
        await driver.enter(":", "profile prod-eu")
        third = await ended(driver)
    assert third.navigation.history.current.view == "pipelines"
    async with driving(third) as driver:
        kept = third.view_screen()
        assert kept is not None
        assert kept.body.saved_view is not None
        assert [one.key for one in kept.body.saved_view.rows].count(row or "") == 1
        await driver.until_at("pipelines")
        assert " prod-eu " in driver.text.splitlines()[0]
        await driver.enter(":", "profile")
        await driver.until(lambda text: "staging" in text and "ago" in text)
        await driver.press("escape")
        await driver.wait(lambda: driver.app.screen is driver.app.view_screen())
        # An address that was pasted leads to the profile of its platform.
        await driver.enter(":", f"{narrow_platform.base_url}/{narrow_platform.project}")
        fourth = await ended(driver)
    assert fourth.service.profile.name == "staging"
    assert fourth.navigation.history.current.project == narrow_platform.project


async def test_a_form_that_is_filled_in_is_left_behind_after_a_yes_only(
    board: SessionProfiles, still_platform: RunningEmulator
) -> None:
    """It lives as long as its dashboard; esc in the question keeps it."""
    at = pipelines_of(still_platform)
    form = Route("run", at.project, at.project_name)
    clock = FakeClock()
    async with driving(first(board, still_platform, form, clock)) as driver:
        hand = Hand(driver, clock)
        await driver.until("default branch")
        await driver.press("a")
        await driver.wait(lambda: isinstance(driver.app.focused, FieldInput))
        await driver.type("DAY=1")
        await driver.press("enter")
        await driver.until("DAY")
        await driver.press("escape")
        await driver.until_at("pipelines")
        for line in ("q", "profile staging"):
            await driver.enter(":", line)
            await driver.until("Unsent input is discarded")
            await hand.press("escape")
            await driver.wait(lambda: not isinstance(driver.app.screen, QuestionDialog))
            assert driver.app.next_app is None
            assert driver.app.is_running
        await driver.enter(":", "profile staging")
        await driver.until("Unsent input is discarded")
        await hand.press("y")
        await ended(driver)


async def test_an_awaited_pipeline_is_left_after_a_yes_only(
    board: SessionProfiles, still_platform: RunningEmulator
) -> None:
    """Its notification would not come: the next dashboard does not know of it."""
    project, job = long_running_job()
    start = Route("jobs", project.full_path, project.path, job.pipeline_id)
    clock = FakeClock()
    async with driving(first(board, still_platform, start, clock)) as driver:
        hand = Hand(driver, clock)
        await driver.until_at("jobs")
        await driver.press("W")
        await driver.until_told(f"Notifying when #{job.pipeline_id} is done")
        await driver.enter(":", "profile staging")
        await driver.until(f"No notification follows when #{job.pipeline_id} is done.")
        await hand.press("escape")
        await driver.wait(lambda: not isinstance(driver.app.screen, QuestionDialog))
        assert driver.app.next_app is None
        await driver.enter(":", "profile staging")
        await driver.until("No notification follows")
        await hand.press("y")
        await ended(driver)


async def test_a_profile_whose_token_fails_says_so_and_lets_one_go_back(
    board: SessionProfiles, still_platform: RunningEmulator
) -> None:
    """The way back is told; a name that is not there leaves everything as it is."""
    async with driving(first(board, still_platform)) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "profile stagin")
        await driver.until_told("unknown profile")
        await driver.enter(":", "profile prod-eu")
        await driver.until_told("Already using profile")
        await driver.enter(":", "profile old")
        second = await ended(driver)
    async with driving(second) as driver:
        await driver.until_told("Switch back with :profile prod-eu")
        await driver.until("Not signed in")
        await driver.enter(":", "profile prod-eu")
        await ended(driver)


async def test_where_there_is_one_platform_it_is_said(still_platform: RunningEmulator) -> None:
    """The demo is not left for a platform where things are real."""
    async with driving(dashboard(still_platform)) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "profile")
        await driver.until_told("Not supported in the demo")


async def test_a_profile_without_neighbours_asks_for_nothing_beyond_the_spec(
    desk: RunningEmulator,
) -> None:
    """The platform has them all; every view is as where there are none."""
    app = dashboard(desk, start=pipelines_of(desk), neighbours="off", accent="#ffd700")
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        assert palette_of(app).accent.color == Color.parse("#ffd700")
        await driver.press("enter")
        await driver.until_at("jobs")
        await driver.press("5")
        await driver.until("does not list")
        await driver.press("1")
        await driver.rest()
    asked = ask("GET", f"{desk.base_url}/-/emulator/requests").json()["requests"]
    paths = [one["path"].partition("/api/v4/")[2] for one in asked]
    assert any("/jobs?" in path for path in paths), paths
    for path in paths:
        assert is_specified("GET", path), path


async def test_the_configuration_is_read_again_in_place(
    still_platform: RunningEmulator, tmp_path: Path
) -> None:
    """What it says now counts at once and is named; a mistake in it leaves all as it is."""
    file = tmp_path / "config.toml"
    profile = f'[profiles.prod-eu]\nurl = "{still_platform.base_url}"\nproduction = true\n'
    profile += f'token = "{still_platform.token}"\n'
    file.write_text(profile)
    file.chmod(0o600)
    settings = load_settings(file, {}, Options())
    board = SessionProfiles(settings, {}, Options(), settings.profiles["prod-eu"])
    async with driving(first(board, still_platform, pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        await driver.enter(":", "reload")
        await driver.until_told("is unchanged")
        file.write_text(f"mouse = false\n{profile}")
        await driver.enter(":", "reload")
        await driver.until_told("After a restart of platui: mouse")
        file.write_text(f"read_onyl = true\n{profile}")
        await driver.enter(":", "config")
        await driver.until_told("Did you mean read_only?")
        assert driver.app.next_app is None
        file.write_text(f'theme = "platui-light"\nread_only = true\n{profile}')
        await driver.enter(":", "reload")
        second = await ended(driver)
    async with driving(second) as driver:
        await driver.until_told("Reloaded from config.toml: theme, read_only")
        await driver.until_at("pipelines")
        assert second.theme == "platui-light"
        assert "read-only" in driver.text.splitlines()[0]
