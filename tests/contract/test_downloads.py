"""Artifacts on the wire: from here or elsewhere, whole or not at all, never with the token."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FastClock
from tests.support.wire import Heard, WireServer, answer, in_turn, says, wire_server

from platui.api.api_client import ApiClient
from platui.api.connect import Server, open_project_api
from platui.api.redirects import Storage
from platui.core.clock import SystemClock
from platui.core.errors import (
    FileWriteError,
    ForbiddenError,
    InsecureError,
    InvalidResponseError,
    NameTakenError,
    NotFoundError,
    OfflineError,
)
from platui.core.secrets import Secret
from platui.models.values.feeds import Progress
from platui.service.files.downloading import Downloads

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    Script = Callable[[Heard, asyncio.StreamWriter], Awaitable[None]]

ARCHIVE = bytes(range(256)) * 400
ZIP = "application/zip"
TOKEN = "planted-token"


@asynccontextmanager
async def downloads(url: str, *, encrypted: bool = False) -> AsyncIterator[Downloads]:
    """Open what downloads from a platform; waiting costs no time."""
    api = await open_project_api(Server(url), Secret(TOKEN), SystemClock())
    storage = Storage(SystemClock(), encrypted=encrypted, timeout=2)
    try:
        yield Downloads(ApiClient(api.exchange, storage), FastClock(1000.0))
    finally:
        await api.aclose()


async def saved(url: str, target: Path, told: list[Progress] | None = None) -> bytes:
    """Download from a platform; return what is in the file then."""
    progress: list[Progress] = [] if told is None else told
    async with downloads(url) as ours:
        size = await ours.save_artifacts("group/name", 5, target, progress.append)
    content = target.read_bytes()
    assert size == len(content)
    return content


def partly(count: int, *, total: int = len(ARCHIVE), start: int = 0) -> Script:
    """Return a script that promises the rest of the archive, and breaks off after some bytes."""

    async def script(_: Heard, writer: asyncio.StreamWriter) -> None:
        whole = answer(ARCHIVE[start:total], content_type=ZIP)
        head = whole[: whole.index(b"\r\n\r\n") + 4]
        writer.write(head + ARCHIVE[start : start + count])
        await writer.drain()
        writer.close()

    return script


def ranged(heard: Heard) -> int:
    """Return the first byte that was asked for."""
    return int(heard.headers.get("range", "bytes=0-").removeprefix("bytes=").rstrip("-"))


async def goes_on(heard: Heard, writer: asyncio.StreamWriter) -> None:
    """Give the archive from the byte on that is asked for."""
    start = ranged(heard)
    place = f"bytes {start}-{len(ARCHIVE) - 1}/{len(ARCHIVE)}"
    writer.write(
        answer(ARCHIVE[start:], "206 Partial Content", ZIP, content_range=place)
        if start
        else answer(ARCHIVE, content_type=ZIP)
    )


def assert_nothing_left(folder: Path) -> None:
    """Check that no half of a file is lying about."""
    assert list(folder.iterdir()) == []


async def test_an_archive_comes_from_the_platform(tmp_path: Path) -> None:
    """Asked for with the token, uncompressed; the file is its owner's alone."""
    told: list[Progress] = []
    target = tmp_path / "a.zip"
    async with wire_server(says(ARCHIVE, content_type=ZIP)) as server:
        assert await saved(server.url, target, told) == ARCHIVE
    assert server.heard[0].target == "/api/v4/projects/group%2Fname/jobs/5/artifacts"
    assert server.heard[0].headers["private-token"] == TOKEN
    assert told[-1] == Progress(len(ARCHIVE), len(ARCHIVE))
    assert (target.stat().st_mode & 0o777, [one.name for one in tmp_path.iterdir()]) == (
        0o600,
        ["a.zip"],
    )


