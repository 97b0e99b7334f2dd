"""The files a job left: listed, saved while one looks on, stopped, and their absence told."""

from __future__ import annotations

import asyncio
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project
from tests.support.wire import answer, wire_server
from tests.texts.dialogs import FILE_EXISTS, NO_ARCHIVE, NO_FILE_NAME, SAVE_ARCHIVE
from tests.ui.test_dashboard_previews import until_previewed

from platui.models.values.routes import Route
from platui.service.files.downloading import Downloads

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.wire import Heard

    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="downloads are a neighbour's; texts are honest")


def job_with(platform: RunningEmulator, *, archive: bool) -> dict[str, Any]:
    """Return a finished job of the showcase that left an archive, or only its log."""
    with api_client(platform) as client:
        for page in range(1, 10):
            jobs = client.get(
                in_project(platform, "jobs"), params={"per_page": 100, "page": page}
            ).json()
            for job in jobs:
                types = {one["file_type"] for one in job["artifacts"]}
                if ("archive" in types) == archive and "trace" in types:
                    return dict(job)
    raise AssertionError("no such job")


def log_of(platform: RunningEmulator, job: dict[str, Any]) -> Route:
    """Return the place of a job's log."""
    name = platform.project.rpartition("/")[2]
    return Route("log", platform.project, name, job["pipeline"]["id"], job["id"], str(job["name"]))


def on_log(platform: RunningEmulator, job: dict[str, Any]) -> PlatuiApp:
    """Return the dashboard on a job's log, at the platform's own time."""
    return dashboard(platform, start=log_of(platform, job), clock=FrozenClock())


