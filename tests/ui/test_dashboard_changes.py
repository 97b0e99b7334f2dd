"""What changed since the last success: commits, files, their diffs, and the merge request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.faults import clear_faults, faults_of, set_fault
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project
from tests.support.wire import in_turn, says, wire_server
from tests.ui.test_dashboard_broken_since import is_all_there
from tests.ui.test_dashboard_previews import count_of, preview, until_previewed

from platui.models.values.routes import Route
from platui.models.wire import Commit
from platui.present.chrome import Freshness
from platui.present.files.changes import NOT_SUPPORTED, range_of
from platui.ui.screens.files.commits import CommitsBody
from platui.ui.screens.files.document import DocumentBody
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.log_keys import LogKeys
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from asyncio import StreamWriter

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

compares = pytest.mark.variants("default", reason="comparing commits is an optional endpoint")


@pytest.fixture
def night(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform whose time stands still."""
    return platform_with(clock=FakeClock())


def runs_of(platform: RunningEmulator) -> list[dict[str, Any]]:
    """Return the newest pipelines of the default branch."""
    with api_client(platform) as client:
        answer = client.get(in_project(platform, "pipelines?ref=main&per_page=100"))
        # A hostile platform lists other things, too.
        return [one for one in answer.json() if isinstance(one, dict)]


def since(platform: RunningEmulator) -> Route:
    """Return "broken since" of the newest failed pipeline."""
    red = next(one for one in runs_of(platform) if one["status"] == "failed")
    return Route("since", platform.project, "showcase", int(red["id"]))


def changes(platform: RunningEmulator, **other: Any) -> Route:
    """Return all that changed in the newest pipelines."""
    runs = runs_of(platform)
    ref = range_of(runs[-1]["sha"], runs[0]["sha"])
    return Route("commits", platform.project, "showcase", runs[0]["id"], **{"ref": ref} | other)


def body_of(driver: Driver) -> CommitsBody:
    """Return the list of changes."""
    screen = driver.app.screen
    assert isinstance(screen, ViewScreen)
    assert isinstance(screen.body, CommitsBody)
    return screen.body


def go_to(driver: Driver, kind: type[object], title: str = "") -> None:
    """Move the cursor to the first commit, or to the first file, with a title."""
    found = (
        key
        for key, one in body_of(driver).changes.items()
        if isinstance(one, Commit) == (kind is Commit) and title in getattr(one, "title", "")
    )
    assert driver.table.move_to(next(found))


async def open_diff(driver: Driver) -> None:
    """Open the diff of the first file."""
    await driver.until_at("commits")
    go_to(driver, object)
    await driver.press("enter")
    await driver.until("@@ ")


@compares
async def test_enter_on_the_commits_lists_what_changed(night: RunningEmulator) -> None:
    """From broken since to the commits and files, to the diff of each, and back again."""
    async with driving(dashboard(night, start=since(night), clock=FrozenClock())) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        assert driver.table.move_to("run:commit")
        await driver.press("enter")
        await driver.until_at("commits")
        body = body_of(driver)
        for one in body.comparison.commits:
            assert one.id[:8] in driver.text
        assert f"{len(body.comparison.commits)} commit" in driver.text
        assert f"── {len(body.comparison.diffs)} file" in driver.text
        go_to(driver, Commit, "Rename staging models")
        await driver.press("enter")
        text = await driver.until("renamed")
        assert driver.route.view == "diff"
        assert "Rename staging models" in text
        await driver.press("escape")
        await driver.until_at("commits")
        go_to(driver, object)
        await driver.press("enter")
        await driver.until("@@ ")
        assert "\n +" in driver.text
        await driver.press("escape")
        await driver.until_at("commits")
        await driver.press("escape")
        await driver.until_at("since")


async def test_equal_commits_are_no_change_in_code(night: RunningEmulator) -> None:
    """The platform is not asked to compare them."""
    commit = runs_of(night)[0]["sha"]
    start = changes(night, ref=range_of(commit, commit))
    async with driving(dashboard(night, start=start, clock=FrozenClock())) as driver:
        text = await driver.until("Same commit: no change in code.")
        assert "0 files" not in text
        await driver.rest()
    assert not any("/compare" in one.path for one in night.platform.journal.entries())


@compares
async def test_below_the_changes_is_the_diff_under_the_cursor(night: RunningEmulator) -> None:
    """That of a file is already there; that of a commit is requested once; `v` hides it."""
    app = dashboard(night, start=changes(night), clock=FrozenClock())
    async with driving(app, (80, 60)) as driver:
        await driver.until_at("commits")
        go_to(driver, Commit, "Rename staging models")
        text = await until_previewed(driver, "renamed ")
        assert text.splitlines()[0].rstrip().endswith("v hide")
        before = count_of(night)
        go_to(driver, object)
        await until_previewed(driver, "@@ ")
        assert count_of(night) == before
        await driver.press("v")
        await driver.wait(lambda: not preview(driver))


