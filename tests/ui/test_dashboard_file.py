"""The file screen: the pipeline's own file first, another file, another ref, and their absence."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import pytest
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.platform import api_client, in_project
from tests.support.wire import answer, wire_server
from tests.texts.screens import LOADING_FILE
from textual.widgets import Input

from platui.models.values.files import PipelineFiles
from platui.models.values.routes import Route
from platui.present.files.source import read_source
from platui.service.files.repository import Repository
from platui.ui.dialogs.menu import Menu
from platui.ui.screens.files.file import FileScreen
from platui.ui.terminal import key_queue
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui.present.files.source import Source
    from platui_emulator.server import RunningEmulator


listed = pytest.mark.variants("default", reason="refs and folders are neighbours; names are honest")


def repository(platform: RunningEmulator, what: str, **params: Any) -> list[dict[str, Any]]:
    """Return branches, tags or a folder of the showcase."""
    with api_client(platform) as client:
        answer = client.get(in_project(platform, f"repository/{what}"), params=params)
        return list(answer.raise_for_status().json())


def pipeline_file(platform: RunningEmulator) -> str:
    """Return the path of one of the showcase's pipeline files."""
    names: list[str] = [entry["path"] for entry in repository(platform, "tree")]
    return next(name for name in names if name.endswith("-ci.yml"))


def file_of(platform: RunningEmulator, path: str = "", ref: str = "main") -> Route:
    """Return the place of a file of the showcase."""
    name = platform.project.rpartition("/")[2]
    return Route("file", platform.project, name, path=path, ref=ref)


def shown_top(driver: Driver) -> int:
    """Return the first line in sight, from 0."""
    return driver.app.screen.query_one(LogView).position.top_line


@listed
async def test_p_on_a_pipeline_offers_its_files(still_platform: RunningEmulator) -> None:
    """Those that look like pipeline files first; the one that is chosen is read and checked."""
    # A push names no file in its variables, so that the file has to be chosen.
    with api_client(still_platform) as client:
        path = in_project(still_platform, "pipelines")
        pushed = client.get(path, params={"source": "push"}).json()[0]
    start = replace(
        pipelines_of(still_platform), view="jobs", pipeline=pushed["id"], ref=pushed["ref"]
    )
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("jobs")
        await driver.press("p")
        await driver.until("full-ci.yml")
        await driver.until_told("The pipeline does not name its file: choose one.")
        await driver.rest()  # all files are listed, and the cursor is on the first
        await driver.press("enter")
        await driver.until(lambda text: "sha256 ✔" in text and "   1 # " in text)
        assert driver.route.path == pipeline_file(still_platform)
        await driver.press("escape")
        await driver.until_at("jobs")


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_a_pipeline_that_names_its_file_opens_it(platform: RunningEmulator) -> None:
    """The variable `_PIPELINE_FILE_NAME` says which file a pipeline was made from."""
    path = "dev-ci.yml"
    with api_client(platform) as client:
        started = client.post(
            in_project(platform, "pipeline"),
            params={"ref": "main"},
            json={"variables": [{"key": "_PIPELINE_FILE_NAME", "value": path}]},
        ).json()
        if client.get(in_project(platform, f"pipelines/{started['id']}/variables")).is_error:
            pytest.skip("this platform does not tell a pipeline's variables")
    place = Route("file", platform.project, "project", pipeline=started["id"], ref=started["sha"])
    async with driving(dashboard(platform, start=place)) as driver:
        await driver.until("sha256 ✔")
        assert driver.route.path == path


@listed
async def test_at_reads_the_same_file_elsewhere(still_platform: RunningEmulator) -> None:
    """`@` lists branches and tags; the path stays, `[` goes back."""
    path = pipeline_file(still_platform)
    tag = repository(still_platform, "tags")[0]["name"]
    async with driving(dashboard(still_platform, start=file_of(still_platform, path))) as driver:
        await driver.until("sha256 ✔")
        await driver.press("at")
        await driver.until("other: type a branch")
        await driver.type(tag)
        await driver.press("enter")
        await driver.until(f" {tag} · ")
        assert (driver.route.path, driver.route.ref) == (path, tag)
        await driver.press("left_square_bracket")
        await driver.until(" main · ")