async def test_an_archive_is_saved(
    still_platform: RunningEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the name that is offered; the storage was asked without a token."""
    monkeypatch.chdir(tmp_path)
    job = job_with(still_platform, archive=True)
    async with driving(on_log(still_platform, job)) as driver:
        await driver.until_at("log")
        await driver.press("D")
        text = await driver.until(SAVE_ARCHIVE)
        assert "artifacts.zip" in text
        assert "expires" in text
        assert f"{job['name']}-{job['id']}.zip" in text
        await driver.press("enter")
        await driver.until_told("Saved ")
    [saved] = tmp_path.iterdir()
    assert saved.name == f"{job['name']}-{job['id']}.zip"
    assert zipfile.ZipFile(saved).testzip() is None
    asked = [one for one in still_platform.platform.journal.entries() if one.server == "storage"]
    assert asked
    assert not any(one.tokens for one in asked)


async def test_a_name_that_is_taken_is_told_in_place(
    still_platform: RunningEmulator, tmp_path: Path
) -> None:
    """What was typed stays, and another works; also none, and one nothing can have."""
    taken = tmp_path / "a.zip"
    taken.write_text("mine")
    job = job_with(still_platform, archive=True)
    async with driving(on_log(still_platform, job)) as driver:
        await driver.until_at("log")
        await driver.press("D")
        await driver.until(SAVE_ARCHIVE)
        await driver.press("ctrl+u", "enter")
        await driver.until(NO_FILE_NAME)
        await driver.type("~nobody-of-that-name/a.zip")
        await driver.until(lambda text: NO_FILE_NAME not in text)
        await driver.press("enter")
        await driver.until("Invalid path")
        await driver.press("ctrl+u")
        await driver.type(str(taken))
        await driver.press("enter")
        await driver.until(FILE_EXISTS)
        assert "a.zip" in driver.text
        await driver.type("2")
        await driver.press("enter")
        await driver.until_told("Saved ")
    assert taken.read_text() == "mine"
    assert zipfile.is_zipfile(tmp_path / "a.zip2")


async def test_a_job_without_an_archive_says_so(still_platform: RunningEmulator) -> None:
    """Its log is listed, and nothing offers to save it here."""
    job = job_with(still_platform, archive=False)
    async with driving(on_log(still_platform, job)) as driver:
        await driver.until_at("log")
        await driver.press("D")
        text = await driver.until(NO_ARCHIVE)
        assert "trace" in text
        assert SAVE_ARCHIVE not in text
        await driver.press("q")
        await driver.until(" lines ")


async def test_a_download_that_hangs_up_slowly_leaves_the_next_one_alone(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped and begun again at once: what is shown is of the second."""
    hung_up, calls = asyncio.Event(), 0

    async def save(*_: Any) -> int:
        nonlocal calls
        calls += 1
        slow = calls == 1
        try:
            await asyncio.Event().wait()
        finally:
            if slow:
                await hung_up.wait()
        return 0

    monkeypatch.setattr(Downloads, "save_artifacts", save)
    job = job_with(still_platform, archive=True)
    async with driving(on_log(still_platform, job)) as driver:
        await driver.until_at("log")
        await driver.press("D")
        await driver.until(SAVE_ARCHIVE)
        await driver.press("enter")
        await driver.until("esc stop")
        await driver.press("escape")
        await driver.until("Stopped")
        await driver.press("enter")
        await driver.wait(lambda: calls == 2)
        hung_up.set()
        await driver.rest()
        assert "requesting …" in driver.text
        assert "esc stop" in driver.text


async def test_the_files_of_an_archive_are_browsed(
    still_platform: RunningEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tab` lists them, enter opens one, `s` saves one; the archive is downloaded once."""
    monkeypatch.chdir(tmp_path)
    job = job_with(still_platform, archive=True)
    before = len(
        [one for one in still_platform.platform.journal.entries() if one.server == "storage"]
    )
    async with driving(on_log(still_platform, job)) as driver:
        await driver.until_at("log")
        await driver.press("D")
        await driver.until(SAVE_ARCHIVE)
        await driver.press("tab")
        await driver.until_at("artifacts")
        assert "decompressed" in driver.text
        assert " y copy path " in driver.text
        name = driver.cursor
        assert name is not None
        assert f" {name} " in await until_previewed(driver, " lines ")
        await driver.press("enter")
        await driver.until(lambda text: " lines 1–" in text and name in text)
        await driver.press("escape")
        await driver.until_at("artifacts")
        await driver.press("s")
        await driver.until("Save the file as")
        await driver.press("enter")
        await driver.until_told("Saved ")
        await driver.press("escape")
        await driver.until_at("log")
    [saved] = tmp_path.iterdir()
    assert saved.name == name.rpartition("/")[2]
    asked = [one for one in still_platform.platform.journal.entries() if one.server == "storage"]
    assert len(asked) == before + 1


async def test_a_missing_archive_is_said(still_platform: RunningEmulator) -> None:
    """Where somebody comes by an address."""
    job = job_with(still_platform, archive=False)
    name = still_platform.project.rpartition("/")[2]
    start = Route("artifacts", still_platform.project, name, job=job["id"])
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until("This job has no archive of artifacts.")


async def test_a_second_download_shows_its_progress() -> None:
    """And not the error of the first."""
    released = asyncio.Event()
    whole = answer(b"x" * 1_000_000, content_type="application/zip")

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if sum(one.target.endswith("/artifacts") for one in server.heard) == 1:
            writer.write(answer({"message": "403 Forbidden"}, "403 Forbidden"))
        elif heard.target.endswith("/artifacts"):
            writer.write(whole[:500_000])
            await writer.drain()
            await released.wait()

    start = Route("artifacts", "acme/etl", "etl", job=5)
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("Not allowed")
            await driver.press("r")
            text = await driver.until(" of 1.00 MB")
            assert "Downloading the archive" in text
            assert "Not allowed" not in text
            released.set()


@pytest.mark.parametrize(("view", "ref"), [("artifacts", ""), ("diff", "a...b")])
async def test_what_is_read_once_is_not_said_to_be_retried(view: str, ref: str) -> None:
    """The archive, and any text that no feed follows."""

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer({"message": "500"}, "500 Internal Server Error"))

    start = Route(view, "acme/etl", "etl", job=5, ref=ref)
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            text = await driver.until("r  retry")
            assert "automatically" not in text