def compared(platform: RunningEmulator) -> int:
    """Return how many comparisons were requested."""
    return sum("/compare" in one.path for one in platform.platform.journal.entries())


@compares
async def test_a_diff_that_loads_slowly_is_requested_once(night: RunningEmulator) -> None:
    """However often the list is drawn meanwhile."""
    app = dashboard(
        Elsewhere(night.faults_url, night.token), start=changes(night), clock=FrozenClock()
    )
    async with driving(app, (80, 60)) as driver:
        await driver.until_at("commits")
        go_to(driver, object)
        await until_previewed(driver, "@@ ")
        set_fault(night, "hang", path="/compare", seconds=3600)
        go_to(driver, Commit, "Convert spend")
        await driver.wait(lambda: faults_of(night)[0]["struck"] == 1)
        for _ in range(3):
            body_of(driver).update_ages()
            await driver.rest()
        assert "Loading" in preview(driver)
        assert faults_of(night)[0]["struck"] == 1


@compares
async def test_the_diffs_of_files_are_those_of_the_list(night: RunningEmulator) -> None:
    """Between branches, whose comparison is not final, nothing more is requested."""
    with api_client(night) as client:
        branches = client.get(in_project(night, "repository/branches")).json()
    branch = next(one["name"] for one in branches if not one["default"])
    start = changes(night, ref=range_of("main", branch))
    async with driving(dashboard(night, start=start, clock=FrozenClock()), (80, 60)) as driver:
        await driver.until_at("commits")
        await until_previewed(driver, "@@ ")
        before = compared(night)
        go_to(driver, object)
        await until_previewed(driver, " macros/generate_schema_name.sql  ")
        await driver.rest()
        assert compared(night) == before


@compares
async def test_a_diff_that_failed_is_requested_again_after_a_refresh(
    night: RunningEmulator,
) -> None:
    """Not whenever the list is drawn."""
    app = dashboard(
        Elsewhere(night.faults_url, night.token), start=changes(night), clock=FrozenClock()
    )
    async with driving(app, (80, 60)) as driver:
        await driver.until_at("commits")
        go_to(driver, object)
        await until_previewed(driver, "@@ ")
        set_fault(night, "server_error", path="/compare")
        go_to(driver, Commit, "Convert spend")
        await until_previewed(driver, "500 ")
        before = compared(night)
        clear_faults(night)
        body_of(driver).update_ages()
        await driver.rest()
        assert compared(night) == before
        await driver.press("r")
        await until_previewed(driver, "@@ ")


@compares
async def test_a_diff_is_searched_and_copied(night: RunningEmulator) -> None:
    """`/` finds words in it; added and removed lines have colours."""
    async with driving(dashboard(night, start=changes(night), clock=FrozenClock())) as driver:
        await open_diff(driver)
        await driver.enter("/", "@@")
        await driver.until("1 of 1")
        await driver.press("Y")
        await driver.until("path ")


@compares
async def test_a_diff_that_is_refreshed_stays_at_its_line(night: RunningEmulator) -> None:
    """It is read again by `r`, and when a write ends."""
    app = dashboard(night, start=changes(night), clock=FrozenClock())
    async with driving(app, size=(80, 10)) as driver:
        await open_diff(driver)
        body = driver.app.screen.query_one(DocumentBody)
        position = body.view.position
        await driver.press("j", "j", "j")
        await driver.wait(lambda: position.top_line > 0)
        top, before = position.top_line, body.document
        await driver.press("r")
        await driver.wait(lambda: body.document is not before)
        assert position.top_line == top


@compares
async def test_the_keys_of_a_diff_are_not_those_of_a_log(night: RunningEmulator) -> None:
    """A text that does not grow, without times and sections, lists no keys for them."""
    async with driving(dashboard(night, start=changes(night), clock=FrozenClock())) as driver:
        await open_diff(driver)
        view = driver.app.screen.query_one(LogView)
        hidden = {one for one in LogKeys.COMMANDS if view.check_action("run", (one,)) is False}
        assert hidden == {
            "log.follow", "log.times", "log.fold", "log.fold_all", "log.previous_section",
            "log.next_section", "log.clear_selection",
        }  # fmt: skip
        await driver.press("t", "z", "f")
        assert "@@ " in driver.text