async def test_of_many_branches_and_files_the_first_are_listed() -> None:
    """The default branch among them; it is said that there are more."""

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        path, _, query = heard.target.partition("?")
        page = int(dict(parse_qsl(query)).get("page", "1"))
        names = [f"{page}-{at}" for at in range(100)]
        lists: dict[str, list[dict[str, str]]] = {
            "branches": [{"name": one} for one in names],
            "tree": [{"path": one, "type": "blob"} for one in names],
            "tags": [],
        }
        if (found := lists.get(path.rpartition("/")[2])) is not None:
            following = {"x_next_page": str(page + 1)} if found else {}
            writer.write(answer(found, **following))
        elif path.endswith("/projects/acme%2Fetl"):
            writer.write(answer({"id": 7, "default_branch": "trunk"}))
        else:
            writer.write(answer({"message": "404 File Not Found"}, "404 Not Found"))

    start = Route("file", "acme/etl", "etl", path="a.py", ref="main")
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start)
        async with driving(app) as driver:
            await driver.until("a.py not found at main")
            for key, count in (("at", "1,001"), ("p", "1,000")):
                await driver.press(key)
                await driver.until("type to search")
                if key == "at":
                    assert driver.table.shown_rows[0].cells[0].text == "trunk"
                await driver.type("other")
                await driver.until(f"only {count} are listed")
                await driver.press("escape")


