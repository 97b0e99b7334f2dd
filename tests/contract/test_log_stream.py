"""A log as it comes over the wire: whole, in part, unchanged, or broken."""

from __future__ import annotations

import gzip
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.support.wire import Heard, answer, in_turn, says, wire_server

from platui.api.connect import ProjectConnection, Server, open_project_api
from platui.core.clock import SystemClock
from platui.core.errors import (
    InvalidResponseError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    PlatuiError,
)
from platui.core.secrets import Secret

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

LOG = b"line one\nline two\n\x1b[31m\xff not utf-8\n" * 100


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[ProjectConnection]:
    """Open our client on a server."""
    api = await open_project_api(Server(url), Secret("planted-token"), SystemClock())
    try:
        yield api
    finally:
        await api.aclose()


async def test_a_log_comes_whole_and_as_it_is() -> None:
    """Every byte, and no range asked for."""
    script = says(LOG, content_type="text/plain", etag='W/"l"')
    async with wire_server(script) as server, connected(server.url) as api:
        async with api.client.stream_log("group/name", 5) as stream:
            body = b"".join([chunk async for chunk in stream.chunks()])
            assert (stream.status, stream.start, stream.total) == (200, 0, len(LOG))
            assert stream.etag == 'W/"l"'
        assert api.budget.state().used == 1
    assert body == LOG
    assert server.heard[0].target == "/api/v4/projects/group%2Fname/jobs/5/trace"
    assert "range" not in server.heard[0].headers


async def test_a_log_that_a_proxy_scanned_is_a_whole_log() -> None:
    """With its own status; it was an empty log."""
    script = says(LOG, "203 Non-Authoritative Information", "text/plain")
    async with (
        wire_server(script) as server,
        connected(server.url) as api,
        api.client.stream_log("group/name", 5) as stream,
    ):
        assert b"".join([chunk async for chunk in stream.chunks()]) == LOG
        assert (stream.status, stream.start, stream.total) == (200, 0, len(LOG))


async def test_a_long_log_comes_in_large_pieces() -> None:
    """Each costs as much as the bytes in it: a log is read again at every look."""
    log = LOG * 500
    script = says(log, content_type="text/plain")
    async with (
        wire_server(script) as server,
        connected(server.url) as api,
        api.client.stream_log("group/name", 5) as stream,
    ):
        pieces = [chunk async for chunk in stream.chunks()]
    assert b"".join(pieces) == log
    assert max(map(len, pieces)) > 64 * 1024


async def test_a_log_is_asked_for_packed_or_as_it_is() -> None:
    """How it came is told: what was asked for is not always what one gets."""
    script = says(gzip.compress(LOG), content_type="text/plain", content_encoding="gzip")
    async with wire_server(script) as server, connected(server.url) as api:
        for packed in (True, False):
            async with api.client.stream_log(1, 5, packed=packed) as stream:
                assert b"".join([chunk async for chunk in stream.chunks()]) == LOG
                assert stream.packed
                assert stream.total is None
    assert [heard.headers["accept-encoding"] for heard in server.heard] == ["gzip", "identity"]


async def test_a_part_says_where_it_begins() -> None:
    """From a byte on, never compressed, never a suffix."""
    script = says(LOG[100:], "206 Partial Content", content_range=f"bytes 100-199/{len(LOG)}")
    async with (
        wire_server(script) as server,
        connected(server.url) as api,
        api.client.stream_log(1, 5, start=100, etag='"e"') as stream,
    ):
        body = b"".join([chunk async for chunk in stream.chunks()])
        assert (stream.status, stream.start, stream.total) == (206, 100, len(LOG))
    assert body == LOG[100:]
    heard = server.heard[0].headers
    assert heard["range"] == "bytes=100-"
    assert heard["accept-encoding"] == "identity"
    assert heard["if-none-match"] == '"e"'


