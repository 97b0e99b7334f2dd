"""What every list can do: filter, sort, marks, refresh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project
from tests.texts.screens import CLEAR_FILTER
from tests.texts.widgets import APPLY_FILTER

from platui.config.settings import PollSettings
from platui.core.errors import ForbiddenError
from platui.models.values.routes import Route
from platui.service.reader import Reader
from platui.ui.screens.projects.namespaces import Namespaces
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator


def statuses(driver: Driver) -> set[str]:
    """Return the words of the first column of the rows that are shown."""
    return {row.cells[0].text for row in driver.table.shown_rows}


# filter


async def test_a_filter_hides_and_counts_while_typing(still_platform: RunningEmulator) -> None:
    """Beside what is typed stands how many match; above the list, how many are hidden."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("/")
        await driver.until(APPLY_FILTER)
        await driver.type("ingest-")
        await driver.until("18 of 60")
        await driver.press("enter")
        await driver.until("/ingest- hides 42")
        assert {"ingest-" in row.cells[1].text for row in driver.table.shown_rows} == {True}


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_a_word_with_a_mark_before_it_is_left_out(still_platform: RunningEmulator) -> None:
    """`dbt !finance`: these words, and not that one."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter("/", "-dbt")
        await driver.until("/-dbt hides")
        both = {row.cells[1].text for row in driver.table.shown_rows}
        await driver.press("escape")
        await driver.enter("/", "-dbt !finance")
        await driver.until("/-dbt !finance hides")
        names = {row.cells[1].text for row in driver.table.shown_rows}
        assert "finance-dbt" in both
        assert names == both - {"finance-dbt"}


async def test_a_filter_that_hides_all_says_how_to_get_rid_of_it(
    still_platform: RunningEmulator,
) -> None:
    """An empty page is never left without a reason."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter("/", "nobody-calls-it-this")
        await driver.until("60 hidden")
        assert CLEAR_FILTER in driver.text


async def test_an_empty_filter_shows_all(still_platform: RunningEmulator) -> None:
    """`/` again begins with an empty line; `up` brings the former filter."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter("/", "dbt")
        await driver.until("/dbt hides")
        await driver.press("/")
        await driver.until(APPLY_FILTER)
        await driver.until(lambda text: "hides" not in text)
        await driver.press("up")
        await driver.until("/dbt hides")
        await driver.press("down", "enter")
        await driver.until(lambda text: "hides" not in text)
        assert driver.table.hidden_count == 0


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_esc_returns_to_the_former_filter_and_its_row(
    still_platform: RunningEmulator,
) -> None:
    """What was typed meanwhile, even if it matches nothing, leaves the cursor alone."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter("/", "dbt")
        await driver.until("/dbt hides")
        await driver.press("j", "j")
        chosen = driver.cursor
        await driver.press("/")
        await driver.until(APPLY_FILTER)
        await driver.type("ingest-")
        await driver.until("/ingest- hides")
        await driver.press("escape")
        await driver.until("/dbt hides")
        assert driver.cursor == chosen
        await driver.enter("/", "nothing-has-this-name")
        await driver.until("60 hidden")
        await driver.press("escape")
        await driver.until(lambda text: "hidden" not in text)
        assert driver.cursor == chosen


async def test_esc_in_the_filter_scrolls_back_to_the_first_rows(
    still_platform: RunningEmulator,
) -> None:
    """The match was far below; the row at the top must not stay hidden above."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("j")
        shown, last = driver.table.visible_keys(), driver.table.shown_rows[-1].key
        assert last not in shown
        await driver.press("/")
        await driver.until(APPLY_FILTER)
        await driver.type(last)
        await driver.wait(lambda: driver.table.shown_count == 1)
        await driver.press("escape")
        await driver.wait(lambda: not driver.table.hidden_count)
        assert driver.table.visible_keys() == shown


async def test_esc_clears_filter_then_marks_then_goes_back(
    still_platform: RunningEmulator,
) -> None:
    """One thing at a time, the innermost first."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("space", "space")
        await driver.enter("/", "main")
        await driver.until("/main hides")
        await driver.press("escape")
        await driver.until(lambda text: "hides" not in text)
        assert len(driver.table.marks) == 2
        await driver.press("escape")
        await driver.until(lambda text: "marked" not in text)
        assert driver.route.view == "pipelines"
        await driver.press("escape")
        await driver.until_at("projects")


