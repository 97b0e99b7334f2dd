"""How a report is brought from a platform: once, whole, and never in the place of a better one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.clock import FakeClock
from tests.support.report_texts import AFTER, BEFORE
from tests.support.reports import fetched, folders, reports
from tests.support.wire import answer, in_turn, says, wire_server

from platui.core.errors import OfflineError, ReportError
from platui.models.values.reports import ReportStage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.wire import Heard

    from platui.models.values.reports import ReportState


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep reports below a folder of the test's own."""
    monkeypatch.setattr("platui.service.access.report_folders.data_dir", lambda: tmp_path / "data")
    return tmp_path / "data" / "reports" / "test"


async def cut(_: Heard, writer: asyncio.StreamWriter) -> None:
    """Send half a report, and hang up."""
    writer.write(answer(BEFORE)[:-20])
    await writer.drain()
    writer.close()


FIRST, SAME = says(AFTER, etag='"v1"'), says(status="304 Not Modified", etag='"v1"')


def ends(states: list[ReportState]) -> list[bool]:
    """Return of each end that was told whether it was that nothing changed."""
    return [state.is_unchanged for state in states if state.stage is ReportStage.DONE]


@pytest.mark.parametrize("between", [None, cut, says(b'{"platform":7}')])
async def test_that_nothing_changed_is_told_once(between: Any) -> None:
    """Whatever came before it: a report, half of one, or what is none."""
    scripts = [FIRST, SAME] if between is None else [FIRST, between, SAME]
    async with wire_server(in_turn(*scripts)) as server, reports(server.url, "k") as source:
        first = await fetched(source)
        assert ends(first) == [False]
        if between is not None:
            with pytest.raises((OfflineError, ReportError)):
                await fetched(source)
        again = await fetched(source)
        assert (ends(again), [state.stage for state in again]) == (
            [True],
            [ReportStage.ASKING, ReportStage.DONE],
        )
        assert again[-1].report is not None
        assert again[-1].report.info == (await source.open()).info
    assert server.heard[-1].headers["if-none-match"] == '"v1"'


async def test_a_line_that_breaks_says_after_how_many_bytes() -> None:
    """Of all there are to come, where the platform says it."""

    async def endless(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        writer.write(b"Transfer-Encoding: chunked\r\n\r\n5\r\n{    \r\n")
        await writer.drain()
        writer.close()

    said = []
    async with wire_server(in_turn(cut, endless)) as server, reports(server.url, "k") as source:
        for _ in range(2):
            with pytest.raises(OfflineError) as caught:
                await fetched(source)
            said.append(caught.value.sentence)
    size, host = len(BEFORE), server.url.removeprefix("http://")
    dropped = f"The connection to {host} was dropped, after"
    assert said == [
        f"{dropped} {size - 20:,} of {size:,} bytes of the report.",
        f"{dropped} 5 bytes of the report.",
    ]


BAD: Final = {
    b"": "The report is empty.",
    AFTER[:-40]: f"The report is truncated: it ends after {len(AFTER) - 40:,} bytes, in users.4.",
    AFTER.replace(b'"OWNER"', b"50", 1): "members.1.max_access_level is a number, not text.",
    AFTER.replace(b'"users"', b'"people"'): 'The report has no field "users".',
    b'{"more":' + b"[" * 100_000: "The report is nested too deeply at byte ",
}
"""Texts that come whole, and are no report; with what is said of each."""


async def test_what_is_no_report_never_takes_the_place_of_one(cache: Path) -> None:
    """It is said where it broke; what was kept is as it was, to the byte."""
    scripts = [says(text) for text in (AFTER, *BAD)]
    async with wire_server(in_turn(*scripts)) as server, reports(server.url, "k") as source:
        await fetched(source)
        kept = {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        for words in BAD.values():
            with pytest.raises(ReportError) as caught:
                await fetched(source)
            assert words in caught.value.sentence
            assert {p: p.read_bytes() for p in cache.rglob("*") if p.is_file()} == kept
        assert not await source.has_pending()
        assert (await source.open()).info.memberships == 8


async def test_that_nothing_changed_is_told_once_after_a_reading_that_was_stopped() -> None:
    """The text that waited is read, and after that it is no more than any other."""
    async with wire_server(in_turn(FIRST, SAME)) as server, reports(server.url, "k") as source:
        async with aclosing(source.fetch()) as states:
            async for state in states:
                if state.stage is ReportStage.READING:
                    break
        assert ends(await fetched(source)) == [False]
        assert ends(await fetched(source)) == [True]
    assert len(server.heard) == 2


async def test_a_platform_that_comes_back_to_what_it_said_has_a_new_report() -> None:
    """The newest of it is the one that may still stand, and no earlier one."""
    clock, texts = FakeClock(), (AFTER, BEFORE, AFTER)
    async with (
        wire_server(in_turn(*map(says, texts))) as server,
        reports(server.url, "k", clock=clock) as source,
    ):
        for _ in texts:
            clock.jump(60)
            assert ends(await fetched(source)) == [False]
        assert ends(await fetched(source)) == [True]
        saved = await source.saved()
    assert [info.size for info in saved] == [len(text) for text in reversed(texts)]


async def test_two_that_fetch_the_same_at_once_keep_it_once(cache: Path) -> None:
    """Whichever reads it first; the other has the report of that one."""
    clocks = FakeClock(), FakeClock()
    clocks[1].jump(60)
    async with (
        wire_server(says(AFTER)) as server,
        reports(server.url, "k", clock=clocks[0]) as one,
        reports(server.url, "k", clock=clocks[1]) as other,
    ):
        told = await asyncio.gather(fetched(one), fetched(other))
        (info,) = await one.saved()
    assert sorted(ends(told[0]) + ends(told[1])) == [False, True]
    assert [states[-1].report.info for states in told if states[-1].report] == [info, info]
    assert folders(cache) == [info.id]


async def test_two_that_fetch_what_is_no_report_are_both_told(cache: Path) -> None:
    """Who comes second says that, and not that a file of ours is missing."""
    async with (
        wire_server(says(AFTER[:-1])) as server,
        reports(server.url, "k") as one,
        reports(server.url, "k") as other,
    ):
        async with aclosing(one.fetch()) as states:
            async for state in states:
                if state.stage is ReportStage.READING:
                    break
        assert await other.has_pending()
        told = await asyncio.gather(fetched(one), fetched(other), return_exceptions=True)
    sentences = sorted(error.sentence for error in told if isinstance(error, ReportError))
    assert sentences[0].startswith("Another process")
    assert sentences[1].startswith("The report is truncated")
    assert folders(cache) == []


async def test_a_text_that_waits_is_not_taken_for_another_platforms(cache: Path) -> None:
    """The profile names another administration API by now: that one is asked."""
    async with wire_server(says(BEFORE)) as server, reports(server.url, "k") as source:
        async with aclosing(source.fetch()) as states:
            async for state in states:
                if state.stage is ReportStage.READING:
                    break
        assert await source.has_pending()
    async with wire_server(says(AFTER)) as server:
        other = server.url.replace("127.0.0.1", "localhost")
        async with reports(other, "k") as source:
            assert not await source.has_pending()
            (*_, state) = await fetched(source)
    assert state.report is not None
    assert (state.report.info.origin, state.report.info.size) == ("localhost", len(AFTER))
    assert folders(cache) == [state.report.info.id]