async def test_a_storage_elsewhere_is_asked_without_the_token(tmp_path: Path) -> None:
    """Also where that sends us on, and where it sends us back."""

    def leads_to(server: WireServer, path: str) -> Script:
        return says(status="302 Found", location=f"{server.url}{path}")

    async with (
        wire_server(says(ARCHIVE, content_type=ZIP)) as last,
        wire_server(leads_to(last, "/there?sig=1")) as first,
        wire_server(leads_to(first, "/bucket/5?signature=abc")) as platform,
    ):
        assert await saved(platform.url, tmp_path / "a.zip") == ARCHIVE
    assert platform.heard[0].headers["private-token"] == TOKEN
    for stranger in (first, last):
        [heard] = stranger.heard
        assert TOKEN not in str(heard)
        assert not {"private-token", "authorization", "cookie", "referer"} & heard.headers.keys()
    assert first.heard[0].target == "/bucket/5?signature=abc"


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden"])
async def test_a_storage_that_refuses_is_named(tmp_path: Path, status: str) -> None:
    """It does not know the token: neither is one missing, nor would another one help."""
    script = says("<Error><Code>AccessDenied</Code></Error>", status, "application/xml")
    async with wire_server(script) as storage:
        redirect = says(status="302 Found", location=f"{storage.url}/a?signature=old")
        async with wire_server(redirect) as server, downloads(server.url) as ours:
            with pytest.raises(ForbiddenError) as raised:
                await ours.save_artifacts(1, 5, tmp_path / "a.zip", lambda _: None)
    name = f"127.0.0.1:{storage.port}"
    assert raised.value.sentence == f"The storage {name} refused the download ({status[:3]})."
    assert "token" not in raised.value.hint
    assert_nothing_left(tmp_path)


async def test_a_proxy_that_does_not_respond_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rather than the storage behind it, which was not asked."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    redirect = says(status="302 Found", location="http://storage.example.org/a")
    async with wire_server(redirect) as server:
        with pytest.raises(OfflineError, match=r"^The proxy 127\.0\.0\.1 does not respond\.$"):
            await saved(server.url, tmp_path / "a.zip")


async def test_a_broken_line_is_taken_up_where_it_broke(tmp_path: Path) -> None:
    """A range where the server knows them; else all of it again."""
    async with wire_server(in_turn(partly(30_000), goes_on)) as server:
        assert await saved(server.url, tmp_path / "a.zip") == ARCHIVE
    assert [ranged(heard) for heard in server.heard] == [0, 30_000]
    async with wire_server(in_turn(partly(30_000), says(ARCHIVE, content_type=ZIP))) as server:
        assert await saved(server.url, tmp_path / "b.zip") == ARCHIVE