async def test_f_shows_only_what_failed_and_all_again(still_platform: RunningEmulator) -> None:
    """A switch, not a filter to be typed."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        assert statuses(driver) > {"✖ failed"}
        await driver.press("F")
        await driver.wait(lambda: statuses(driver) == {"✖ failed"})
        assert "/failed hides" in driver.text
        await driver.press("F")
        await driver.wait(lambda: statuses(driver) > {"✖ failed"})


# sort and marks


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_sorting_keeps_the_cursor_on_its_object(still_platform: RunningEmulator) -> None:
    """From the menu; the row goes elsewhere and the cursor with it."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("j", "j", "j")
        pipeline = driver.cursor
        before = [row.key for row in driver.table.shown_rows]
        await driver.press("S")
        await driver.until("Sort by")
        await driver.type("took, rev")
        await driver.press("enter")
        await driver.wait(lambda: driver.table.sort == ("took", True))
        after = [row.key for row in driver.table.shown_rows]
        assert driver.cursor == pipeline
        assert after != before
        assert sorted(after) == sorted(before)
        times = [row.sort[-1] for row in driver.table.shown_rows]
        assert times == sorted(times, reverse=True)


async def test_sorting_can_be_undone(still_platform: RunningEmulator) -> None:
    """The first choice is the platform's own order."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        before = [row.key for row in driver.table.shown_rows]
        await driver.press("S")
        await driver.until("Sort by")
        await driver.type("status")
        await driver.press("enter")
        await driver.wait(lambda: driver.table.sort == ("status", False))
        await driver.press("S")
        await driver.until("Sort by")
        await driver.press("enter")
        await driver.wait(lambda: driver.table.sort is None)
        assert [row.key for row in driver.table.shown_rows] == before


def stages(driver: Driver) -> list[str]:
    """Return what the column STAGE shows, a text for each row."""
    lines = iter(driver.text.splitlines())
    head = next(line for line in lines if "STAGE" in line and "TIMELINE" in line)
    at = head.index("STAGE")
    return [next(lines)[at:].split("  ")[0] for _ in driver.table.shown_rows]


async def test_a_stage_is_named_once_only_in_the_order_of_stages(
    still_platform: RunningEmulator,
) -> None:
    """Sorted by something else, or with rows that are hidden, each row names its own."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("enter")
        await driver.until("TIMELINE")
        await driver.wait(lambda: len(driver.table.shown_rows) > 3)
        await driver.rest()
        own = [row.cells[0].text for row in driver.table.shown_rows]
        once = [name if name != above else "" for name, above in zip(own, ["", *own], strict=False)]
        assert stages(driver) == once != own
        await driver.press("S")
        await driver.until("Sort by")
        await driver.type("job")
        await driver.press("enter")
        await driver.wait(lambda: driver.table.sort == ("job", False))
        await driver.wait(lambda: "" not in stages(driver))
        assert stages(driver) == [row.cells[0].text for row in driver.table.shown_rows]
        await driver.press("S")
        await driver.until("Sort by")
        await driver.press("enter")
        await driver.wait(lambda: stages(driver) == once)
        await driver.enter("/", "!no-such-word")
        await driver.wait(lambda: stages(driver) == own)
        await driver.press("escape")
        await driver.wait(lambda: stages(driver) == once)


