"""Our client against servers that do everything wrong, on real sockets."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import logging
import socket
import traceback
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.support.clock import FakeClock
from tests.support.quick_clock import QuickClock
from tests.support.wire import Heard, answer, hangs_up, in_turn, says, wire_server

from platui.api import endpoints
from platui.api.address import project_address
from platui.api.connect import ProjectConnection, Server, open_project_api
from platui.api.exchange import OutgoingRequest
from platui.api.transport import proxy_for
from platui.core.clock import SystemClock
from platui.core.errors import (
    ApiError,
    ConfigError,
    CredentialError,
    InvalidResponseError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
    WrongOriginError,
)
from platui.core.secrets import Secret
from platui.models.values.connection import RequestRecord, Urgency
from platui.models.values.queries import PipelinesQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.api.endpoint import Endpoint
    from platui.core.clock import Clock
    from platui.models.wire import Pipeline

TOKEN = "planted-token"
PIPELINE = {"id": 7, "status": "failed", "ref": "main"}


@asynccontextmanager
async def connected(
    url: str, clock: Clock | None = None, patience: float = 5.0, token: str = TOKEN
) -> AsyncIterator[ProjectConnection]:
    """Open our client on a server."""
    server = Server(url, insecure=True, timeout=patience)
    api = await open_project_api(server, Secret(token), clock or QuickClock())
    try:
        yield api
    finally:
        await api.aclose()


def pipeline_of(api: ProjectConnection) -> Endpoint[Pipeline]:
    """Return an operation to send."""
    return endpoints.pipelines.pipeline("group/name", 7)


@pytest.fixture(autouse=True)
def _no_exceptions_of_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shut out the hosts that the caller's environment asks directly."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def unused_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def find_failure(api: ProjectConnection) -> PlatuiError:
    """Return the error that an operation ends with."""
    with pytest.raises(PlatuiError) as raised:
        await api.client.get(pipeline_of(api), Urgency.USER)
    return raised.value


async def test_a_request_carries_the_token_and_nothing_shows_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is on the wire, and on nothing that can be printed."""
    caplog.set_level(logging.DEBUG)
    records: list[RequestRecord] = []
    async with wire_server(says(PIPELINE)) as server, connected(server.url) as api:
        api.journal.observe(records.append)
        async with api.exchange.open(OutgoingRequest("user"), Urgency.USER) as response:
            shown = f"{response.request!r} {response.request.headers!r} {response.headers!r}"
            assert "private-token" not in response.request.headers
    assert server.heard[0].headers["private-token"] == TOKEN
    assert server.heard[0].target == "/api/v4/user"
    printed = f"{api!r} {api.exchange.credential!r} {shown} {records} {caplog.text}"
    assert TOKEN not in printed
    assert not any(TOKEN in str(record.args) for record in caplog.records)


async def test_an_encoded_path_stays_encoded() -> None:
    """Spec §4.1: the project's path is one segment."""
    async with wire_server(says(PIPELINE)) as server, connected(server.url) as api:
        pipeline = await api.client.get(pipeline_of(api), Urgency.USER)
    assert pipeline.status == "failed"
    assert server.heard[0].target == "/api/v4/projects/group%2Fname/pipelines/7"


async def test_a_url_that_is_too_long_is_an_error_of_the_request() -> None:
    """As of a branch with a name of many kilobytes; nothing is sent."""
    async with wire_server(says(PIPELINE)) as server, connected(server.url) as api:
        with pytest.raises(ApiError, match="URL of this request is too long"):
            await api.client.get(endpoints.pipelines.pipeline("x" * 70_000, 7), Urgency.USER)
    assert server.heard == []


async def test_a_redirect_to_another_host_gets_no_token() -> None:
    """The other host is not even asked."""
    async with wire_server(says(PIPELINE)) as other:
        elsewhere = f"{other.url}/api/v4/projects/1"
        script = says(b"", "302 Found", location=elsewhere)
        async with wire_server(script) as server, connected(server.url) as api:
            error = await find_failure(api)
    assert isinstance(error, WrongOriginError)
    assert f"127.0.0.1:{other.port}" in error.sentence
    assert other.heard == []