@compares
async def test_o_opens_the_merge_request_of_a_commit(
    night: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that brings it to the default branch; without one, the page of the commit."""
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 22 192.0.2.2 22")
    async with driving(dashboard(night, start=changes(night), clock=FrozenClock())) as driver:
        await driver.until_at("commits")
        go_to(driver, Commit, "Rename staging models")
        await driver.press("o")
        await driver.until_told("/-/commit/")
        await driver.until_told("No merge request found for ")
    with api_client(night) as client:
        branches = client.get(in_project(night, "repository/branches")).json()
    branch = next(one["name"] for one in branches if not one["default"])
    feature = changes(night, ref=range_of("main", branch))
    async with driving(dashboard(night, start=feature, clock=FrozenClock())) as driver:
        await driver.until_at("commits")
        await driver.press("o")
        await driver.until_told("/-/merge_requests/")
        await driver.until_told("Merge request !")


@compares
async def test_what_the_platform_lacks_is_said(night: RunningEmulator) -> None:
    """A commit that is gone is an error."""
    sha = runs_of(night)[0]["sha"]
    gone = changes(night, ref=range_of("0" * 40, sha))
    async with driving(dashboard(night, start=gone, clock=FrozenClock())) as driver:
        await driver.until("Commit Not Found")


async def test_enter_on_the_cause_opens_the_log(still_platform: RunningEmulator) -> None:
    """At the line of the cause, if a comparison found it; else where a failed log opens."""
    app = dashboard(still_platform, start=since(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        assert driver.table.move_to("run:cause")
        await driver.press("enter")
        await driver.until_at("log")
        assert driver.route.job is not None


async def test_without_comparisons_the_two_known_commits_are_listed(
    narrow_platform: RunningEmulator,
) -> None:
    """As their jobs describe them; their diffs are not supported either, and it is said."""
    app = dashboard(narrow_platform, start=since(narrow_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("since")
        await driver.wait(lambda: is_all_there(driver))
        assert driver.table.move_to("run:commit")
        await driver.press("enter")
        await driver.until(NOT_SUPPORTED)
        await driver.until_at("commits")
        commits = list(body_of(driver).changes.values())
        assert len(commits) == 2
        assert all(isinstance(one, Commit) and one.title for one in commits)
        await driver.press("enter")
        await driver.until(lambda text: "Diff" in text and NOT_SUPPORTED in text)


async def test_of_a_first_commit_the_key_of_its_page_is_named() -> None:
    """It has no diff; the key is the one in use."""
    found = says({"commits": [{"id": "c" * 40, "title": "Begin"}], "diffs": []})
    start = Route("commits", "acme/etl", "etl", ref="v1...main")
    async with wire_server(found) as server:
        keys = {"commits.browse": "f5"}
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock(), keys=keys)
        async with driving(app) as driver:
            await driver.until_at("commits")
            await driver.press("enter")
            await driver.until("The commit before this one is unknown: f5 opens its page.")


async def test_a_ref_that_compares_nothing_is_said(night: RunningEmulator) -> None:
    """As of an address with two dots; nothing is asked."""
    start = changes(night, ref="v1..main")
    async with driving(dashboard(night, start=start, clock=FrozenClock())) as driver:
        text = await driver.until("Not a comparison: v1..main.")
        assert "Loading" not in text
        assert body_of(driver).age.kind is Freshness.FAILED
    assert compared(night) == 0


async def test_a_comparison_that_works_later_is_supported() -> None:
    """What was said before is gone."""
    found = {"commits": [{"id": "c" * 40, "title": "Rename models"}], "diffs": []}
    missing = says({"error": "404 Not Found"}, "404 Not Found")
    comparing = in_turn(missing, says(found))

    async def script(heard: Heard, writer: StreamWriter) -> None:
        await (comparing if "/compare" in heard.target else missing)(heard, writer)

    start = Route("commits", "acme/etl", "etl", ref="v1...main")
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until(NOT_SUPPORTED)
            await driver.press("r")
            text = await driver.until("Rename models")
            assert NOT_SUPPORTED not in text


async def test_hostile_names_are_only_text(hostile_platform: RunningEmulator) -> None:
    """Commits, paths and diffs of an attacker change nothing but their own cells."""
    async with driving(
        dashboard(hostile_platform, start=changes(hostile_platform), clock=FrozenClock())
    ) as driver:
        await driver.until_at("commits")
        go_to(driver, object)
        await driver.press("d")
        await driver.until("change ")
        await driver.press("escape")
        await driver.press("enter")
        await driver.until_route("diff")
        await driver.until(" lines ")
        assert "\x1b" not in driver.text