async def test_space_marks_and_goes_on(still_platform: RunningEmulator) -> None:
    """Pressed on a marked row it unmarks."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        keys = [row.key for row in driver.table.shown_rows[:3]]
        await driver.press("space", "space")
        await driver.until("2 marked")
        assert driver.table.marks == set(keys[:2])
        assert driver.cursor == keys[2]
        await driver.press("k", "space")
        await driver.until("1 marked")
        assert driver.table.marks == {keys[0]}


# refresh


async def test_refresh_keeps_the_cursor_on_its_pipeline(platform_with: PlatformFactory) -> None:
    """A new pipeline comes in above; the cursor stays where its object goes."""
    platform = platform_with()
    async with driving(dashboard(platform, start=pipelines_of(platform))) as driver:
        await driver.until_at("pipelines")
        await driver.press("j", "j")
        pipeline = driver.cursor
        with api_client(platform) as client:
            answer = client.post(in_project(platform, "pipeline"), json={"ref": "main"})
        started = str(answer.json()["id"])
        await driver.press("r")
        await driver.until(f"#{started}")
        assert driver.table.shown_rows[0].key == started
        assert driver.cursor == pipeline


async def test_paused_polling_says_so_and_goes_on(platform_with: PlatformFactory) -> None:
    """`=` holds everything as it is; `=` again brings what came meanwhile."""
    platform = platform_with()
    app = dashboard(platform, start=pipelines_of(platform), poll=PollSettings(0.2, 0.2))
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("=")
        await driver.until("‖ paused")
        with api_client(platform) as client:
            answer = client.post(in_project(platform, "pipeline"), json={"ref": "main"})
        started = f"#{answer.json()['id']}"
        await driver.pilot.pause(0.8)  # the time of four looks
        assert started not in driver.text
        await driver.press("=")
        await driver.until(started)
        assert "paused" not in driver.text


# namespaces


@pytest.mark.variants("default", reason="it goes by a path that is told, and honest")
async def test_a_namespace_narrows_the_projects(still_platform: RunningEmulator) -> None:
    """Chosen on its own page at 80 columns; esc shows all again."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("tab")
        await driver.until("NAMESPACE")
        spaces = driver.app.screen.query_one("#namespaces", Table)
        await driver.wait(lambda: spaces.has_focus and spaces.size.width > 70)
        while spaces.cursor_key != "acme/finance":
            await driver.press("j")
        await driver.press("enter")
        await driver.until("Projects › acme/finance")
        assert {
            row.cells[5].text.startswith("acme/finance") for row in driver.table.shown_rows
        } == {True}
        await driver.press("escape")
        await driver.until("60 projects")


def focused(driver: Driver) -> str | None:
    """Return the id of the widget that gets the keys."""
    return driver.app.focused.id if driver.app.focused is not None else None


def spaces_of(driver: Driver) -> Namespaces:
    """Return the namespaces beside the projects."""
    return driver.app.screen.query_one(Namespaces)


@pytest.mark.parametrize("hides", ["d", "resize"])
async def test_hidden_details_leave_the_keys_to_the_table(
    still_platform: RunningEmulator, hides: str
) -> None:
    """Put away by `d`, or by a terminal that became too narrow for them."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, (130, 30)) as driver:
        await driver.until_at("pipelines")
        await driver.press("right")
        await driver.wait(lambda: focused(driver) == "detail")
        if hides == "d":
            await driver.press("d")
        else:
            await driver.pilot.resize_terminal(80, 24)
        await driver.wait(lambda: focused(driver) == "table")


@pytest.mark.variants("default", reason="it goes by namespaces of the projects")
async def test_hidden_namespaces_leave_the_keys_to_the_projects(
    still_platform: RunningEmulator,
) -> None:
    """Hidden by a terminal that became too narrow for them."""
    async with driving(dashboard(still_platform, clock=FrozenClock()), (130, 30)) as driver:
        await driver.until_at("projects")
        await driver.press("tab")
        await driver.wait(lambda: focused(driver) == "namespaces")
        await driver.pilot.resize_terminal(80, 24)
        await driver.wait(lambda: focused(driver) == "table")


@pytest.mark.variants("default", reason="it goes by namespaces of the projects")
async def test_a_closed_prompt_returns_to_the_namespaces(still_platform: RunningEmulator) -> None:
    """Where they hide the projects: keys would act on a row that is not shown."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("tab")
        await driver.wait(lambda: focused(driver) == "namespaces")
        await driver.press("colon")
        await driver.wait(lambda: focused(driver) == "typed")
        await driver.press("escape")
        await driver.wait(lambda: focused(driver) == "namespaces")


