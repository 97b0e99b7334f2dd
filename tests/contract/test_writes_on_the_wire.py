"""Writes: sent once, guarded, written down, and honest about what became of them."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import pytest
from tests.support.clock import FakeClock
from tests.support.performing import yes_to
from tests.support.quick_clock import QuickClock
from tests.support.wire import Heard, answer, hangs_up, in_turn, says, wire_server

from platui.api import endpoints
from platui.api.connect import ProjectConnection, Server, open_project_api
from platui.api.exchange import OutgoingRequest
from platui.api.write_guard import WriteGuard
from platui.core.errors import (
    OfflineError,
    OutcomeUnknownError,
    PlatuiError,
    RejectedError,
    ServerFailedError,
    UnauthorizedError,
    WriteRefusedError,
    WrongOriginError,
)
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency
from platui.models.values.writes import (
    NewPipeline,
    RecordAction,
    RunVariable,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
    WriteMode,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.api.write import Write
    from platui.models.values.write_states import AuditEntry
    from platui.models.wire import Pipeline

NEW = NewPipeline("group/name", "main", variables=(RunVariable("KEY", Secret("planted-secret")),))
WRITE = endpoints.pipelines.start(NEW)
STARTED = {"id": 9, "status": "pending", "ref": "main"}


class Book:
    """An audit log in memory; it can be full."""

    def __init__(self) -> None:
        self.entries: list[AuditEntry] = []
        self.full = False

    def append(self, entry: AuditEntry) -> None:
        """Keep the entry."""
        if self.full:
            raise OSError(28, "No space left on device")
        self.entries.append(entry)

    @property
    def results(self) -> list[str]:
        """Return the first word of each result."""
        return [entry.result.split(":")[0] for entry in self.entries]


@asynccontextmanager
async def connected(
    url: str,
    book: Book | None = None,
    mode: WriteMode = WriteMode.CONFIRM,
    *,
    quick: bool = True,
) -> AsyncIterator[ProjectConnection]:
    """Open our client on a server, ready to write."""
    clock = QuickClock() if quick else FakeClock()
    guard = WriteGuard(mode, clock, audit=book, profile="prod")
    server = Server(url, timeout=0.3)
    api = await open_project_api(server, Secret("planted-token"), clock, guard=lambda: guard)
    try:
        yield api
    finally:
        await api.aclose()


async def send(api: ProjectConnection, write: Write[Pipeline] = WRITE) -> Pipeline:
    """Send a write that the user has confirmed."""
    return await api.writes.send(write, yes_to(write, profile="prod"))


async def find_failure(api: ProjectConnection) -> PlatuiError:
    """Return the error that a write ends with."""
    with pytest.raises(PlatuiError) as raised:
        await send(api)
    return raised.value


async def test_a_pipeline_is_started_and_written_down() -> None:
    """Once, as JSON, with a line before and a line after; the secret in none of them."""
    book = Book()
    async with (
        wire_server(says(STARTED, "201 Created")) as server,
        connected(server.url, book) as api,
    ):
        pipeline = await send(api)
    assert (pipeline.id, pipeline.status) == (9, "pending")
    [heard] = server.heard
    assert (heard.method, heard.target) == (
        "POST", "/api/v4/projects/group%2Fname/pipeline?ref=main"
    )  # fmt: skip
    assert heard.headers["content-type"] == "application/json"
    assert heard.headers["private-token"] == "planted-token"
    assert json.loads(heard.body)["variables"][0]["secret_value"] == "planted-secret"
    assert book.results == ["sent", "done"]
    assert "planted" not in "".join(entry.line() for entry in book.entries)


async def test_a_trigger_token_stands_in_for_the_access_token() -> None:
    """Spec §5.2: it is sent as a form field, and the header is left out."""
    write = endpoints.pipelines.trigger(NEW, Secret("planted-trigger"))
    async with wire_server(says({"message": "ok"}, "201 Created")) as server:  # noqa: SIM117
        async with connected(server.url) as api:
            assert await api.writes.send(write, yes_to(write, profile="prod")) is None
    [heard] = server.heard
    assert "private-token" not in heard.headers
    assert heard.headers["content-type"] == "application/x-www-form-urlencoded"
    assert dict(parse_qsl(heard.body.decode())) == {
        "token": "planted-trigger", "ref": "main", "variables[KEY]": "planted-secret",
    }  # fmt: skip


@pytest.mark.parametrize("mode", [WriteMode.OFF, WriteMode.LOCKED])
async def test_a_guarded_profile_sends_nothing(mode: WriteMode) -> None:
    """Confirmed or not."""
    async with wire_server(says(STARTED)) as server, connected(server.url, mode=mode) as api:
        assert isinstance(await find_failure(api), WriteRefusedError)
    assert server.heard == []


async def test_what_cannot_be_written_down_is_not_sent() -> None:
    """A full disk is no reason to write unseen."""
    book = Book()
    book.full = True
    async with wire_server(says(STARTED)) as server, connected(server.url, book) as api:
        error = await find_failure(api)
    assert isinstance(error, WriteRefusedError)
    assert "No space left" in error.sentence
    assert server.heard == []


async def _drops_the_answer(_: Heard, writer: asyncio.StreamWriter) -> None:
    writer.write(answer(STARTED, "201 Created")[:-3])
    writer.close()


async def _says_nothing(_: Heard, writer: asyncio.StreamWriter) -> None:
    del writer
    await asyncio.sleep(0)


@pytest.mark.parametrize(
    "script",
    [
        hangs_up,
        _drops_the_answer,
        _says_nothing,
        says({"message": "500 Internal Server Error"}, "500 Internal Server Error"),
        says("<html>", "502 Bad Gateway", "text/html"),
        says("", "504 Gateway Timeout"),
        says("<html>", "201 Created", "text/html"),
        says("not json", "201 Created"),
    ],
    ids=["hang up", "half", "silence", "500", "502", "504", "a page", "no JSON"],
)
async def test_a_lost_answer_is_an_unknown_outcome_and_nothing_is_repeated(
    script: object,
) -> None:
    """The platform may have done it: the user is told so, and one request was sent."""
    book = Book()
    async with wire_server(script) as server, connected(server.url, book) as api:  # type: ignore[arg-type]
        error = await find_failure(api)
    assert isinstance(error, OutcomeUnknownError)
    assert len(server.heard) == 1
    assert book.results == ["sent", "unknown"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("400 Bad Request", RejectedError),
        ("401 Unauthorized", UnauthorizedError),
        ("503 Service Unavailable", ServerFailedError),
    ],
)
async def test_a_refusal_is_a_refusal(status: str, kind: type[PlatuiError]) -> None:
    """Nothing was written; it is not repeated."""
    book = Book()
    script = says({"message": {"base": ["Reference not found"]}}, status)
    async with wire_server(script) as server, connected(server.url, book) as api:
        assert isinstance(await find_failure(api), kind)
    assert len(server.heard) == 1
    assert book.results == ["sent", "refused"]


async def test_what_was_surely_not_processed_is_sent_again() -> None:
    """A 429 comes before anything is done."""
    refused = says("", "429 Too Many Requests", "text/plain", retry_after="0")
    async with (
        wire_server(in_turn(refused, says(STARTED, "201 Created"))) as server,
        connected(server.url) as api,
    ):
        assert (await send(api)).id == 9
    assert len(server.heard) == 2


async def test_nobody_there_means_nothing_was_written() -> None:
    """Refused is not unknown."""
    book = Book()
    async with wire_server(hangs_up) as server:
        url = server.url
    async with connected(url, book) as api:
        assert isinstance(await find_failure(api), OfflineError)
    assert book.results == ["sent", "refused"]


@pytest.mark.parametrize("status", ["301 Moved Permanently", "307 Temporary Redirect"])
async def test_a_write_is_not_sent_on(status: str) -> None:
    """Neither on the same host nor, with its secrets, to another one."""
    async with wire_server(says(STARTED)) as other:
        for location, kind in (("/api/v4/x", RejectedError), (other.url, WrongOriginError)):
            script = says(b"", status, location=location)
            async with wire_server(script) as server, connected(server.url) as api:
                assert isinstance(await find_failure(api), kind)
            assert len(server.heard) == 1
    assert other.heard == []


async def test_giving_up_while_it_is_under_way_is_written_down() -> None:
    """Nobody knows what became of it."""
    book = Book()
    left = asyncio.Event()

    async def silent(_: Heard, __: asyncio.StreamWriter) -> None:
        await left.wait()

    async with wire_server(silent) as server, connected(server.url, book) as api:
        task = asyncio.create_task(send(api))
        await server.has_heard(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        left.set()
    assert book.results == ["sent", "unknown"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_nothing_that_changes_goes_past_the_guard(method: str) -> None:
    """Whoever builds a request of their own: it is not sent."""
    async with (
        wire_server(says(STARTED)) as server,
        connected(server.url, mode=WriteMode.OFF) as api,
    ):
        with pytest.raises(WriteRefusedError):
            async with api.exchange.open(
                OutgoingRequest("projects/1", method=method), Urgency.USER
            ):
                pass
    assert server.heard == []


@pytest.mark.parametrize("mode", [WriteMode.OFF, WriteMode.LOCKED])
async def test_the_guard_holds_for_every_method(mode: WriteMode) -> None:
    """To change and to delete are writes, too."""
    writes: list[Write[Any]] = [
        endpoints.schedules.change(ScheduleChange(1, 3, active=False)),
        endpoints.actions.record_action(RecordAction(WriteAction.DELETE_SCHEDULE, 1, 3)),
        endpoints.actions.record_action(RecordAction(WriteAction.PLAY_JOB, 1, 3)),
        endpoints.schedules.set_variable(ScheduleVariable(1, 3, "DAY", "1", exists=True)),
    ]
    async with wire_server(says(STARTED)) as server, connected(server.url, mode=mode) as api:
        for write in writes:
            with pytest.raises(WriteRefusedError):
                await api.writes.send(write, yes_to(write, profile="prod"))
    assert server.heard == []
    async with wire_server(says("", "204 No Content")) as server, connected(server.url) as api:
        for write in writes:
            await api.writes.send(write, yes_to(write, profile="prod"))
    assert [one.method for one in server.heard] == ["PUT", "DELETE", "POST", "PUT"]


async def test_a_lock_that_shuts_while_a_write_waits_for_its_turn_holds_it_back() -> None:
    """Also between two tries: what was allowed once is asked for again before it leaves."""
    book = Book()
    refused = says("", "429 Too Many Requests", "text/plain", retry_after="0")
    async with wire_server(refused) as server, connected(server.url, book, WriteMode.LOCKED) as api:
        api.guard.unlock()
        sleep = api.exchange.clock.sleep

        async def locked_meanwhile(seconds: float) -> None:
            api.guard.lock()
            await sleep(seconds)

        api.exchange.clock.sleep = locked_meanwhile  # type: ignore[method-assign]
        assert isinstance(await find_failure(api), WriteRefusedError)
    assert len(server.heard) == 1
    assert book.results == ["sent", "refused"]


async def test_a_write_given_up_while_it_is_written_down_is_said_not_to_be_sent() -> None:
    """A disk may take its time: what it still writes gets an end, and nothing leaves."""
    book = Book()
    writing, go_on = threading.Event(), threading.Event()
    append = book.append

    def slowly(entry: AuditEntry) -> None:
        if not writing.is_set():
            writing.set()
            go_on.wait(10)
        append(entry)

    book.append = slowly  # type: ignore[method-assign]
    async with wire_server(says(STARTED)) as server, connected(server.url, book) as api:
        task = asyncio.create_task(send(api))
        await asyncio.to_thread(writing.wait, 10)
        task.cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.wait({task})
    assert task.cancelled()
    assert server.heard == []
    assert [entry.result for entry in book.entries] == ["sent", "not sent: canceled"]


async def test_a_write_that_is_sent_on_to_its_result_may_have_been_done() -> None:
    """303 is what answers a form that was taken; only 307 and 308 ask to send it once more."""
    script = says(b"", "303 See Other", location="/api/v4/projects/1/pipelines/9")
    async with wire_server(script) as server, connected(server.url) as api:
        assert isinstance(await find_failure(api), OutcomeUnknownError)
    assert len(server.heard) == 1


async def test_a_write_given_up_before_its_turn_leaves_no_word() -> None:
    """It waited for the quota: nothing was sent, and nothing is said to have been."""
    book = Book()
    async with (
        wire_server(says(STARTED, "201 Created")) as server,
        connected(server.url, book, quick=False) as api,
    ):
        api.budget.pause(600)
        task = asyncio.create_task(send(api))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
    assert task.cancelled()
    assert server.heard == []
    assert book.entries == []