@pytest.mark.parametrize(
    "location",
    [
        "http://me:planted-token@elsewhere.example.org/",
        "https://127.0.0.1/",
        "//elsewhere.example.org/x",
        "ftp://127.0.0.1/",
        "javascript:alert(1)",
    ],
)
async def test_no_spelling_of_another_host_is_followed(location: str) -> None:
    """Another scheme or port is another origin; a password in it is not repeated."""
    script = says(b"", "307 Temporary Redirect", location=location)
    async with wire_server(script) as server, connected(server.url) as api:
        error = await find_failure(api)
    assert isinstance(error, WrongOriginError)
    assert "planted-token" not in error.sentence
    assert len(server.heard) == 1


async def test_a_moved_project_is_found_on_the_same_host() -> None:
    """Redirects of a GET within our origin are followed, with the token."""
    moved = says(b"moved", "301 Moved Permanently", "text/plain", location="/api/v4/projects/9/x")
    async with (
        wire_server(in_turn(moved, says(PIPELINE))) as server,
        connected(server.url) as api,
    ):
        pipeline = await api.client.get(pipeline_of(api), Urgency.USER)
        assert api.budget.state().used == 2
    assert pipeline.id == 7
    assert [heard.headers.get("private-token") for heard in server.heard] == [TOKEN, TOKEN]
    assert server.heard[1].target == "/api/v4/projects/9/x"


@pytest.mark.parametrize("location", ["", "/api/v4/round"])
async def test_redirects_in_a_circle_end(location: str) -> None:
    """Five are enough; one to nowhere is too many."""
    script = says(b"", "302 Found", location=location)
    async with wire_server(script) as server, connected(server.url) as api:
        assert isinstance(await find_failure(api), InvalidResponseError)
    assert len(server.heard) <= 6


async def test_cookies_are_not_kept() -> None:
    """A session of the platform's web pages is none of ours."""
    script = says(PIPELINE, set_cookie="_session=abc; Path=/")
    async with wire_server(script) as server, connected(server.url) as api:
        await api.client.get(pipeline_of(api), Urgency.USER)
        await api.client.get(pipeline_of(api), Urgency.USER)
    assert "cookie" not in server.heard[1].headers
    assert server.connections == 1  # and the connection is


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("200 OK", InvalidResponseError),
        ("201 Created", InvalidResponseError),
        ("401 Unauthorized", UnauthorizedError),
        ("404 Not Found", NotFoundError),
        ("502 Bad Gateway", ServerFailedError),
    ],
)
async def test_a_web_page_is_named_for_what_it_is(status: str, kind: type[PlatuiError]) -> None:
    """A proxy's or login page, with any status."""
    page = b"<!doctype html><html><h1>Sign in</h1></html>"
    async with (
        wire_server(says(page, status, "text/html")) as server,
        connected(server.url) as api,
    ):
        error = await find_failure(api)
    assert isinstance(error, kind)
    assert "web page" in error.sentence
    assert "<" not in error.sentence


@pytest.mark.parametrize("body", ["", "not json", "[]", '{"status":"failed"}', "null", "{"])
async def test_json_that_is_none_is_a_typed_error(body: str) -> None:
    """And so is JSON without the id."""
    async with wire_server(says(body)) as server, connected(server.url) as api:
        assert isinstance(await find_failure(api), InvalidResponseError)


async def test_a_broken_off_body_is_fetched_again() -> None:
    """Half an answer is no answer; the next one is whole."""

    async def half(_: Heard, writer: asyncio.StreamWriter) -> None:
        whole = answer(PIPELINE)
        writer.write(whole[:-5])
        writer.close()

    clock = QuickClock()
    async with (
        wire_server(in_turn(half, says(PIPELINE))) as server,
        connected(server.url, clock) as api,
    ):
        pipeline = await api.client.get(pipeline_of(api), Urgency.USER)
    assert pipeline.id == 7
    assert len(server.heard) == 2
    assert 0.5 <= clock.slept[0] <= 0.7


async def test_a_line_that_always_breaks_is_given_up() -> None:
    """Three tries, then the user is told."""
    async with wire_server(hangs_up) as server, connected(server.url) as api:
        error = await find_failure(api)
    assert isinstance(error, OfflineError)
    assert error.reason is OfflineReason.DROPPED
    assert len(server.heard) == 3


async def test_broken_compression_is_a_typed_error() -> None:
    """A header that promises gzip, and a body that is none."""
    script = says(b"not gzip", content_encoding="gzip")
    async with wire_server(script) as server, connected(server.url) as api:
        assert isinstance(await find_failure(api), InvalidResponseError)