@pytest.mark.variants("default", reason="it goes by namespaces of the projects")
@pytest.mark.parametrize("key", ["t", "p"])
async def test_keys_of_a_project_do_nothing_among_the_namespaces(
    still_platform: RunningEmulator, key: str
) -> None:
    """They would take the project under a cursor that the user left."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("tab")
        await driver.wait(lambda: focused(driver) == "namespaces")
        await driver.press(key)
        await driver.until_told("The namespaces have the focus: press tab for the projects.")
        assert driver.route.view == "projects"


@pytest.mark.variants("default", reason="it goes by namespaces of the projects")
async def test_a_search_of_all_projects_leaves_the_namespace(
    platform_with: PlatformFactory,
) -> None:
    """The platform searches in all namespaces: what it finds would be hidden."""
    platform = platform_with(scenario="big")
    with api_client(platform) as client:
        pages = [
            client.get("projects", params={"membership": True, "per_page": 100, "page": page})
            for page in (1, 30)
        ]
    first, other = (page.json()[-1] for page in pages)
    space = first["namespace"]["full_path"]
    assert not other["path_with_namespace"].startswith(space)
    async with driving(dashboard(platform, clock=FrozenClock()), (120, 30)) as driver:
        await driver.until_at("projects")
        await driver.until("100 of 5,000 projects")
        spaces_of(driver).choose(space)
        await driver.enter("/", other["path"])
        await driver.press("s")
        key = str(other["id"])
        await driver.wait(lambda: key in {row.key for row in driver.table.shown_rows})


@pytest.mark.variants("default", reason="it goes by namespaces of the projects")
async def test_the_cursor_of_the_namespaces_starts_on_the_chosen_one(
    still_platform: RunningEmulator,
) -> None:
    """Where a route or the next start names it."""
    start = Route("projects", group="acme/finance")
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app, (120, 24)) as driver:
        await driver.until_at("projects")
        await driver.wait(lambda: spaces_of(driver).table.cursor_key == "acme/finance")


async def test_a_project_whose_pipelines_are_refused_is_not_said_to_have_none(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known of its runs."""
    fetch = Reader.fetch

    async def refused(self: Reader, endpoint: Any, *arguments: Any, **more: Any) -> Any:
        if "/pipelines?" in endpoint.target:
            raise ForbiddenError("403 Forbidden", status=403)
        return await fetch(self, endpoint, *arguments, **more)

    monkeypatch.setattr(Reader, "fetch", refused)
    async with driving(dashboard(still_platform, clock=FrozenClock()), (120, 24)) as driver:
        await driver.until_at("projects")
        await driver.settle()
        assert "no runs" not in driver.text


@pytest.mark.variants("default", "spec-only", reason="honest states")
async def test_a_search_counts_what_is_not_loaded(still_platform: RunningEmulator) -> None:
    """Rows that are loaded are not all that the platform found."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, (110, 24)) as driver:
        await driver.until_at("pipelines")
        await driver.enter("/", "success")
        await driver.press("s")
        await driver.until("found for “success”")
        listing = driver.app.screen.body.listing  # type: ignore[attr-defined]
        assert not listing.complete
        await driver.until(f"100 of {listing.total} pipelines")
        await driver.until("L loads all")