async def test_a_platform_may_send_everything_all_the_same() -> None:
    """A running job's log ignores the range: 200 from byte 0."""
    async with (
        wire_server(says(LOG, content_type="text/plain")) as server,
        connected(server.url) as api,
        api.client.stream_log(1, 5, start=100) as stream,
    ):
        assert (stream.status, stream.start) == (200, 0)
        assert b"".join([chunk async for chunk in stream.chunks()]) == LOG


@pytest.mark.parametrize(("headers", "total"), [({"content_range": "bytes */50"}, 50), ({}, None)])
async def test_nothing_new_is_no_error(headers: dict[str, str], total: int | None) -> None:
    """416: the log ends before the byte asked for; its length tells whether it shrank."""
    script = says(b"ignored", "416 Range Not Satisfiable", **headers)
    async with (
        wire_server(script) as server,
        connected(server.url) as api,
        api.client.stream_log(1, 5, start=100) as stream,
    ):
        assert (stream.status, stream.start, stream.total) == (416, 100, total)
        assert [chunk async for chunk in stream.chunks()] == []


async def test_an_unchanged_log_costs_nothing() -> None:
    """304 under the ETag sent along."""
    async with (
        wire_server(says(b"", "304 Not Modified", etag='"e"')) as server,
        connected(server.url) as api,
        api.client.stream_log(1, 5, etag='"e"') as stream,
    ):
        assert stream.not_modified
        assert [chunk async for chunk in stream.chunks()] == []


@pytest.mark.parametrize("said", ["", "bytes 100-199", "bytes a-b/c", "lines 1-2/3", "bytes */9"])
async def test_a_part_from_nowhere_is_refused(said: str) -> None:
    """Bytes at the wrong place are worse than none."""
    script = says(LOG, "206 Partial Content", content_range=said)
    async with wire_server(script) as server, connected(server.url) as api:
        with pytest.raises(InvalidResponseError):
            async with api.client.stream_log(1, 5, start=100):
                pytest.fail("it was opened")


async def test_what_is_no_plain_text_is_no_log() -> None:
    """A proxy's page or some gateway's record must not end up in a spool."""
    script = in_turn(
        says(b"<html>", content_type="text/html"), says(b"[]", content_type="application/json")
    )
    async with wire_server(script) as server, connected(server.url) as api:
        for said in ("web page", "JSON"):
            with pytest.raises(InvalidResponseError, match=said):
                async with api.client.stream_log(1, 5):
                    pytest.fail("it was opened")


async def test_no_such_job() -> None:
    """404, also for a bridge."""
    script = says({"message": "404 Not found"}, "404 Not Found")
    async with wire_server(script) as server, connected(server.url) as api:
        with pytest.raises(NotFoundError, match="404 Not found"):
            async with api.client.stream_log(1, 5):
                pytest.fail("it was opened")


async def test_what_came_before_the_line_broke_is_kept() -> None:
    """The reader has those bytes; the error is typed; the connection is given back."""

    async def broken(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(LOG, content_type="text/plain")[:-500])
        await writer.drain()
        writer.close()

    got = bytearray()
    async with wire_server(broken) as server, connected(server.url) as api:
        for _ in range(8):  # more than there are connections: none of them is lost
            got.clear()
            with pytest.raises(PlatuiError) as raised:
                await _read_into(got, api)
            assert isinstance(raised.value, OfflineError)
            assert raised.value.reason is OfflineReason.DROPPED
    assert bytes(got) == LOG[:-500]


async def test_leaving_early_frees_the_place() -> None:
    """A reader that has seen enough does not keep others waiting."""
    async with (
        wire_server(says(LOG * 2000, content_type="text/plain")) as server,
        connected(server.url) as api,
    ):
        for _ in range(8):
            async with api.client.stream_log(1, 5) as stream:
                async for chunk in stream.chunks():
                    assert chunk
                    break


async def _read_into(got: bytearray, api: ProjectConnection) -> None:
    async with api.client.stream_log(1, 5) as stream:
        async for chunk in stream.chunks():
            got.extend(chunk)
