"""A key that does nothing here says why; esc and q go where one came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, failed_pipeline, in_project
from tests.support.wire import says, wire_server
from tests.ui.test_dashboard_compare import compared, red_log, runs

from platui.models.values.routes import Route
from platui.present.guide import read_page
from platui.ui.command_app import ClipboardAndBrowser
from platui.ui.screens.pipelines import SearchPipelines
from platui.ui.themes import palette_of

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default", "spec-only", reason="the attacks have no honest refs and states"
)


def pipeline_with(platform: RunningEmulator, status: str) -> int:
    """Return the newest pipeline of the showcase with a status."""
    with api_client(platform) as client:
        found = client.get(in_project(platform, "pipelines?per_page=100")).json()
    return next(int(one["id"]) for one in found if one["status"] == status)


async def test_n_at_the_last_difference_wraps_around(still_platform: RunningEmulator) -> None:
    """And `N` at the first one, as in a log."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await compared(driver)
        await driver.press("G", "n")
        await driver.until_told("Continued from the top.")
        await driver.press("g", "N")
        await driver.until_told("Continued from the end.")


async def test_the_help_of_a_comparison_names_its_colours(still_platform: RunningEmulator) -> None:
    """`+` is red in a failed log, `-` is green."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await compared(driver)
        palette = palette_of(driver.app)
        signs = {
            segment.text.strip()[-1:]: segment.style
            for strip in driver.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None and segment.text.strip()[-1:] in {"+", "-"}
        }
        assert {sign: style.color for sign, style in signs.items()} == {
            "+": palette.style("failed").color,
            "-": palette.style("success").color,
        }
    page = read_page("views", "compare").text
    assert "- green: only in the successful log" in page
    assert "+ red (blue while the job runs): only in this log" in page


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("f", "Nothing to follow: this log has ended."),
        ("X", "No writes in a log: esc goes back to the list, where X works."),
        ("T", "No writes in a log: esc goes back to the list, where T works."),
    ],
)
async def test_keys_of_a_finished_log(
    still_platform: RunningEmulator, key: str, words: str
) -> None:
    """The footer does not offer them."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("log")
        await driver.until("ended")
        await driver.wait(lambda: " f follow" not in driver.text)
        await driver.press(key)
        await driver.until_told(words)


@pytest.mark.parametrize("key", ["b", "d", "D", "o", "p"])
async def test_keys_of_a_log_whose_job_is_not_loaded(key: str) -> None:
    """They claim nothing of it."""
    refused = says({"message": "403 Forbidden"}, "403 Forbidden")
    start = Route("log", "acme/etl", "etl", 10, 5, "dbt")
    async with wire_server(refused) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("403 Forbidden")
            await driver.press(key)
            await driver.until_told("This job is not loaded.")


async def test_o_of_a_job_without_an_address() -> None:
    """A platform may send none."""
    start = Route("log", "acme/etl", "etl", 10, 5, "dbt")
    async with wire_server(runs(b"", b"one\n")) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("ended")
            await driver.wait(lambda: driver.app.screen.body.job is not None)  # type: ignore[attr-defined]
            await driver.press("o")
            await driver.until_told("This job has no URL.")


async def test_j_without_another_failed_job(still_platform: RunningEmulator) -> None:
    """`J` in the jobs of a successful pipeline, and `b`."""
    number = pipeline_with(still_platform, "success")
    start = Route("jobs", still_platform.project, "showcase", number)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        await driver.press("J")
        await driver.until_told("failed job here.")
        await driver.wait(lambda: driver.app.screen.body.pipeline is not None)  # type: ignore[attr-defined]
        await driver.press("b")
        await driver.until_told(f"Nothing to compare: #{number} has not failed.")


async def test_b_on_a_successful_pipeline(still_platform: RunningEmulator) -> None:
    """In the list of pipelines."""
    number = pipeline_with(still_platform, "success")
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.wait(lambda: driver.table.move_to(str(number)))
        await driver.press("b")
        await driver.until_told(f"Nothing to compare: #{number} has not failed.")


