"""Archives of artifacts made by an attacker: the view survives them and says what is wrong."""

from __future__ import annotations

import io
import zipfile
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.frozen import FrozenClock
from tests.support.wire import answer, wire_server

from platui.models.values.routes import Route

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from tests.support.dashboard import Driver
    from tests.support.wire import Heard

pytestmark = pytest.mark.variants("default", reason="its platform is the same on each variant")

DAMAGED = "The archive is damaged, encrypted or compressed in an unsupported way."


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive with these files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def inflating() -> bytes:
    """Return an archive of about a megabyte with a file of a gigabyte."""
    file, block = io.BytesIO(), b"\0" * 10_000_000
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("bomb", "w") as bomb,
    ):
        for _ in range(100):
            bomb.write(block)
    return file.getvalue()


@asynccontextmanager
async def browsing(archive: bytes) -> AsyncIterator[Driver]:
    """Browse an archive in the dashboard."""

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if heard.target.endswith("/artifacts"):
            writer.write(answer(archive, content_type="application/zip"))
        else:
            writer.write(answer({"message": "404 Not Found"}, "404 Not Found"))

    start = Route("artifacts", "acme/etl", "etl", job=5)
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            yield driver


async def test_names_of_files_are_only_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escape sequences do nothing, and no name chooses where a file is saved."""
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    names = ["../../up", str(tmp_path / "absolute"), "\x1b]0;owned\x07\x1b[31mred"]
    async with browsing(zipped(dict.fromkeys(names, b"\x1b[2Jcontent"))) as driver:
        text = await driver.until("3 files")
        assert "\x1b" not in text
        for name in names:
            assert driver.table.move_to(name)
            await driver.press("enter")
            assert "\x1b" not in await driver.until("content")
            await driver.press("escape")
            await driver.until_at("artifacts")
            await driver.press("s")
            await driver.until("Save the file as")
            await driver.press("enter")
            await driver.until_told("Saved ")
            await driver.until_at("artifacts")
    assert [one.name for one in tmp_path.iterdir()] == ["below"]
    saved = [one.name for one in below.iterdir()]
    assert len(saved) == len(names)
    assert {"up", "absolute"} < {*saved}
    assert "\x1b" not in "".join(saved)


async def test_of_a_hundred_thousand_files_the_first_are_listed() -> None:
    """And counted; the keys work."""
    async with browsing(zipped({f"{at:x}": b"" for at in range(100_000)})) as driver:
        await driver.until("10,000 of 100,000 files listed")
        await driver.press("G")
        await driver.wait(lambda: driver.cursor == f"{9_999:x}")


async def test_a_file_that_inflates_to_a_gigabyte_is_not_opened() -> None:
    """It is listed, with its size."""
    async with browsing(inflating()) as driver:
        await driver.until("1.00 GB decompressed")
        await driver.press("enter")
        await driver.until("The file is larger than 20 MB.")
        await driver.press("escape")
        await driver.until_at("artifacts")


@pytest.mark.parametrize("cut", [30, 0])
async def test_a_damaged_archive_says_so(cut: int) -> None:
    """Whether its list of files is damaged, or one of the files."""
    archive = bytearray(zipped({"a": b"some text that is compressed" * 9}))
    archive[40:50] = b"\xff" * 10
    async with browsing(bytes(archive[: len(archive) - cut])) as driver:
        if not cut:
            await driver.until("1 file")
            await driver.press("enter")
        await driver.until(DAMAGED)
        await driver.press("escape")
        await driver.rest()
