"""A report on its way in: whole or not at all, kept until it is read (spec 4.2)."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.wire import answer, in_turn, says, wire_server

from platui.api.connect import Server, open_admin_api
from platui.core.clock import SystemClock
from platui.core.errors import FileWriteError, OfflineError, ReportError
from platui.core.secrets import Secret
from platui.models.values.feeds import Progress
from platui.models.values.reports import ReportStage, ReportState
from platui.service.access.spool import ReceivedReport, ReportSpool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.wire import Heard

    from platui.api.admin_api import AdminApi

TEXT = b'{"platform":{"groups":{}},"users":{}}' * 5000


@asynccontextmanager
async def admin(url: str) -> AsyncIterator[AdminApi]:
    """Open the administration API of a server."""
    api = await open_admin_api(Server(url), Secret("planted-key"), SystemClock())
    try:
        yield api
    finally:
        await api.aclose()


async def received(url: str, spool: ReportSpool) -> tuple[list[ReportState], ReceivedReport]:
    """Fetch a report into a spool; return what was told on the way, and what came."""
    async with admin(url) as api, api.report() as stream:
        return told_apart([one async for one in spool.receive(stream, "admin.example")])


def told_apart(
    told: list[ReportState | ReceivedReport],
) -> tuple[list[ReportState], ReceivedReport]:
    """Return the states that were told, and what came: it is the last."""
    *states, arrival = told
    assert isinstance(arrival, ReceivedReport)
    return [one for one in states if isinstance(one, ReportState)], arrival


def names(folder: Path) -> set[str]:
    """Return what lies in a folder."""
    return {one.name for one in folder.iterdir()}


async def test_what_came_whole_waits_until_it_is_read(tmp_path: Path) -> None:
    """Also for the next process; and it is its owner's alone."""
    spool = ReportSpool(tmp_path / "spool", FakeClock())
    async with wire_server(says(TEXT, etag='"v1"')) as server:
        states, arrival = await received(server.url, spool)
    assert server.heard[0].headers["accept"] == "application/json"
    assert server.heard[0].headers["authorization"] == "Bearer planted-key"
    assert "if-none-match" not in server.heard[0].headers
    assert arrival == ReportSpool(tmp_path / "spool", FakeClock()).pending()
    assert (arrival.etag, arrival.size) == ('"v1"', len(TEXT))
    assert arrival.digest == hashlib.sha256(TEXT).hexdigest()
    assert arrival.at == FakeClock().now()
    assert spool.path(arrival).read_bytes() == TEXT
    assert {one.stat().st_mode & 0o777 for one in (tmp_path / "spool").iterdir()} == {0o600}
    assert states[0].stage is ReportStage.RECEIVING
    assert states[0].progress is not None
    assert states[0].progress.total == len(TEXT)
    spool.discard(arrival)
    assert names(tmp_path / "spool") == set()


async def test_what_nobody_read_for_a_day_is_requested_again(tmp_path: Path) -> None:
    """Its reading was killed; the next report would be that of last month."""
    clock = FakeClock()
    spool = ReportSpool(tmp_path, clock)
    async with wire_server(says(TEXT)) as server:
        await received(server.url, spool)
    clock.jump(23 * 3600)
    assert spool.pending() is not None
    clock.jump(2 * 3600)
    assert spool.pending() is None


