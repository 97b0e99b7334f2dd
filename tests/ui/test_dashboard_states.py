"""What each view shows while there is nothing, or nothing new, to show: a sentence and a key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, long_running_job
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, ask, credentials
from tests.support.wire import answer, wire_server
from tests.texts.dialogs import NEW_TOKEN
from tests.texts.screens import JOB_HAS_NO_LOG, NO_PIPELINES
from tests.texts.widgets import RETRY_NOW

from platui.config.settings import PollSettings
from platui.models.values.routes import Route, SavedView
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

VIEWS: Final = ("projects", "pipelines", "jobs", "log")
QUICK: Final = PollSettings(0.3, 0.3)


def place_of(view: str, project: str | int = "acme/data", job: int = 9) -> Route:
    """Return a place of a view."""
    if view in {"projects", "triage"}:
        return Route(view)
    if view == "pipelines":
        return Route(view, project, "data")
    if view == "jobs":
        return Route(view, project, "data", pipeline=5)
    return Route(view, project, "data", pipeline=5, job=job, job_name="load")


def moving_place(platform: RunningEmulator, view: str) -> Route:
    """Return a place of the view on a platform whose time goes on; of a log, one that grows."""
    if view in {"projects", "pipelines"}:
        return Route() if view == "projects" else pipelines_of(platform)
    project, job = long_running_job()
    if view == "jobs":
        return Route(view, project.full_path, project.path, job.pipeline_id)
    return Route(view, project.full_path, project.path, job.pipeline_id, job.id, job.name)


def what_is_kept(driver: Driver) -> Any:
    """Return the rows or the lines of the view in front."""
    if driver.route.view == "log":
        document = driver.app.screen.query_one(LogView).document
        assert document is not None
        return [document.text(y) for y in range(5)]
    return [row.key for row in driver.table.shown_rows]


# loading and empty


@pytest.mark.parametrize("view", [*VIEWS, "triage"])
async def test_a_view_that_waits_says_for_what(view: str) -> None:
    """Nothing spins; the header says that it is loading, also where it was left without a row."""
    seen = asyncio.Event()

    async def waits(_: Heard, writer: asyncio.StreamWriter) -> None:
        await seen.wait()
        writer.close()

    said = {
        "log": "Loading the log …",
        "triage": "Loading your projects from test …",
    }.get(view, f"Loading {view} from test …")
    async with wire_server(waits) as server:
        app = dashboard(Elsewhere(server.url), start=place_of(view))
        app.navigation._kept.places[view] = SavedView(place_of(view), saved_at=1.0)
        async with driving(app) as driver:
            await driver.until(said)
            assert "◌ loading" in driver.text
        seen.set()


@pytest.mark.parametrize(
    ("view", "sentence", "key"),
    [
        ("projects", "No projects yet.", "A  change token"),
        ("pipelines", NO_PIPELINES, "esc  back to projects"),
        ("jobs", "This pipeline has no jobs.", "esc  back to pipelines"),
        ("log", JOB_HAS_NO_LOG, "esc  back"),
    ],
)
async def test_an_empty_view_says_what_would_be_here(view: str, sentence: str, key: str) -> None:
    """And which key helps."""

    async def nothing(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if heard.target.endswith("/trace"):
            writer.write(answer(b"", content_type="text/plain"))
        elif heard.target.endswith("/jobs/9"):
            writer.write(answer({"id": 9, "name": "load", "status": "skipped"}))
        elif heard.target.endswith("/pipelines/5"):
            writer.write(answer({"id": 5, "status": "skipped"}))
        else:
            writer.write(answer([]))

    async with (
        wire_server(nothing) as server,
        driving(dashboard(Elsewhere(server.url), start=place_of(view))) as driver,
    ):
        await driver.until(sentence)
        assert key in driver.text
        assert "loading" not in driver.text


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_a_fresh_project_has_no_pipelines(platform_with: PlatformFactory) -> None:
    """Found among the projects and opened, like any other."""
    platform = platform_with()
    with api_client(platform) as client:
        client.post("projects", json={"name": "brand-new"})
    async with driving(dashboard(platform)) as driver:
        await driver.until("no runs")
        await driver.enter("/", "brand-new")
        await driver.press("enter")
        await driver.until(NO_PIPELINES)
        await driver.press("4")
        await driver.until("No job has run in this project yet.")


# not there, not ours


@pytest.mark.parametrize("view", VIEWS[1:])
async def test_what_is_not_there_is_told(still_platform: RunningEmulator, view: str) -> None:
    """404: a title, the platform's sentence, a hint and a key; the header claims no data."""
    app = dashboard(still_platform, start=place_of(view, "acme/none"), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until("Not found")
        assert "404" in driver.text
        assert "not visible to this token" in driver.text
        assert "r  retry" in driver.text
        assert "✖ no data" in driver.text


async def test_a_wrong_address_is_told(still_platform: RunningEmulator) -> None:
    """Where no project API lies."""
    nowhere = Elsewhere(f"{still_platform.base_url}/nowhere", still_platform.token)
    async with driving(dashboard(nowhere)) as driver:
        await driver.until("Not found")
        assert "a web page instead of data" in driver.text
        assert "r  retry" in driver.text


@pytest.mark.parametrize(
    ("body", "content_type", "words"),
    [
        ("<html><h1>Log in to the proxy</h1></html>", "text/html", "web page"),
        ("{not json", "application/json", "JSON"),
        ("[]]", "application/json", "JSON"),
        ('{"message": "hello"}', "application/json", ""),
    ],
    ids=["a proxy's page", "no JSON", "too much", "another shape"],
)
async def test_an_answer_that_is_none_is_told(body: str, content_type: str, words: str) -> None:
    """In a sentence of ours, without the page of the proxy."""

    async def wrong(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(body, content_type=content_type))

    async with (
        wire_server(wrong) as server,
        driving(dashboard(Elsewhere(server.url))) as driver,
    ):
        await driver.until("r  retry")
        assert words in driver.text
        assert "<h1>" not in driver.text


async def test_without_a_token_the_key_that_takes_one_is_named(
    still_platform: RunningEmulator,
) -> None:
    """And the token that is given makes the view live."""
    async with driving(dashboard(still_platform, token="")) as driver:
        await driver.until("No access token for test")
        assert "A  enter a token" in driver.text
        await driver.press("A")
        await driver.until(NEW_TOKEN)
        await driver.paste(still_platform.token)
        await driver.press("enter")
        await driver.until_at("projects")
        await driver.until("● live")


# offline


@pytest.mark.parametrize("view", VIEWS)
async def test_offline_keeps_what_there_is_and_recovers_by_itself(
    platform_with: PlatformFactory, view: str
) -> None:
    """The header says since when, a line says why and which key tries now."""
    clock = FastClock(start=NOW)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=moving_place(platform, view), clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until_at(view)
        kept = what_is_kept(driver)
        await asyncio.to_thread(platform.stop)
        await driver.until("✖ offline since")
        await driver.until(f"r {RETRY_NOW}")
        assert "refused the connection." in driver.text
        assert what_is_kept(driver)[: len(kept)] == kept
        platform_with(port=urlsplit(platform.base_url).port or 0, clock=clock)
        await driver.until("● live", 60)
        await driver.until(lambda text: "offline" not in text and "refused" not in text)
        assert what_is_kept(driver)[: len(kept)] == kept


async def test_a_view_first_opened_offline_says_so(platform_with: PlatformFactory) -> None:
    """Not that it is loading for ever; the key tries again at once."""
    platform = platform_with()
    async with driving(dashboard(platform)) as driver:
        await driver.until_at("projects")
        await asyncio.to_thread(platform.stop)
        await driver.press("enter")
        await driver.until("retries automatically")
        assert f"r  {RETRY_NOW}" in driver.text
        platform_with(port=urlsplit(platform.base_url).port or 0)
        await driver.press("r")
        await driver.until_at("pipelines")


# not signed in


def expire(platform: RunningEmulator) -> None:
    """Let the dashboard's token expire."""
    address = f"{platform.base_url}/-/emulator/expire"
    ask("POST", address, data={"token": platform.token}).raise_for_status()


@pytest.mark.parametrize("view", VIEWS)
async def test_an_expired_token_is_told_and_replaced_in_place(
    platform_with: PlatformFactory, view: str
) -> None:
    """What there is stays; `A` takes another token, and the view is live again."""
    clock = FastClock(start=NOW)
    platform = platform_with(clock=clock)
    app = dashboard(platform, start=moving_place(platform, view), clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until_at(view)
        kept = what_is_kept(driver)
        expire(platform)
        await driver.press("r")
        await driver.until("✖ not signed in")
        await driver.until("A enter a new token")
        assert what_is_kept(driver)[: len(kept)] == kept
        await driver.press("A")
        await driver.until(NEW_TOKEN)
        await driver.type(credentials(platform)["personal_second"])
        await driver.press("enter")
        await driver.until("● live")
        await driver.until(lambda text: "enter a new token" not in text)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("personal_without_scope", "The token lacks the scope `api` or `read_api`."),
        ("blocked_personal", "The owner of this token is blocked on the platform."),
    ],
)
@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_a_known_token_that_opens_nothing_is_told_and_replaced(
    platform: RunningEmulator, name: str, sentence: str
) -> None:
    """It is neither wrong nor expired: the page says what it is, and `A` helps here, too."""
    async with driving(dashboard(platform, token=credentials(platform)[name])) as driver:
        await driver.until(sentence)
        await driver.press("A")
        await driver.until(NEW_TOKEN)
        await driver.type(platform.token)
        await driver.press("enter")
        await driver.until_at("projects")
        await driver.until(lambda text: sentence not in text and "● live" in text)


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "Enter a token"),
        ("   ", "Enter a token"),
        ("two words", "only ASCII characters"),
        ("tökén", "only ASCII characters"),
    ],
)
async def test_what_cannot_be_a_token_is_refused_and_kept(
    platform_with: PlatformFactory, typed: str, complaint: str
) -> None:
    """It can be corrected; nothing is sent with it."""
    platform = platform_with()
    async with driving(dashboard(platform)) as driver:
        await driver.until_at("projects")
        await driver.press("A")
        await driver.until(NEW_TOKEN)
        await driver.type(typed)
        await driver.press("enter")
        await driver.until(complaint)
        assert "•" * len(typed) in driver.text
        await driver.press("escape")
        await driver.until(lambda text: "New token" not in text)
        await driver.until("● live")