async def test_a_bomb_is_decompressed_piece_by_piece() -> None:
    """Of 400 kB that become 400 MB, no more than 17 MB are held at once."""
    script = says(gzip.compress(bytes(400_000_000)), content_encoding="gzip")
    async with (
        wire_server(script) as server,
        connected(server.url) as api,
        api.exchange.open(OutgoingRequest("user"), Urgency.USER) as response,
    ):
        sizes = [len(chunk) async for chunk in response.aiter_bytes()]
    assert sum(sizes) == 400_000_000
    assert max(sizes) <= 17 * 1024 * 1024


async def test_what_was_compressed_twice_is_refused() -> None:
    """It could grow to a million times its size."""
    body = gzip.compress(gzip.compress(json.dumps(PIPELINE).encode()))
    script = says(body, content_encoding="gzip, gzip")
    async with wire_server(script) as server, connected(server.url) as api:
        error = await find_failure(api)
    assert isinstance(error, InvalidResponseError)
    assert "compressed" in error.sentence


async def test_answers_come_compressed() -> None:
    """A page of jobs shrinks to a thirtieth."""
    script = says(gzip.compress(json.dumps(PIPELINE).encode()), content_encoding="gzip")
    async with wire_server(script) as server, connected(server.url) as api:
        assert (await api.client.get(pipeline_of(api), Urgency.USER)).id == 7
    assert server.heard[0].headers["accept-encoding"] == "gzip"


async def test_a_silent_server_is_not_waited_for_for_ever() -> None:
    """The time to wait is the profile's."""
    left = asyncio.Event()

    async def silent(_: Heard, __: asyncio.StreamWriter) -> None:
        await left.wait()

    async with wire_server(silent) as server, connected(server.url, patience=0.1) as api:
        error = await find_failure(api)
        left.set()
    assert isinstance(error, OfflineError)
    assert error.reason is OfflineReason.TIMEOUT
    assert len(server.heard) == 2


async def test_an_answer_that_drips_without_end_is_ended() -> None:
    """Each byte is in time, the whole is not."""

    async def dripping(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b" " * 1000)[:-999])
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with wire_server(dripping) as server, connected(server.url) as api:
        with pytest.raises(OfflineError) as raised:
            async with api.exchange.open(
                OutgoingRequest("user", deadline=0.1), Urgency.USER
            ) as response:
                await response.aread()
    assert raised.value.reason is OfflineReason.TIMEOUT


async def test_an_error_that_drips_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log has no deadline, as it may be long; its error has one."""
    monkeypatch.setattr("platui.api.exchange._ERROR_TIME", 0.1)

    async def dripping(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b" " * 1000, status="500 Broken")[:-999])
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with wire_server(dripping) as server, connected(server.url) as api:
        with pytest.raises(ServerFailedError):
            async with asyncio.timeout(5), api.exchange.open(OutgoingRequest("log"), Urgency.USER):
                pass


async def test_an_answer_beyond_all_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is not spent on what no page can be, compressed or not."""
    monkeypatch.setattr("platui.api.exchange._LONGEST_BODY", 1_000_000)
    script = says(gzip.compress(b" " * 5_000_000), content_encoding="gzip")
    async with wire_server(script) as server, connected(server.url) as api:
        error = await find_failure(api)
    assert isinstance(error, InvalidResponseError)
    assert len(server.heard) == 1
    kept = [
        len(value)
        for frame, _ in traceback.walk_tb(error.__traceback__)
        for value in frame.f_locals.values()
        if isinstance(value, bytes | bytearray)
    ]
    assert sum(kept) < 1000, "the error keeps the body"


@pytest.mark.parametrize(("most", "waits"), [(1, True), (2, False)])
async def test_few_large_answers_are_read_at_a_time(
    monkeypatch: pytest.MonkeyPatch, most: int, *, waits: bool
) -> None:
    """Others that arrive together wait, so that they do not fill the memory."""
    monkeypatch.setattr("platui.api.exchange._LARGE_BODY", 1_000)
    monkeypatch.setattr("platui.api.exchange._MOST_LARGE", most)
    half, go_on = b" " * 100_000, asyncio.Event()

    async def large(heard: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + half)
        if heard.target.endswith("first"):
            await go_on.wait()
        writer.write(half)

    async def read(target: str) -> int:
        request = OutgoingRequest(target)
        async with api.exchange.open(request, Urgency.USER) as response:
            return len(await api.exchange.read_body(response))

    async with wire_server(large) as server, connected(server.url) as api:
        first = asyncio.create_task(read("first"))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(read("second"))
        done, _ = await asyncio.wait({second}, timeout=0.3 if waits else 10)
        assert done == (set() if waits else {second})
        go_on.set()
        assert [*await asyncio.gather(first, second)] == [200_000, 200_000]