async def test_a_line_that_breaks_leaves_what_was_there(tmp_path: Path) -> None:
    """A text that came whole before is not given up for half of another."""

    async def half(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(TEXT)[: len(TEXT) // 2])
        await writer.drain()
        writer.close()

    spool = ReportSpool(tmp_path, FakeClock())
    async with wire_server(says(TEXT)) as server:
        await received(server.url, spool)
    before = (spool.pending(), names(tmp_path))
    async with wire_server(half) as server:
        with pytest.raises(OfflineError):
            await received(server.url, spool)
    assert (spool.pending(), names(tmp_path)) == before


async def test_one_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    """Nor does it wait for the rest of the text."""

    async def endless(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(TEXT).replace(b": %d" % len(TEXT), b": 999999999"))
        await writer.drain()

    spool = ReportSpool(tmp_path, FakeClock())
    async with (
        wire_server(endless) as server,
        admin(server.url) as api,
        api.report() as stream,
        aclosing(spool.receive(stream, "x")) as states,
    ):
        state = await anext(states)
    assert isinstance(state, ReportState)
    assert state.progress is not None
    assert state.progress.total == 999999999
    assert names(tmp_path) == set()


async def test_a_later_text_takes_the_place_of_one_that_waits(tmp_path: Path) -> None:
    """There is one at most."""
    spool = ReportSpool(tmp_path, FakeClock())
    for text in (TEXT, b"{}"):
        async with wire_server(says(text)) as server:
            _, arrival = await received(server.url, spool)
    assert names(tmp_path) == {"spool.json", arrival.name}
    assert spool.path(arrival).read_bytes() == b"{}"


async def test_a_text_that_nobody_reads_or_names_is_swept(tmp_path: Path) -> None:
    """It was left by a process that was killed; one that is being read stays."""
    spool = ReportSpool(tmp_path, FakeClock())
    left, other = tmp_path / f"{'0' * 32}.json", tmp_path / "notes.json"
    for path in (left, other):
        path.touch()
    async with wire_server(in_turn(says(TEXT), says(b"{}"), says(b"[]"))) as server:
        _, first = await received(server.url, spool)
        assert names(tmp_path) == {"spool.json", "notes.json", first.name}
        async with spool.locked(first):
            _, second = await received(server.url, spool)
            assert names(tmp_path) == {"spool.json", "notes.json", first.name, second.name}
        _, third = await received(server.url, spool)
    assert names(tmp_path) == {"spool.json", "notes.json", third.name}


async def test_a_text_that_came_to_two_is_there_for_both(tmp_path: Path) -> None:
    """The one who is done with it does not take it from the other, who has waited."""
    clock = FakeClock()
    one, other = ReportSpool(tmp_path, clock), ReportSpool(tmp_path, clock)
    async with wire_server(says(TEXT)) as server:
        _, first = await received(server.url, one)
        clock.jump(1)
        async with one.locked(first):
            _, second = await received(server.url, other)
            waits = asyncio.create_task(_read_held(other, second))
            one.discard(first)
            assert other.pending() == second
            assert not waits.done()
        assert await waits == TEXT
    other.discard(second)
    assert names(tmp_path) == set()
    async with one.locked(first):
        assert one.pending() is None


async def _read_held(spool: ReportSpool, arrival: ReceivedReport) -> bytes:
    async with spool.locked(arrival):
        return spool.path(arrival).read_bytes()


GOOD = {
    "name": "x",
    "origin": "",
    "etag": "",
    "received_at": FakeClock().now().isoformat(),
    "size": 2,
    "digest": "",
}


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b"{}",
        *(
            json.dumps({**GOOD, **wrong}).encode()
            for wrong in (
                {"name": "../x"},
                {"name": 7},
                {"received_at": "never"},
                {"received_at": "2026-01-01"},
                {"size": 3},
                {"more": 1},
            )
        ),
    ],
)
async def test_a_damaged_record_is_as_good_as_none(tmp_path: Path, record: bytes) -> None:
    """The text is fetched again."""
    folder = tmp_path / "spool"
    folder.mkdir()
    for text in (tmp_path / "x", folder / "x"):
        text.write_bytes(b"{}")
    spool = ReportSpool(folder, FakeClock())
    (folder / "spool.json").write_bytes(record)
    assert spool.pending() is None
    (folder / "spool.json").write_bytes(json.dumps(GOOD).encode())
    assert spool.pending() is not None


async def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """With the folder's name."""
    (tmp_path / "file").write_bytes(b"")
    spool = ReportSpool(tmp_path / "file", FakeClock())
    async with wire_server(says(TEXT)) as server:
        with pytest.raises(FileWriteError, match=f"cannot be written to {tmp_path}"):
            await received(server.url, spool)


async def test_the_version_that_is_at_hand_does_not_come_again(tmp_path: Path) -> None:
    """The fetch is conditional where the platform gave an ETag."""
    async with (
        wire_server(says(status="304 Not Modified", etag='"v1"')) as server,
        admin(server.url) as api,
        api.report('"v1"') as stream,
    ):
        assert (stream.is_unchanged, stream.etag) == (True, '"v1"')
    assert server.heard[0].headers["if-none-match"] == '"v1"'
    assert names(tmp_path) == set()


async def test_what_is_no_report_is_refused_while_it_arrives(tmp_path: Path) -> None:
    """It fills neither memory nor disk."""
    spool = ReportSpool(tmp_path, FakeClock())
    bomb = gzip.compress(b" " * 100_000_000)
    for body, why in ((bytes(9), "Invalid JSON at byte 0"), (bomb, "this is no report")):
        packed = {} if body != bomb else {"content_encoding": "gzip"}
        async with wire_server(says(body, **packed)) as server:
            with pytest.raises(ReportError, match=why):
                await received(server.url, spool)
        assert names(tmp_path) == set()


async def test_progress_is_of_what_comes_over_the_wire(tmp_path: Path) -> None:
    """So that it ends at the total, compressed or not; the rate is over the last seconds."""
    clock = FakeClock()
    spool = ReportSpool(tmp_path, clock)

    class Pieces:
        """What a platform sends, a second for each piece."""

        etag, wire_total, wire_received, is_unchanged = "", 400, 0, False

        async def chunks(self) -> AsyncIterator[bytes]:
            for _ in range(4):
                clock.jump(1)
                self.wire_received += 100
                yield b"[" * 1000

    told = [one async for one in spool.receive(Pieces(), "x")]  # type: ignore[arg-type]
    states, arrival = told_apart(told)
    assert [state.progress for state in states] == [
        Progress(received, 400) for received in (100, 200, 300, 400)
    ]
    assert [state.rate for state in states] == [100.0] * 4
    assert arrival.size == 4000
