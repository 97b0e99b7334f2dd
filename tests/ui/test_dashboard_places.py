"""What belongs to a place stays with it, and does not show at another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock
from tests.support.service import requests_of
from tests.texts.screens import HEALTH

from platui.models.values.routes import Route
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator


def showcase(platform: RunningEmulator) -> Route:
    """Return the pipelines of the project that fails."""
    return Route("pipelines", platform.project, platform.project.rpartition("/")[2])


async def test_the_health_of_one_project_is_not_shown_for_another(
    still_platform: RunningEmulator,
) -> None:
    """A project that is not there has no figures."""
    app = dashboard(still_platform, start=showcase(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until(HEALTH)
        await driver.enter(":", "pipelines acme/no-such-project")
        text = await driver.until("Not found")
        assert HEALTH not in text
        await driver.until("is neither a project nor a group that you can see")
        # What it is, is asked once, however often the list is.
        seen = max(one["number"] for one in requests_of(still_platform))

        def asked() -> list[str]:
            told = (one["path"] for one in requests_of(still_platform, seen))
            return [path for path in told if "no-such-project" in path]

        await driver.press("r")
        await driver.wait(lambda: len(asked()) >= 1)
        await driver.until("is neither a project nor a group that you can see")
        await driver.press("r")
        await driver.wait(lambda: any("/pipelines?" in path for path in asked()[1:]))
        assert all("/pipelines?" in path for path in asked()), asked()


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_an_address_that_may_be_a_groups_opens_the_group(
    still_platform: RunningEmulator,
) -> None:
    """A browser shows both as `HOST/acme/finance`; the way back does not lead through a 404."""
    group, _, name = still_platform.project.rpartition("/")
    address = f"{still_platform.base_url}/{group}"
    app = dashboard(still_platform, start=showcase(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until(HEALTH)
        await driver.enter(":", address)
        await driver.until(f"/{group} hides")
        assert driver.route == Route("projects")
        await driver.press("left_square_bracket")
        await driver.until(HEALTH)
        await driver.enter(":", f"pipelines {group}/x{name}")
        await driver.until(f"Did you mean {still_platform.project}?")


async def test_what_completes_a_place_changes_no_other(still_platform: RunningEmulator) -> None:
    """The name of a job comes when one has just gone back."""
    start = showcase(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        driver.app.navigation.go(Route("jobs", still_platform.project, start.project_name))
        await driver.until_at("jobs")
        screen = driver.app.screen
        assert isinstance(screen, ViewScreen)
        screen.complete(replace(screen.body.route, job_name="dbt_run"))
        driver.app.navigation.go_back()
        await driver.until_at("pipelines")
        await driver.rest()
        assert driver.route == driver.app.navigation.subject == start


async def test_a_dialog_over_a_log_leaves_the_reader_where_he_was(
    still_platform: RunningEmulator,
) -> None:
    """Details, help and other views come and go; the line in sight stays."""
    app = dashboard(still_platform, start=showcase(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until(HEALTH)
        await driver.press("l")
        await driver.until("ended")
        await driver.press("g")
        await driver.until("lines 1–")
        for key, there in (("d", "stage "), ("question_mark", "Keys and commands")):
            await driver.press(key)
            await driver.until(there)
            await driver.press("escape")
            await driver.until(lambda text: "lines 1–" in text and "Keys and" not in text)
        await driver.press("2")
        await driver.until("LAST RUN")
        await driver.press("minus")
        await driver.until("lines 1–")


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_a_name_without_its_path_shows_what_it_may_mean(
    still_platform: RunningEmulator,
) -> None:
    """Nobody remembers every group at three in the morning."""
    app = dashboard(still_platform, start=showcase(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until(HEALTH)
        await driver.press(":")
        await driver.until("tab complete")
        await driver.type("pipelines finance-d")
        await driver.until("▸ project   finance-dbt ")
        await driver.until("finance-dq-checks")
        await driver.press("enter")
        await driver.until("finance-dbt › Pipelines")


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_asking_for_what_failed_looks_at_every_project(
    still_platform: RunningEmulator,
) -> None:
    """A state that is not known yet must not hide a red project."""
    app = dashboard(still_platform, start=Route("projects"), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until("NAMESPACE")
        await driver.press("F")
        name = still_platform.project.rpartition("/")[2]
        await driver.until(lambda text: name in text and "known" not in text, seconds=60)