@pytest.mark.parametrize(
    ("body", "headers", "wait"),
    [
        ("Retry later\n", {"retry_after": "42", "ratelimit_limit": "300"}, 42),
        ({"message": {"error": "too many times"}}, {}, None),
    ],
)
async def test_after_a_429_nothing_is_sent_until_it_is_over(
    body: object, headers: dict[str, str], wait: float | None
) -> None:
    """Both kinds; the caller is told, the gate stays shut, and then it goes on."""
    clock = FakeClock()
    refused = says(body, "429 Too Many Requests", "text/plain", **headers)
    async with (
        wire_server(in_turn(refused, says(PIPELINE))) as server,
        connected(server.url, clock) as api,
    ):
        error = await find_failure(api)
        assert isinstance(error, RateLimitedError)
        assert error.retry_after == wait
        again = asyncio.create_task(api.client.get(pipeline_of(api), Urgency.USER))
        await clock.advance((wait or 20) - 0.1)
        assert len(server.heard) == 1
        assert api.budget.state().paused_until is not None
        await clock.advance(3)
        assert (await again).id == 7
    assert len(server.heard) == 2


async def test_a_short_429_is_waited_out() -> None:
    """Where it takes no longer than the caller's patience."""
    clock = FakeClock()
    refused = says("", "429 Too Many Requests", "text/plain", retry_after="3")
    async with (
        wire_server(in_turn(refused, says(PIPELINE))) as server,
        connected(server.url, clock) as api,
    ):
        paused = asyncio.Event()
        api.budget.changes.observe(lambda state: paused.set() if state.paused_until else None)
        task = asyncio.create_task(api.client.get(pipeline_of(api), Urgency.USER))
        await paused.wait()
        await clock.advance(3)
        assert len(server.heard) == 1
        await clock.advance(10)
        assert (await task).id == 7


async def test_the_platforms_count_is_believed() -> None:
    """Where it sends its headers with every answer."""
    script = says(
        PIPELINE, ratelimit_limit="300", ratelimit_observed="120", ratelimit_remaining="180"
    )
    async with wire_server(script) as server, connected(server.url) as api:
        await api.client.get(pipeline_of(api), Urgency.USER)
        state = api.budget.state()
    assert (state.used, state.limit, state.from_server) == (120, 300, True)


async def test_an_unchanged_answer_is_a_304() -> None:
    """The ETag goes along, and the answer says that what is kept still holds."""
    first = says(PIPELINE, etag='W/"a"', x_total="3", x_secret="kept-out")
    second = says(b"", "304 Not Modified", etag='W/"a"')
    records: list[RequestRecord] = []
    async with wire_server(in_turn(first, second)) as server, connected(server.url) as api:
        api.journal.observe(records.append)
        kept = await api.client.fetch(pipeline_of(api), Urgency.VISIBLE)
        again = await api.client.fetch(pipeline_of(api), Urgency.VISIBLE, etag=kept.etag)
    assert (kept.etag, kept.not_modified) == ('W/"a"', False)
    assert kept.headers == {"content-type": "application/json", "x-total": "3"}
    assert (again.etag, again.not_modified, again.body) == ('W/"a"', True, b"")
    assert server.heard[1].headers["if-none-match"] == 'W/"a"'
    assert [record.source for record in records] == ["live", "304"]


async def test_a_304_nobody_asked_for_is_no_answer() -> None:
    """There is nothing it could refer to."""
    script = says(b"", "304 Not Modified")
    async with wire_server(script) as server, connected(server.url) as api:
        assert isinstance(await find_failure(api), InvalidResponseError)


async def test_a_runners_token_does_not_reach_the_cache() -> None:
    """The bytes that are kept on disk are without it."""
    body = b'{"id":1,"runners_token" : "planted-\\"secret","name":"etl"}'
    async with wire_server(says(body)) as server, connected(server.url) as api:
        kept = await api.client.fetch(endpoints.projects.project(1), Urgency.USER)
    assert json.loads(kept.body) == {"id": 1, "runners_token": None, "name": "etl"}


