"""After `:` and in the palette, anything is found by a part of its name or by its number."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from tests.support.access import access, fetched
from tests.support.dashboard import Driver, dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project

from platui.models.values.routes import Route
from platui.ui.controllers.app.jump import Jump
from platui.ui.dialogs.palette import Palette
from platui.ui.jump_prompt import JumpPrompt
from platui.ui.known_index import KnownIndex
from platui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

SEARCH = re.compile(r"[?&]search=")

named = pytest.mark.variants("default", reason="they know the names of the projects")


def hits(driver: Driver) -> list[str]:
    """Return the rows of the list above the prompt."""
    shown = driver.app.view_screen()
    assert shown is not None
    above = shown.prompt.hits
    if above is None or not above.has_class("-open"):
        return []
    text = driver.text.splitlines()
    return text[len(text) - 2 - above.size.height : len(text) - 2]


async def typed(driver: Driver, text: str) -> None:
    """Open the prompt and type."""
    await driver.press(":")
    await driver.until("tab complete")
    await driver.type(text)


def searches(platform: RunningEmulator) -> list[str]:
    """Return the searches that the platform was asked for."""
    paths = (entry.path for entry in platform.platform.journal.entries())
    return [path for path in paths if SEARCH.search(path)]


async def test_one_of_5000_projects_takes_two_keys_and_its_name(
    platform_with: PlatformFactory,
) -> None:
    """One that was never listed: the platform finds it while one types."""
    platform = platform_with(scenario="big")
    async with driving(dashboard(platform, clock=FrozenClock())) as driver:
        await driver.until("100 of 5,000 projects")
        await driver.press(":")
        await driver.type("payroll-marts")
        await driver.until("▸ project   payroll-marts")
        await driver.press("enter")
        await driver.until_at("pipelines")
        assert driver.route.project_name.endswith("/people/marts/payroll-marts")
        assert searches(platform)


@named
async def test_what_is_known_is_listed_with_kind_name_and_place(
    desk: RunningEmulator,
) -> None:
    """Projects and groups of the list, and pipelines and jobs seen before; nothing is asked."""
    start = pipelines_of(desk, "acme/marketing/marketing-dbt")
    async with driving(dashboard(desk, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        pipeline = int(driver.cursor or "")
        await driver.press("2")
        await driver.until_at("projects")
        await typed(driver, "dbt")
        await driver.wait(lambda: len(hits(driver)) == 8)
        assert re.fullmatch(r" ▸ project   marketing-dbt +acme/marketing", hits(driver)[0])
        assert re.fullmatch(r"   project   dbt-macros +acme/platform/shared", hits(driver)[1])
        await driver.press("escape")
        await typed(driver, str(pipeline)[:-2])
        await driver.wait(lambda: any(f"pipeline  #{pipeline}" in row for row in hits(driver)))
        await driver.press("escape")
        await driver.until(lambda _: hits(driver) == [])
        await typed(driver, "acme/fin")
        await driver.until("▸ path      acme/fin")
        await driver.press("tab")
        await driver.until(":acme/finance")
        assert searches(desk) == []


@named
async def test_what_one_used_last_comes_first(still_platform: RunningEmulator) -> None:
    """Of equal matches the one that was visited, also before the last start."""
    app = dashboard(still_platform, clock=FrozenClock(), remembers=True)
    async with driving(app) as driver:
        await driver.until_at("projects")
        await typed(driver, "dbt")
        await driver.wait(lambda: len(hits(driver)) == 5)
        second = hits(driver)[1].split()[1]
        await driver.press("down", "enter")
        await driver.until_at("pipelines")
        assert driver.route.project_name.endswith(f"/{second}")
        await driver.enter(":", "q")
    app = dashboard(still_platform, start=Route("projects"), clock=FrozenClock(), remembers=True)
    async with driving(app) as driver:
        await driver.until_at("projects")
        await driver.press(":")
        await driver.wait(lambda: any(second in row for row in hits(driver)))
        assert not any("▸" in row for row in hits(driver))  # enter would do nothing
        await driver.type("dbt")
        await driver.until(f"▸ project   {second}")


@named
async def test_before_a_letter_the_last_used_are_offered_but_not_where_one_is(
    still_platform: RunningEmulator,
) -> None:
    """The arrow down and enter go back to what was used before."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        for name in ("finance-dbt", "tax-vat"):
            await driver.enter(":", name)
            await driver.until(f"{name} › Pipelines")
            await driver.until_at("pipelines")
        await driver.press(":")
        await driver.wait(lambda: any("finance-dbt" in row for row in hits(driver)))
        assert not any("project   tax-vat" in row for row in hits(driver))
        await driver.press("down", "enter")
        await driver.wait(lambda: driver.route.project_name.endswith("/finance-dbt"))