@listed
@pytest.mark.parametrize("key", ["p", "at"])
async def test_keys_typed_while_the_chooser_opens_are_its_text(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """`A` would be the access token; escape does not wait, and drops what was typed."""
    released = asyncio.Event()
    name = "folder" if key == "p" else "refs"
    find = getattr(Repository, name)

    async def slowly(*words: Any) -> Any:
        await released.wait()
        return await find(*words)

    monkeypatch.setattr(Repository, name, slowly)
    start = file_of(still_platform, "dev-ci.yml")
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until("sha256 ✔")
        await driver.press(key, "R", "E", "A", "D")
        assert isinstance(driver.app.screen, FileScreen)
        released.set()
        await driver.wait(lambda: isinstance(driver.app.screen, Menu))
        await driver.wait(lambda: driver.app.screen.query_one(Input).value == "READ")
        await driver.press("escape")
        await driver.wait(lambda: isinstance(driver.app.screen, FileScreen))
        released.clear()
        with monkeypatch.context() as short:
            short.setattr(key_queue, "_HELD_FOR", 0.0)
            await driver.press(key)
        await driver.press(key, "R", "E", "A", "D")  # the second request replaces the first
        assert isinstance(driver.app.screen, FileScreen)
        released.set()
        await driver.wait(lambda: isinstance(driver.app.screen, Menu))
        await driver.wait(lambda: driver.app.screen.query_one(Input).value == "READ")
        await driver.press("escape")
        await driver.wait(lambda: isinstance(driver.app.screen, FileScreen))
        released.clear()
        await driver.press(key, "A", "escape", "colon")
        await driver.wait(lambda: isinstance(driver.app.focused, Input))
        await driver.type("nothing")
        await driver.until(":nothing")


@listed
async def test_folders_open_in_the_list(still_platform: RunningEmulator) -> None:
    """Down to a file, by its name; the title says where one is."""
    async with driving(
        dashboard(still_platform, start=file_of(still_platform, "dev-ci.yml"))
    ) as driver:
        await driver.until("sha256 ✔")
        for choice in ("models", "staging", ".sql"):
            await driver.press("p") if choice == "models" else None
            await driver.until("type to search" if choice == "models" else "../")
            await driver.type(choice)
            await driver.press("enter")
        await driver.until("with source as")
        assert driver.route.path.startswith("models/staging/")
        await driver.enter(":", "7")
        await driver.until("▎   7 ")


@listed
async def test_a_pasted_address_of_a_file_opens_it_at_its_line(
    still_platform: RunningEmulator,
) -> None:
    """Also where its ref has slashes: where that ends the address does not say."""
    names = [one["name"] for one in repository(still_platform, "branches")]
    ref = next(name for name in names if "/" in name)
    page = f"{still_platform.base_url}/{still_platform.project}/-/blob"
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("pipelines")
        await driver.press(":")
        await driver.paste(f"{page}/{ref}/dbt_project.yml#L12")
        await driver.press("enter")
        await driver.until("  12     staging:")
        assert (driver.route.path, driver.route.ref) == ("dbt_project.yml", ref)
        view = driver.app.screen.query_one(LogView)
        await driver.wait(lambda: view.position.focus_in_sight == 11)
        await driver.press(":")
        await driver.paste(f"{page}/{ref}/dbt_project.yml#L3")
        await driver.press("enter")
        await driver.wait(lambda: view.position.focus_in_sight == 2)
        # A list that comes while one types closes the line before it opens.
        screen: Any = driver.app.screen
        await driver.press(":")
        await driver.wait(lambda: screen.prompt.is_open)
        screen.body.finder.choose_file("")
        await driver.until("type to search")
        assert not screen.prompt.is_open
        await driver.press("escape")
        await driver.wait(lambda: driver.app.screen is screen)
        await driver.enter(":", "file no/such/file.sql")
        await driver.until("no/such/file.sql not found at")


@listed
async def test_a_path_can_be_typed(still_platform: RunningEmulator) -> None:
    """As a command, with its ref; what is not there is said with the keys that help."""
    async with driving(dashboard(still_platform, start=file_of(still_platform))) as driver:
        await driver.until("type to search")
        await driver.press("escape")
        await driver.until("No file selected.")
        await driver.enter(":", "file dbt_project.yml @HEAD")
        await driver.until("sha256 ✔")
        assert (driver.route.path, driver.route.ref) == ("dbt_project.yml", "HEAD")
        await driver.enter(":", "file no/such.yml")
        await driver.until("no/such.yml not found at HEAD")
        await driver.enter(":", "file README.md")
        await driver.until("sha256 ✔")


@listed
async def test_a_page_without_a_file_names_the_keys_in_use(still_platform: RunningEmulator) -> None:
    """Which the user may have chosen."""
    keys = {"file.choose": "f5", "file.ref": "f6"}
    app = dashboard(still_platform, start=file_of(still_platform, "no/such.yml"), keys=keys)
    async with driving(app) as driver:
        await driver.until("f5  another file      f6  another ref")


async def test_where_nothing_is_listed_one_types(platform_with: PlatformFactory) -> None:
    """The spec knows the file alone: no tree, no branches, no variables (§4.3)."""
    platform = platform_with(spec_only=True)
    start = Route("file", platform.project, "project", ref="main")
    async with driving(dashboard(platform, start=start)) as driver:
        await driver.until("path of a file")
        await driver.type("dev-ci.yml")
        await driver.press("enter")
        await driver.until("sha256 ✔")
        await driver.press("at")
        await driver.until("branch, tag or commit")
        assert " @main" in driver.text
        await driver.press(*["backspace"] * 4)
        await driver.type("nowhere")
        await driver.press("enter")
        await driver.until("dev-ci.yml not found at nowhere")


def slow_longer_ref(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Hold the search for a longer ref; returns when it has begun, and what releases it."""
    asked, released = asyncio.Event(), asyncio.Event()
    find = Repository.longer_ref

    async def slowly(ours: Repository, *words: Any) -> tuple[str, str] | None:
        asked.set()
        await released.wait()
        return await find(ours, *words)

    monkeypatch.setattr(Repository, "longer_ref", slowly)
    return asked, released


def branch_with_a_slash(platform: RunningEmulator) -> tuple[str, str]:
    """Return the parts of its name."""
    names = [one["name"] for one in repository(platform, "branches")]
    first, _, rest = next(name for name in names if "/" in name).partition("/")
    return first, rest


@listed
async def test_a_ref_that_is_found_after_one_has_left_changes_no_other_view(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked for again when one is back."""
    asked, released = slow_longer_ref(monkeypatch)
    first, rest = branch_with_a_slash(still_platform)
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("pipelines")
        route = file_of(still_platform, f"{rest}/dbt_project.yml", first)
        driver.app.navigation.go(route)
        await driver.wait(asked.is_set)
        await driver.press("escape")
        await driver.until_at("pipelines")
        released.set()
        await driver.settle()
        assert driver.route == start
        await driver.press("right_square_bracket")
        await driver.until("staging:")
        assert (driver.route.path, driver.route.ref) == ("dbt_project.yml", f"{first}/{rest}")


@listed
async def test_a_menu_does_not_end_the_search_for_a_longer_ref(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it finds is shown below the menu."""
    asked, released = slow_longer_ref(monkeypatch)
    first, rest = branch_with_a_slash(still_platform)
    start = file_of(still_platform, f"{rest}/dbt_project.yml", first)
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.wait(asked.is_set)
        await driver.press("at")
        await driver.until("other: type a branch")
        await driver.press("escape")
        released.set()
        await driver.until("staging:")
        assert driver.route.ref == f"{first}/{rest}"


@listed
async def test_another_file_begins_at_its_first_line(still_platform: RunningEmulator) -> None:
    """The line of an address is of its own file."""
    start = replace(file_of(still_platform, "dbt_project.yml"), line=11)
    async with driving(dashboard(still_platform, start=start), size=(80, 10)) as driver:
        await driver.wait(lambda: shown_top(driver) > 0)
        await driver.enter(":", "file dev-ci.yml")
        await driver.until("sha256 ✔")
        assert (driver.route.path, driver.route.line) == ("dev-ci.yml", None)
        await driver.rest()
        assert shown_top(driver) == 0


@listed
async def test_what_is_left_of_a_file_does_not_come_back(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large file that is still being read when one goes on is not shown as the next one."""
    path, release = pipeline_file(still_platform), threading.Event()

    def slowly(file: Any) -> Source:
        assert release.wait(10)
        return read_source(file)

    monkeypatch.setattr("platui.present.files.source.read_source", slowly)
    async with driving(dashboard(still_platform, start=file_of(still_platform, path))) as driver:
        await driver.until("● live")
        await driver.enter(":", "file no/such.yml")
        await driver.until("no/such.yml not found")
        release.set()
        await driver.rest()
        assert "no/such.yml not found" in driver.text
        assert "sha256" not in driver.text


@pytest.mark.parametrize("answer", [("dev-ci.yml",), ("", None), ("", ("a-ci.yml", "b-ci.yml"))])
async def test_a_question_does_not_follow_one_elsewhere(
    still_platform: RunningEmulator,
    monkeypatch: pytest.MonkeyPatch,
    answer: tuple[Any, ...],
) -> None:
    """Which file it is comes when one is gone: asked anew when one is back."""
    released = asyncio.Event()
    find = Repository.pipeline_files

    async def slowly(ours: Repository, *words: Any) -> PipelineFiles:
        if not released.is_set():
            await released.wait()
            return PipelineFiles(*answer)
        return await find(ours, *words)

    monkeypatch.setattr(Repository, "pipeline_files", slowly)
    async with driving(dashboard(still_platform, start=pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        await driver.press("p")
        await driver.until(LOADING_FILE)
        await driver.press("escape")
        await driver.until_at("pipelines")
        released.set()
        await driver.rest()
        assert driver.app.screen.query("#table")
        assert driver.app.focused is driver.table
        await driver.press("j", "k")
        assert driver.route == pipelines_of(still_platform)
        await driver.press("right_square_bracket")
        asked = ("sha256 ✔", "type to search", "path of a file")
        await driver.until(lambda text: any(words in text for words in asked))


async def test_leaving_on_a_file_keeps_the_list_it_came_from(
    still_platform: RunningEmulator,
) -> None:
    """The next start has rows to show at once: those below the file, not those of last week."""
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, remembers=True)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        rows = driver.table.shown_rows
        await driver.press("p")
        await driver.wait(lambda: driver.route.view == "file")
        app.exit(0)
    kept = app.service.local_state.saved_route()
    assert kept is not None
    assert kept.route == start
    assert [row.key for row in kept.rows] == [row.key for row in rows][: len(kept.rows)]
    assert kept.rows