async def test_the_journal_tells_how_requests_ended() -> None:
    """Answered, refused, broken, given up; with path and query."""
    records: list[RequestRecord] = []
    left = asyncio.Event()

    async def silent(_: Heard, __: asyncio.StreamWriter) -> None:
        await left.wait()

    script = in_turn(says([]), says({"message": "404 Not found"}, "404 Not Found"), silent)
    async with wire_server(script) as server, connected(server.url) as api:
        api.journal.observe(records.append)
        operation = endpoints.pipelines.pipelines(PipelinesQuery(3, ref="a b")).page()
        await api.client.get(operation, Urgency.VISIBLE)
        await find_failure(api)
        task = asyncio.create_task(find_failure(api))
        await server.has_heard(3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        left.set()
        assert api.budget.state().used == 3
    told = [(r.status, r.source, r.urgency) for r in records]
    assert told == [
        (200, "live", Urgency.VISIBLE),
        (404, "live", Urgency.USER),
        (None, "canceled", Urgency.USER),
    ]
    assert records[0].path == "projects/3/pipelines?ref=a+b&page=1&per_page=100"
    assert records[0].received == 2


async def test_an_expired_token_is_replaced_in_place() -> None:
    """The next request carries the new one, and a new count begins."""
    expired = says(
        {"error": "invalid_token", "error_description": "Token is expired."}, "401 Unauthorized"
    )
    async with (
        wire_server(in_turn(expired, says(PIPELINE))) as server,
        connected(server.url) as api,
    ):
        error = await find_failure(api)
        assert error.sentence == "The token has expired."
        api.set_token(Secret("planted-second"))
        await api.client.get(pipeline_of(api), Urgency.USER)
        assert api.budget.state().used == 1
    assert [heard.headers["private-token"] for heard in server.heard] == [TOKEN, "planted-second"]


@pytest.mark.parametrize("token", ["planted\n", "plan ted", "plänted", "planted\x00"])
async def test_a_token_that_no_header_carries_is_refused_unshown(token: str) -> None:
    """The HTTP library would print it in its error."""
    with pytest.raises(CredentialError) as refused:
        await open_project_api(Server("https://host"), Secret(token), SystemClock())
    assert "ted" not in refused.value.sentence


async def test_without_a_token_none_is_sent() -> None:
    """And a 401 says that there was none."""
    script = says({"message": "401 Unauthorized"}, "401 Unauthorized")
    async with wire_server(script) as server, connected(server.url, token="") as api:
        error = await find_failure(api)
    assert "private-token" not in server.heard[0].headers
    assert "requires a token" in error.sentence


async def test_nobody_at_the_port(unused_port: int) -> None:
    """Refused, after a few tries."""
    clock = QuickClock()
    async with connected(f"http://127.0.0.1:{unused_port}", clock) as api:
        error = await find_failure(api)
    assert isinstance(error, OfflineError)
    assert error.reason is OfflineReason.REFUSED
    assert len(clock.slept) == 2


async def test_no_such_host() -> None:
    """A name that no name service knows (RFC 2606)."""
    async with connected("http://nowhere.invalid") as api:
        error = await find_failure(api)
    assert isinstance(error, OfflineError)
    assert error.reason is OfflineReason.NO_SUCH_HOST
    assert "nowhere.invalid" in error.sentence


async def test_loopback_is_never_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token would go to the proxy."""
    async with (
        wire_server(says(PIPELINE)) as proxy,
        wire_server(says(PIPELINE)) as server,
    ):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        async with connected(server.url) as api:
            await api.client.get(pipeline_of(api), Urgency.USER)
    assert len(server.heard) == 1
    assert proxy.heard == []


async def test_other_hosts_are_asked_through_the_environments_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless no_proxy names them."""
    async with wire_server(says(PIPELINE)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        async with connected("http://platform.invalid") as api:
            await api.client.get(pipeline_of(api), Urgency.USER)
        monkeypatch.setenv("no_proxy", ".invalid")
        async with connected("http://platform.invalid") as api:
            assert isinstance(await find_failure(api), OfflineError)
    assert [heard.target for heard in proxy.heard] == [
        "http://platform.invalid/api/v4/projects/group%2Fname/pipelines/7"
    ]


@pytest.mark.parametrize(
    ("url", "names", "is_direct"),
    [
        ("https://h.example:8443", "h.example:8443", True),
        ("https://h.example:8443", ".example:8443", True),
        ("https://h.example:8443", "h.example", True),
        ("https://h.example:8443", "h.example:443", False),
        ("https://h.example", "x, h.example:443", True),
        ("http://h.example", "h.example:443", False),
        ("https://[2001:db8::1]", "2001:db8::1", True),
        ("https://[2001:db8::1]", "[2001:db8::1]", True),
        ("https://[2001:db8::1]:8443", "[2001:db8::1]:8443", True),
        ("https://[2001:db8::1]", "[2001:db8::1]:8443", False),
        ("https://h.example", "*", True),
    ],
)
def test_no_proxy_names_hosts_with_or_without_a_port(
    monkeypatch: pytest.MonkeyPatch, url: str, names: str, *, is_direct: bool
) -> None:
    monkeypatch.setenv("all_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", names)
    assert (proxy_for(project_address(url, insecure=True)) is None) is is_direct


async def test_a_proxy_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, unused_port: int
) -> None:
    """It is not the platform that refuses."""
    monkeypatch.setenv("http_proxy", f"http://me:planted-token@127.0.0.1:{unused_port}")
    async with connected("http://platform.invalid") as api:
        error = await find_failure(api)
    assert isinstance(error, OfflineError)
    assert error.reason is OfflineReason.PROXY
    assert "127.0.0.1" in error.sentence
    assert "planted" not in error.sentence


@pytest.mark.parametrize(
    "proxy", ["socks5://127.0.0.1:1", "ftp://me:planted-token@x", "http://", "http://[::1"]
)
async def test_a_proxy_of_another_kind_is_a_matter_of_configuration(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    """Said plainly, without what may be a password."""
    monkeypatch.setenv("all_proxy", proxy)
    with pytest.raises(ConfigError) as refused:
        await open_project_api(Server("https://platform.invalid"), None, SystemClock())
    assert "all_proxy" in refused.value.sentence
    assert "planted" not in refused.value.sentence


async def test_a_refusal_whose_body_breaks_off_is_still_a_refusal() -> None:
    """The status alone says enough."""

    async def half(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer({"message": "404 Project Not Found"}, "404 Not Found")[:-5])
        writer.close()

    async with wire_server(half) as server, connected(server.url) as api:
        error = await find_failure(api)
    assert isinstance(error, NotFoundError)
    assert error.sentence == "404 Not Found"


async def test_a_callers_own_timeout_is_not_ours() -> None:
    """Whoever limits a read by its own clock gets its own error."""
    async with wire_server(says(PIPELINE)) as server, connected(server.url) as api:
        with pytest.raises(TimeoutError):
            async with api.exchange.open(OutgoingRequest("user", deadline=5), Urgency.USER):
                raise TimeoutError


async def test_a_redirect_that_is_no_address_leads_nowhere() -> None:
    """A target that cannot be parsed is no reason to crash."""
    script = says(b"", "302 Found", location="https://[::1")
    async with wire_server(script) as server, connected(server.url) as api:
        assert isinstance(await find_failure(api), InvalidResponseError)


@pytest.mark.parametrize("cancels", [False, True], ids=["closed", "canceled and closed"])
async def test_closing_ends_what_is_under_way(*, cancels: bool) -> None:
    """However far a request has come, its connection is closed with the client."""
    async with wire_server(says(PIPELINE)) as server:
        for turns in range(40):
            async with connected(server.url) as api:
                asking = asyncio.create_task(api.client.get(pipeline_of(api), Urgency.USER))
                for _ in range(turns):
                    await asyncio.sleep(0)
                if cancels:
                    asking.cancel()
            with suppress(OfflineError, asyncio.CancelledError):
                await asking
        # A connection that was left open complains when it is collected.
        del api, asking
        gc.collect()


async def test_responses_leave_no_work_for_the_garbage_collector() -> None:
    """They would take more and more memory while keys delay the collector."""
    gc.collect()
    gc.disable()
    try:
        async with wire_server(says(PIPELINE)) as server, connected(server.url) as api:
            for _ in range(5):
                await api.client.get(pipeline_of(api), Urgency.USER)
            await asyncio.sleep(0)
            assert not [one for one in gc.get_objects() if isinstance(one, httpx.Response)]
    finally:
        gc.enable()