@named
async def test_a_watched_project_comes_before_others(still_platform: RunningEmulator) -> None:
    """Watching says that one cares."""
    app = dashboard(still_platform, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("projects")
        rows = {row.cells[1].text.strip("★ "): int(row.key) for row in driver.table.shown_rows}
        await app.service.triage_state.watch((rows["product-analytics-dbt"],))
        await typed(driver, "dbt")
        await driver.until("▸ project   product-analytics-dbt")


@named
async def test_a_group_opens_its_projects(still_platform: RunningEmulator) -> None:
    """Also as the argument of `:projects`."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await typed(driver, "projects shared")
        await driver.until("▸ group     shared")
        await driver.press("enter")
        await driver.wait(lambda: driver.route.group == "acme/platform/shared")
        await driver.until("Projects › acme/platform/shared")


@pytest.mark.variants("default", "spec-only", reason="its names cannot be typed")
@pytest.mark.parametrize("kind", ["pipeline", "job", "job of a path"])
async def test_an_unknown_number_is_looked_up(still_platform: RunningEmulator, kind: str) -> None:
    """As a pipeline of the project in view, then as a job; `path#number` in another project."""
    with api_client(still_platform) as client:
        pipelines = client.get(in_project(still_platform, "pipelines?per_page=100")).json()
        pipeline = pipelines[-1]["id"]
        job = client.get(in_project(still_platform, f"pipelines/{pipeline}/jobs")).json()[0]["id"]
    start = Route("schedules", still_platform.project, still_platform.project)
    if kind == "job of a path":
        start = Route("projects")
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_route(start.view)
        text = {"pipeline": str(pipeline), "job": str(job)}.get(
            kind, f"{still_platform.project}#{job}"
        )
        await driver.enter(":", text)
        if kind == "pipeline":
            await driver.until_at("jobs")
            assert driver.route.pipeline == pipeline
        else:
            await driver.until_at("log")
            assert driver.route.job == job


async def test_a_number_that_is_nowhere_keeps_what_was_typed(
    still_platform: RunningEmulator,
) -> None:
    """It says where it was looked up; `esc` leaves."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.enter(":", "1234567")
        await driver.until("1234567 not found: no line or row here, no pipeline or job in")
        assert driver.text.splitlines()[-2].startswith(" :1234567")
        await driver.press("escape")
        await driver.until("enter open")


@named
async def test_tab_completes_the_argument_of_a_command(still_platform: RunningEmulator) -> None:
    """Projects and pipelines that fit; the filter behind it stays."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await typed(driver, "jobs finance-db")
        await driver.until("▸ project   finance-dbt")
        await driver.press("tab")
        await driver.until(" :jobs acme/finance/finance-dbt")
        await driver.press("enter")
        await driver.until_at("jobs")
        assert driver.route.project == "acme/finance/finance-dbt"
        await driver.enter(":", "schedules treas /nothing")
        await driver.until_route("schedules")
        assert driver.route.project_name == "acme/finance/treasury-cash"


async def test_a_name_that_nothing_has_keeps_what_was_typed(
    still_platform: RunningEmulator,
) -> None:
    """`:jobs nosuch` does not open another view."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "jobs nosuch")
        await driver.until("No project or pipeline matches “nosuch”.")
        assert driver.text.splitlines()[-2].startswith(" :jobs nosuch")
        assert driver.route.view == "projects"
        await driver.press("escape")
        await driver.enter(":", "nosuch[/]")
        await driver.until("Nothing found for “nosuch[/]”. Press ? for all commands.")
        assert driver.told == ""


async def test_enter_takes_the_completion_that_is_shown(still_platform: RunningEmulator) -> None:
    """`:sch` opens the schedules of the project."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await typed(driver, "sch")
        await driver.until("▸ command   :schedules")
        await driver.press("enter")
        await driver.until_route("schedules")
        assert driver.route.project == still_platform.project


async def test_arrows_choose_a_hit_and_above_the_first_recall_what_was_entered(
    still_platform: RunningEmulator,
) -> None:
    """The same keys, as in a browser's address line."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "requests")
        await driver.until_at("requests")
        await typed(driver, "r")
        await driver.wait(lambda: len(hits(driver)) > 1)
        await driver.press("down")
        await driver.wait(lambda: hits(driver)[1].startswith(" ▸"))
        await driver.press("up")
        await driver.wait(lambda: hits(driver)[0].startswith(" ▸"))
        await driver.press("up")
        await driver.until(" :requests")


async def test_a_click_opens_a_hit(still_platform: RunningEmulator) -> None:
    """As enter does."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await typed(driver, "requests")
        await driver.until("▸ command   :requests")
        row = next(at for at, line in enumerate(driver.text.splitlines()) if "▸ command" in line)
        await driver.pilot.click(offset=(20, row))
        await driver.until_at("requests")


@named
async def test_offline_only_what_is_known_is_found(platform_with: PlatformFactory) -> None:
    """It says so, and asks nothing while one types."""
    platform = platform_with()
    async with driving(dashboard(platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        platform.stop()
        await driver.press("r")
        await driver.until("✖ offline since")
        await typed(driver, "finance-dbt")
        await driver.until("▸ project   finance-dbt")
        await driver.until("offline: cached names only")
        await driver.press("escape")
        await driver.enter(":", "nosuch")
        await driver.until("Nothing found for “nosuch”.")


@named
async def test_a_command_that_was_copied_is_no_name_to_search(
    still_platform: RunningEmulator,
) -> None:
    """Its view has no word of its own; without what it needs, the text is kept."""
    project = still_platform.project
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press(":")
        await driver.until("tab complete")
        await driver.paste(f":artifacts {project} job=3")
        await driver.press("enter")
        await driver.until_route("artifacts")
        assert (driver.route.project, driver.route.job) == (project, 3)
        await driver.press("escape")
        await driver.until_at("pipelines")
        await typed(driver, f"artifacts {project}")
        await driver.press("enter")
        await driver.until("Nothing found for")


@named
async def test_the_palette_finds_objects_too(platform_with: PlatformFactory) -> None:
    """Below the actions with these words; the platform is searched as after `:`."""
    platform = platform_with(scenario="big")
    async with driving(dashboard(platform, clock=FrozenClock())) as driver:
        await driver.until("100 of 5,000 projects")
        await driver.press("ctrl+p")
        await driver.type("payroll-marts")
        await driver.until("project    payroll-marts")
        await driver.press("enter")
        await driver.until_at("pipelines")
        assert driver.route.project_name.endswith("/people/marts/payroll-marts")


@pytest.mark.parametrize("key", [":", "ctrl+p"])
async def test_the_chosen_object_stays_chosen_while_the_cache_is_read(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """In the prompt and in the palette: what comes late may be above it."""
    late, method = asyncio.Event(), "_hits" if key == ":" else "objects"
    load, found = KnownIndex.load, getattr(JumpPrompt, method)

    async def load_late(self: KnownIndex, changed: Callable[[], None]) -> None:
        await load(self, lambda: None)
        await late.wait()
        changed()

    monkeypatch.setattr(KnownIndex, "load", load_late)
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press(key)
        await driver.rest()
        await driver.type("etl")
        await driver.until("project ")
        await driver.press("down", "down")
        await driver.rest()
        chosen = _chosen(driver)
        monkeypatch.setattr(JumpPrompt, method, lambda self, words: found(self, words)[::-1])
        late.set()
        await driver.rest()
        assert _chosen(driver) == chosen
        await driver.press("enter")
        await driver.until_at("pipelines")
        assert driver.route.project_name.endswith(chosen)


def _chosen(driver: Driver) -> str:
    """Return the name of the chosen object."""
    palette, shown = driver.app.screen, driver.app.view_screen()
    if isinstance(palette, Palette):
        item = palette._items[int(palette.table.cursor_key or "0")]
        assert item.value.startswith("found:")
        return item.title.split()[0]
    assert shown is not None
    assert shown.prompt.hits is not None
    assert shown.prompt.hits.hit is not None
    return shown.prompt.hits.hit.name


async def test_without_a_project_a_number_is_looked_for_nowhere(
    still_platform: RunningEmulator,
) -> None:
    """It says how to name one, and counts no projects that it did not ask."""
    start = Route("requests")
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until("No requests yet")
        await driver.enter(":", "#1234567")
        await driver.until("type PROJECT#1234567")
        assert "-1 other" not in driver.text


@named
async def test_in_the_access_report_a_project_opens_its_members(desk: RunningEmulator) -> None:
    """Who owns it, in three keys and its name; elsewhere with `:access NAME`."""
    async with driving(access(desk)) as driver:
        await fetched(driver)
        await driver.press("2")
        await driver.until_at("projects")
        await driver.press("6")
        await driver.until(" memberships")
        await driver.press(":")
        await driver.type("finance-dbt")
        await driver.until("▸ project   finance-dbt")
        await driver.press("enter")
        await driver.until("Access › acme/finance/finance-dbt")
        await driver.press("2")
        await driver.until_at("projects")
        await driver.enter(":", "access warehouse-core")
        await driver.until("acme/platform/warehouse-core · project")


async def test_names_of_a_hostile_platform_are_plain_text(
    hostile_platform: RunningEmulator,
) -> None:
    """They are listed as they are, and open by their ids."""
    async with driving(dashboard(hostile_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await typed(driver, "e")
        await driver.wait(lambda: len(hits(driver)) > 1)
        assert all("\x1b" not in row and "\x07" not in row for row in hits(driver))
        await driver.wait(lambda: any(re.match(r" . project", row) for row in hits(driver)))
        for _ in hits(driver):
            if not any(re.match(r" ▸ project", row) for row in hits(driver)):
                await driver.press("down")
        await driver.press("tab")
        await driver.rest()
        assert driver.route.view == "projects"


async def test_only_a_number_of_this_view_is_offered_here(still_platform: RunningEmulator) -> None:
    """Another number is looked up, and the whole answer is shown, in two lines if need be."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        row = driver.table.shown_rows[3].key
        await typed(driver, row)
        await driver.wait(lambda: any("here" in hit for hit in hits(driver)))
        await driver.press("escape")
        await typed(driver, "1234567")
        await driver.until("▸ number    1234567")
        assert not any("here" in hit for hit in hits(driver))
        driver.app.navigation.history.go(Route("pipelines", 1, "one"))
        driver.app.navigation.history.go(start)
        await driver.press("enter")
        await driver.until("and 1 other project that you use or watch.")


async def test_names_that_arrive_while_a_view_opens_find_no_prompt(
    still_platform: RunningEmulator,
) -> None:
    """The next screen is there before its prompt is; the search began in the one before it."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        driver.app.navigation.go(Route("requests"))
        shown = driver.app.view_screen()
        assert shown is not None
        assert shown.query_one_optional(Prompt) is None
        driver.app.controller(Jump).prompt.typed("etl")
        await driver.until_at("requests")


@named
async def test_a_short_name_with_a_number_opens_its_project(desk: RunningEmulator) -> None:
    """It was taken for a path: the platform has none, and answered 404."""
    start = pipelines_of(desk, "acme/marketing/marketing-dbt")
    async with driving(dashboard(desk, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        pipeline = int(driver.cursor or "")
        await driver.press("2")
        await driver.until_at("projects")
        await typed(driver, f"jobs marketing-dbt #{pipeline}")
        await driver.press("enter")
        await driver.until_at("jobs")
        await driver.until(f" marketing-dbt › #{pipeline} ")
        await typed(driver, f"jobs nothing-dbt #{pipeline}")
        await driver.press("enter")
        await driver.until("No project nothing-dbt is known")


@named
async def test_a_missing_project_is_no_missing_feature(desk: RunningEmulator) -> None:
    """Two of them, and the dashboard said that the platform lists no schedules at all."""
    start = pipelines_of(desk, "acme/marketing/marketing-dbt")
    async with driving(dashboard(desk, start=start, clock=FrozenClock())) as driver:
        for name in ("acme/none", "acme/nowhere"):
            await typed(driver, f"schedules {name}")
            await driver.press("enter")
            await driver.until(f"{name} is neither a project nor a group")
            await driver.press("escape")
        await driver.until_at("pipelines")
        await driver.press("5")
        await driver.until_at("schedules")
        await driver.wait(lambda: re.search(r"\d schedules?", driver.text) is not None)
        assert "does not list them" not in driver.text