async def test_an_area_opened_in_a_log_returns_to_it(still_platform: RunningEmulator) -> None:
    """By `esc`, as by `-`."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        for back in ("escape", "minus"):
            await driver.until_at("log")
            await driver.press("3")
            await driver.until_at("pipelines")
            await driver.press(back)
            await driver.until_at("log")
            assert driver.route.job == start.job


async def test_q_leaves_from_a_log_that_was_opened_first(still_platform: RunningEmulator) -> None:
    """Also after a look at another area."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("log")
        await driver.press("3")
        await driver.until_at("pipelines")
        await driver.press("q")
        await driver.until_at("log")
        await driver.press("q")
        await driver.wait(lambda: driver.app.return_value == 0)


async def test_s_says_why_it_searches_nothing(still_platform: RunningEmulator) -> None:
    """Without words, and with words that the platform cannot search for."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("s")
        await driver.until_told("Nothing to search for: filter the list first.")
        await driver.enter("/", "some words")
        await driver.press("s")
        await driver.until_told(SearchPipelines.SEARCHABLE)


async def test_keys_of_saved_rows_say_that_the_list_is_not_loaded(
    platform_with: PlatformFactory,
) -> None:
    """The rows of the last time are shown while the platform is away."""
    platform = platform_with(clock=FakeClock())
    start = Route("jobs", platform.project, "showcase", failed_pipeline(platform))
    first = dashboard(platform, start=start, clock=FrozenClock(), remembers=True)
    async with driving(first) as driver:
        await driver.until_at("jobs")
        await driver.settle()
        driver.app.exit(0)
    platform.stop()
    again = dashboard(platform, clock=FrozenClock(), remembers=True, writes="confirm")
    async with driving(again) as driver:
        await driver.wait(lambda: driver.route.view == "jobs" and driver.cursor is not None)
        for key in ("T", "y", "o", "enter"):
            driver.app.clear_notifications()
            await driver.press(key)
            await driver.until_told("The list is not loaded yet.")


@pytest.mark.variants("default", reason="a child pipeline with an address of its own")
async def test_a_child_pipeline_has_the_url_of_its_bridge(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`y` copies it."""
    texts: list[str] = []

    async def note(_: ClipboardAndBrowser, text: str, what: str) -> None:
        del what
        texts.append(text)

    monkeypatch.setattr(ClipboardAndBrowser, "_copy", note)
    project, bridge = bridge_in(still_platform)
    start = Route("jobs", project, "project", bridge["pipeline"]["id"])
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        await driver.wait(lambda: driver.table.move_to(f"bridge:{bridge['id']}"))
        await driver.press("y")
        await driver.wait(lambda: texts == [bridge["web_url"]])


def bridge_in(platform: RunningEmulator) -> tuple[int, dict[str, Any]]:
    """Return a bridge, and the id of its project."""
    with api_client(platform) as client:
        for project in client.get("projects", params={"per_page": 100}).json():
            path = f"projects/{project['id']}/pipelines"
            for one in client.get(path, params={"per_page": 5}).json():
                if found := client.get(f"{path}/{one['id']}/bridges").json():
                    return int(project["id"]), dict(found[0])
    raise LookupError


async def test_marks_that_a_filter_hides_are_named(still_platform: RunningEmulator) -> None:
    """Keys act on marked rows only where they are shown."""
    app = dashboard(
        still_platform, start=pipelines_of(still_platform), clock=FrozenClock(), writes="confirm"
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("g", "space")
        await driver.until("1 marked")
        [marked] = driver.table.marks
        await driver.enter("/", f"!{marked}")
        await driver.wait(lambda: marked not in {row.key for row in driver.table.shown_rows})
        for key in ("y", "T", "W"):
            app.clear_notifications()
            await driver.press(key)
            await driver.until_told("The marked rows are hidden by the filter.")