async def test_an_archive_that_changed_meanwhile_is_not_glued_to_the_old_one(
    tmp_path: Path,
) -> None:
    """Its mark is sent along; without one its length tells."""
    other = ARCHIVE[::-1] + b"longer"
    place = f"bytes 30000-{len(other) - 1}/{len(other)}"
    rest = says(other[30_000:], "206 Partial Content", ZIP, content_range=place)
    script = in_turn(partly(30_000), rest, says(other, content_type=ZIP))
    async with wire_server(script) as server:
        assert await saved(server.url, tmp_path / "a.zip") == other
    assert [ranged(heard) for heard in server.heard] == [0, 30_000, 0]

    async def marked(heard: Heard, writer: asyncio.StreamWriter) -> None:
        whole = answer(ARCHIVE, content_type=ZIP, etag='"one"')
        writer.write(whole[: len(whole) // 2])
        await writer.drain()
        writer.close()

    async with wire_server(in_turn(marked, says(other, content_type=ZIP))) as server:
        assert await saved(server.url, tmp_path / "b.zip") == other
    assert server.heard[1].headers["if-range"] == '"one"'


async def chunked(_: Heard, writer: asyncio.StreamWriter) -> None:
    """Give the archive without its length, and break off after 30,000 bytes."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {ZIP}\r\nTransfer-Encoding: chunked\r\n\r\n"
    writer.write(head.encode() + b"7530\r\n" + ARCHIVE[:30_000] + b"\r\n")
    await writer.drain()
    writer.close()


async def test_a_length_may_become_known_when_it_is_taken_up(tmp_path: Path) -> None:
    """A first answer without one is not another archive."""
    async with wire_server(in_turn(chunked, goes_on)) as server:
        assert await saved(server.url, tmp_path / "a.zip") == ARCHIVE
    assert [ranged(heard) for heard in server.heard] == [0, 30_000]


async def test_a_part_of_unknown_length_is_not_the_end(tmp_path: Path) -> None:
    """The length is known from the first response."""

    async def short(heard: Heard, writer: asyncio.StreamWriter) -> None:
        start = ranged(heard)
        place = f"bytes {start}-{start + 99}/*"
        part = ARCHIVE[start : start + 100]
        writer.write(answer(part, "206 Partial Content", ZIP, content_range=place))

    async with wire_server(in_turn(partly(30_000), short, goes_on)) as server:
        assert await saved(server.url, tmp_path / "a.zip") == ARCHIVE
    assert [ranged(heard) for heard in server.heard] == [0, 30_000, 30_100]


async def test_an_archive_that_changes_all_the_time_is_given_up(tmp_path: Path) -> None:
    """What came in between does not begin the tries anew."""

    async def changes(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if start := ranged(heard):
            place = f"bytes {start}-{start}/{start + 1}"
            writer.write(answer(b"x", "206 Partial Content", ZIP, content_range=place))
        else:
            await partly(30_000)(heard, writer)

    async with wire_server(changes) as server, downloads(server.url) as ours:
        with pytest.raises(OfflineError, match="changed during the download"):
            await ours.save_artifacts(1, 5, tmp_path / "a.zip", lambda _: None)
    assert len(server.heard) == 8
    assert_nothing_left(tmp_path)


async def test_what_never_comes_whole_is_no_file(tmp_path: Path) -> None:
    """After some tries it is told, and nothing is left."""
    async with wire_server(partly(10)) as server, downloads(server.url) as ours:
        with pytest.raises(OfflineError):
            await ours.save_artifacts(1, 5, tmp_path / "a.zip", lambda _: None)
    assert_nothing_left(tmp_path)


async def test_a_download_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    """However far it was."""
    arrived = asyncio.Event()

    async def slow(_: Heard, writer: asyncio.StreamWriter) -> None:
        whole = answer(ARCHIVE, content_type=ZIP)
        writer.write(whole[:20_000])
        await writer.drain()
        await asyncio.sleep(60)

    async with wire_server(slow) as server, downloads(server.url) as ours:
        task = asyncio.create_task(
            ours.save_artifacts(
                1, 5, tmp_path / "a.zip", lambda one: arrived.set() if one.received else None
            )
        )
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert_nothing_left(tmp_path)


async def test_no_file_of_the_users_is_replaced(tmp_path: Path) -> None:
    """Neither one that was there nor one that came meanwhile."""
    target = tmp_path / "a.zip"
    target.write_text("mine")
    async with wire_server(says(ARCHIVE, content_type=ZIP)) as server:
        with pytest.raises(NameTakenError, match="File exists"):
            await saved(server.url, target)
        assert server.heard == []
        target.unlink()

        def meanwhile(_: Progress) -> None:
            target.write_text("mine")

        async with downloads(server.url) as ours:
            with pytest.raises(NameTakenError, match="File exists"):
                await ours.save_artifacts(1, 5, target, meanwhile)
        with pytest.raises(FileWriteError, match="Folder not found"):
            await saved(server.url, tmp_path / "no" / "a.zip")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["mine"]


async def test_a_way_that_is_not_encrypted_is_not_taken(tmp_path: Path) -> None:
    """From an encrypted platform to a storage in clear, unless the profile allows it."""
    script = says(status="302 Found", location="http://storage.example.org/a")
    async with wire_server(script) as server, downloads(server.url, encrypted=True) as ours:
        with pytest.raises(InsecureError, match=r"http://storage\.example\.org, unencrypted"):
            await ours.save_artifacts(1, 5, tmp_path / "a.zip", lambda _: None)
    assert_nothing_left(tmp_path)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (says({"message": "404 Not Found"}, "404 Not Found"), NotFoundError),
        (says("<html>", content_type="text/html"), InvalidResponseError),
        (says(status="302 Found", location="javascript:alert(1)"), InvalidResponseError),
        (says(status="302 Found", location="http://user:word@[::1/"), InvalidResponseError),
        (says(status="302 Found"), InvalidResponseError),
        (says(ARCHIVE, "206 Partial Content", ZIP), InvalidResponseError),
        (
            says(ARCHIVE, "206 Partial Content", ZIP, content_range="bytes 7-9/10"),
            InvalidResponseError,
        ),
    ],
)
async def test_what_is_no_archive_is_told(
    tmp_path: Path, script: Script, error: type[Exception]
) -> None:
    """And leaves nothing."""
    async with wire_server(script) as server:
        with pytest.raises(error):
            await saved(server.url, tmp_path / "a.zip")
    assert_nothing_left(tmp_path)