async def test_a_typed_token_is_never_shown(still_platform: RunningEmulator) -> None:
    """Neither while it is typed nor after; one that is refused does not replace the one before."""
    async with driving(dashboard(still_platform)) as driver:
        await driver.until_at("projects")
        await driver.press("A")
        await driver.until(NEW_TOKEN)
        assert "platui init test" in driver.text
        await driver.type("hush-hush")
        await driver.until("•" * 9)
        assert "hush" not in driver.text
        await driver.press("enter")
        await driver.until_told("The platform does not accept this token.")
        await driver.until("● live")
        assert "hush" not in driver.text + driver.told


async def test_a_wrong_token_can_be_followed_by_a_right_one(
    still_platform: RunningEmulator,
) -> None:
    """The dialog says what the platform said of the one before."""
    async with driving(dashboard(still_platform, token="nonsense")) as driver:
        await driver.until("✖ not signed in")
        await driver.until("A  enter a new token")
        await driver.press("A")
        await driver.until(NEW_TOKEN)
        await driver.paste(f"  {still_platform.token}\n")
        await driver.press("enter")
        await driver.until_at("projects")


async def test_an_error_page_has_the_frozen_clock_of_nobody(
    still_platform: RunningEmulator,
) -> None:
    """A view that has never had data says no age."""
    start = Route("pipelines", "acme/none", "none")
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until("✖ no data")
        assert "stale" not in driver.text
        assert "live" not in driver.text
