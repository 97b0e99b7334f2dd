"""The tail of one log, on a clock that is moved by hand and a platform made of a few bytes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.service import viewing_any

from platui.core.errors import OfflineError, OfflineReason
from platui.core.observers import Observable
from platui.logs import error_index
from platui.logs import preview as preview_module
from platui.logs.spool import LogSpool
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.log import LogState
from platui.service.connection_state import ConnectionWatch
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.feeds.poll_interval import TRANSFER_FACTOR, PollInterval
from platui.service.logs import end as log_end
from platui.service.logs import source as log_source
from platui.service.logs import tail as log_tail
from platui.service.logs.errors import error_rules
from platui.service.logs.job_logs import JobLog
from platui.service.logs.source import (
    MIN_MEASURED_BYTES,
    MIN_RANGE_BYTES,
    OVERLAP,
    TRIAL,
    CompressionSupport,
    LogSource,
    RangeSupport,
)
from platui.service.logs.tail import LogTail

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.support.service import Viewer

    from platui.core.errors import PlatuiError
    from platui.models.values.log import LogDocument, LogUpdate

RHYTHM = PollInterval(running=3.0, idle=30.0)
LINES = b"".join(b"line %d\n" % number for number in range(3000))


class Platform:
    """One job and its log, as reader, caller and shelf see them."""

    def __init__(self, clock: FakeClock, log: bytes = LINES, status: str = "running") -> None:
        self.log = log
        self.status = status
        self.honours_ranges = True
        self.tells_size = True
        self.failing: PlatuiError | None = None
        self.failing_after: int | None = None
        self.transfer = 0.0
        self.asked: list[int] = []
        """Bytes from which the log was asked for."""
        self.asked_packed: list[bool] = []
        """Whether it was asked for packed, each time."""
        self.kept: bytes | None = None
        self.fetched_at = None
        self.kept_status = ""
        """The status of the job an hour ago, if that is in the cache."""
        self.hold_rest: asyncio.Event | None = None
        """What the second half of a whole log waits for."""
        self._clock = clock

    async def recall(self, _operation: object) -> Any:
        """Return the job as the cache knows it: only where its log is kept."""
        if self.kept_status:
            return self._entry(self.kept_status, age=3600)
        return self._entry(self.status) if self.kept is not None else None

    async def fetch_unless_refused(self, *_arguments: object) -> Any:
        """Return the job as it is now."""
        return self._entry(self.status)

    def invalidate(self, _operation: object) -> None:
        """Do nothing: the job is never refused."""

    def _entry(self, status: str, age: float = 0) -> Any:
        fetched_at = self._clock.now() - timedelta(seconds=age)
        return SimpleNamespace(value=SimpleNamespace(status=status), fetched_at=fetched_at)

    @asynccontextmanager
    async def stream_log(
        self,
        _project: object,
        _job: int,
        _urgency: object,
        *,
        start: int,
        etag: str | None,
        packed: bool,
        before_send: Callable[[], Awaitable[None]] | None = None,
    ) -> AsyncIterator[Any]:
        """Open the log from a byte on."""
        if before_send is not None:
            await before_send()
        self.asked.append(start)
        self.asked_packed.append(packed)
        if self.failing is not None:
            raise self.failing
        if start > 0 and self.honours_ranges and start >= len(self.log):
            yield SimpleNamespace(status=416, start=start, total=len(self.log))
            return
        ranged = start > 0 and self.honours_ranges
        if etag is not None and etag == self._etag:
            yield SimpleNamespace(status=304, start=0, total=None, not_modified=True, etag=etag)
            return
        yield SimpleNamespace(
            status=206 if ranged else 200,
            start=start if ranged else 0,
            total=len(self.log) if ranged or self.tells_size else None,
            etag=self._etag,
            not_modified=False,
            packed=packed and not start,
            chunks=lambda: self._chunks(start if ranged else 0),
        )

    @property
    def _etag(self) -> str:
        return f'"{hash(self.log)}"'

    async def _chunks(self, start: int) -> AsyncIterator[bytes]:
        body = self.log[start:]
        self._clock.jump(self.transfer)
        for number, at in enumerate(range(0, len(body), 4096)):
            if start == 0 and number and self.hold_rest is not None:
                await self.hold_rest.wait()
            if self.failing_after is not None and at >= self.failing_after:
                raise OfflineError("Broken off.", reason=OfflineReason.DROPPED)
            yield body[at : at + 4096]

    async def get(self) -> LogSpool | None:
        """Return the log that is kept."""
        if self.kept is None:
            return None
        spool = LogSpool()
        spool.append(self.kept)
        return spool

    def put(self, spool: LogSpool) -> None:
        """Keep the log."""
        self.kept = spool.read(0, spool.size)


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that stands still."""
    return FakeClock()


@pytest.fixture
def platform(clock: FakeClock) -> Platform:
    """Return a platform with a job that runs."""
    return Platform(clock)


@pytest.fixture
def tail(platform: Platform, clock: FakeClock) -> LogTail:
    """Return the feed of its log."""
    return tail_of(platform, clock)


def tail_of(seen: Any, clock: FakeClock, *, errors_may_wait: bool = False) -> LogTail:
    """Return the feed of a platform's log."""
    line = Observable(Connection(ConnectionState.ONLINE))
    around = PollConditions(clock, line, Observable(BudgetState(0, 600)))
    logs = logs_of(seen, clock, line)
    logs.cached_log, logs.error_rules = lambda *_: seen, error_rules()
    context: Any = SimpleNamespace(
        reader=seen, conditions=around, logs=logs, interval=lambda _: RHYTHM
    )
    return LogTail(context, "acme/etl", 1, errors_may_wait=errors_may_wait)


def logs_of(
    platform: Any,
    clock: FakeClock,
    line: Observable[Connection],
    compression: CompressionSupport | None = None,
) -> Any:
    """Return what logs are asked for with."""
    return SimpleNamespace(
        caller=platform,
        line=ConnectionWatch(line, clock),
        clock=clock,
        range_support=RangeSupport(),
        compression=compression or CompressionSupport(),
    )


def holds(document: LogDocument, log: bytes) -> bool:
    """Return whether a document has these bytes and no others."""
    return document.read(0, document.size) == log


async def past(clock: FakeClock, viewer: Viewer[LogUpdate], seconds: float) -> LogUpdate:
    """Let time pass, and return what is known then."""
    await clock.advance(seconds)
    return viewer.last


async def test_it_looks_again_when_it_is_due_and_takes_only_what_is_new(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """By parts from the last bytes on, as soon as the log is worth that."""
    async with viewing_any(tail) as viewer:
        first = await past(clock, viewer, 1)
        assert first.state is LogState.FOLLOWING
        assert holds(first.document, LINES)
        assert first.is_current
        platform.log += b"more\n"
        assert (await past(clock, viewer, RHYTHM.running - 1.5)).document.size == len(LINES)
        second = await past(clock, viewer, 2)
        assert holds(second.document, platform.log)
        assert second.document is first.document
        assert len(LINES) >= MIN_RANGE_BYTES
        assert platform.asked == [0, len(LINES) - OVERLAP]
        assert second.last_growth is not None
        silent = await past(clock, viewer, 40)
        assert silent.last_growth == second.last_growth, "told is when bytes came, not when asked"
        assert platform.asked[-1] == len(platform.log) - OVERLAP


async def test_where_a_part_is_ignored_none_is_asked_for_again(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """Of the whole answer only the new bytes are taken."""
    platform.honours_ranges = False
    async with viewing_any(tail) as viewer:
        first = await past(clock, viewer, 1)
        for number in range(3):
            platform.log += b"more %d\n" % number
            await clock.advance(RHYTHM.running + 0.5)
        assert holds(viewer.last.document, platform.log)
        assert viewer.last.document is first.document
        assert [start > 0 for start in platform.asked] == [False, True, False, False]


async def test_a_slow_transfer_is_asked_for_less_often(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """At most a fifth of the time goes into it."""
    platform.transfer = 10.0
    platform.honours_ranges = False
    async with viewing_any(tail) as viewer:
        await past(clock, viewer, 1)
        asked = len(platform.asked)
        platform.log += b"more\n"
        await clock.advance(TRANSFER_FACTOR * platform.transfer - 5)
        assert len(platform.asked) == asked
        await clock.advance(15)
        assert len(platform.asked) > asked


@pytest.mark.parametrize(
    "log", [b"", LINES[:20_000], b"another " + LINES, LINES[:-9] + b"changed!\n"]
)
async def test_a_log_that_shrank_or_changed_is_a_reset_told_once(
    platform: Platform, tail: LogTail, clock: FakeClock, log: bytes
) -> None:
    """The document is another one, with what the platform has now."""
    async with viewing_any(tail) as viewer:
        first = await past(clock, viewer, 1)
        platform.log = log
        await past(clock, viewer, RHYTHM.running + 0.5)
        tail.refresh()
        await past(clock, viewer, 1)
        assert holds(viewer.last.document, log)
        assert viewer.last.document is not first.document
        assert sum(update.reset for update in viewer.seen) == 1


async def test_it_ends_with_the_job_and_its_last_bytes(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """The job is asked first, so that what it wrote last is not missed; then nobody is asked."""
    async with viewing_any(tail) as viewer:
        await past(clock, viewer, 1)
        platform.log += b"ERROR: Job failed"
        platform.status = "failed"
        ended = await past(clock, viewer, RHYTHM.running + 0.5)
        assert (ended.state, ended.job_status) == (LogState.ENDED, "failed")
        assert ended.document.text(ended.document.line_count - 1) == "ERROR: Job failed"
        assert ended.is_current
        assert holds(ended.document, platform.kept or b"")
        asked = len(platform.asked)
        await clock.advance(3600)
        assert len(platform.asked) == asked


@pytest.mark.parametrize("status", ["running", "failed"])
async def test_the_errors_of_a_flood_are_found_when_it_makes_a_pause_or_the_job_ends(
    platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    """Before that the newest are known, and it is told that there may be more."""
    monkeypatch.setattr(log_tail, "AT_ONCE", 1_000)
    monkeypatch.setattr(log_tail, "SLICES", 1)
    monkeypatch.setattr(log_tail, "REST", 1e9)
    monkeypatch.setattr(error_index, "AT_ONCE", 1_000)
    monkeypatch.setattr(error_index, "NEWEST", 500)
    monkeypatch.setattr(error_index, "SCAN_BYTES", 400)
    tail = tail_of(platform, clock, errors_may_wait=True)
    async with viewing_any(tail) as viewer:
        await clock.advance(1)
        await viewer.until(lambda update: update.is_current and update.document.line_count == 3000)
        platform.log += LINES + b"ERROR: one\n" + LINES + b"ERROR: two\n"
        await clock.advance(RHYTHM.running)
        told = await viewer.until(lambda one: one.is_current and one.document.line_count == 9002)
        assert not told.document.has_all_errors
        assert [mark.first for mark in told.document.errors] == [9001]
        platform.status = status
        await clock.advance(RHYTHM.running)
        told = await viewer.until(lambda one: one.document.has_all_errors)
        assert [mark.first for mark in told.document.errors] == [6000, 9001]
        assert told.document.error_count == 2


async def test_what_is_looked_at_seldom_says_when(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """Nobody is to think that nothing comes; what is looked at all the time need not say so."""
    platform.honours_ranges = False
    async with viewing_any(tail) as viewer:
        assert (await past(clock, viewer, 1)).next_poll is None
        platform.transfer = 10.0
        platform.log += b"more\n"
        await clock.advance(RHYTHM.running)
        told = await past(clock, viewer, platform.transfer)
        assert told.next_poll is not None
        assert (
            25
            < (told.next_poll - clock.now()).total_seconds()
            <= TRANSFER_FACTOR * platform.transfer
        )


async def test_a_failure_leaves_what_is_there_and_is_over_when_bytes_come(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """Half an answer is not lost either: the next one goes on from there."""
    platform.failing_after = 20_000
    async with viewing_any(tail) as viewer:
        broken = await past(clock, viewer, 1)
        assert broken.error is not None
        assert not broken.is_current
        came = broken.document.size
        assert 16_000 < came < len(LINES)
        platform.failing_after = None
        healed = await past(clock, viewer, 10)
        assert healed.error is None
        assert holds(healed.document, LINES)
        assert healed.document is broken.document
        assert platform.asked[1] == came - OVERLAP


async def test_held_it_asks_only_when_it_is_told_to(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """A view that is not shown costs nothing."""
    async with viewing_any(tail) as viewer:
        await past(clock, viewer, 1)
        tail.hold(held=True)
        platform.log += b"more\n"
        await clock.advance(60)
        assert len(platform.asked) == 1
        tail.refresh()
        assert holds((await past(clock, viewer, 1)).document, platform.log)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make logs long from a few thousand bytes on."""
    for module in (log_end, preview_module):
        monkeypatch.setattr(module, "TAIL", 2000)
    monkeypatch.setattr(log_end, "MIN_END_BYTES", 8000)
    monkeypatch.setattr(preview_module, "MIN_PREVIEW_BYTES", 8000)
    monkeypatch.setattr("platui.service.logs.copy.MIN_PREVIEW_BYTES", 8000)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("tells_size", [True, False])
async def test_the_end_of_a_long_log_is_there_before_the_rest(
    platform: Platform, tail: LogTail, clock: FakeClock, *, tells_size: bool
) -> None:
    """Nothing else is shown before it, and then it stands in its place in the whole."""
    platform.status = "success"
    platform.tells_size = tells_size
    if tells_size:
        platform.hold_rest = asyncio.Event()
    async with viewing_any(tail) as viewer:
        if tells_size:
            early = await past(clock, viewer, 0.5)
            assert early.is_tail
            assert early.document.text(early.document.line_count - 1) == "line 2999"
            assert 0 < early.progress < 1
            assert not early.is_current
            assert platform.hold_rest is not None
            platform.hold_rest.set()
        await clock.advance(3)
        whole = viewer.last
        assert whole.state is LogState.ENDED
        assert holds(whole.document, LINES)
        assert not any(update.reset for update in viewer.seen)
        if tells_size:
            assert [start for start in platform.asked if start] == [len(LINES) - 2000]
            shift = next(update.shift for update in viewer.seen if update.shift)
            assert whole.document.text(shift) == early.document.text(0)
        shown = [update.document for update in viewer.seen if update.document.line_count]
        assert all(document.text(document.line_count - 1) == "line 2999" for document in shown)


@pytest.mark.usefixtures("small")
async def test_where_parts_are_ignored_the_beginning_is_shown_after_a_while(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """One try tells; after it nobody waits for an end."""
    platform.honours_ranges = False
    platform.hold_rest = asyncio.Event()
    platform.log = LINES
    async with viewing_any(tail) as viewer:
        early = await past(clock, viewer, 0.5)
        assert not early.is_tail
        assert 0 < early.document.size < len(LINES)
        platform.hold_rest.set()
        whole = await past(clock, viewer, 1)
        assert holds(whole.document, LINES)
        assert whole.document is early.document
        assert platform.asked == [0, len(LINES) - 2000]


@pytest.mark.usefixtures("small")
async def test_a_kept_log_shows_its_end_first_and_asks_nobody(
    platform: Platform, tail: LogTail, clock: FakeClock
) -> None:
    """It is there at once, whole soon after, and the reader's lines stay where they are."""
    platform.status, platform.kept = "success", LINES
    async with viewing_any(tail) as viewer:
        await clock.advance(1)
        await viewer.until(lambda update: update.state is LogState.ENDED)  # a thread reads it
        first, last = viewer.seen[0], viewer.last
        assert first.is_tail
        assert (last.state, last.is_current) == (LogState.ENDED, True)
        assert holds(last.document, LINES)
        assert last.document.text(last.shift) == first.document.text(0)
        assert platform.asked == []


async def test_a_job_that_was_skipped_may_run_after_all(
    platform: Platform, clock: FakeClock
) -> None:
    """A retry runs it under its own id, so what is kept of it is never the whole log."""
    platform.kept, platform.kept_status = LINES[:20_000], "skipped"
    tail = tail_of(platform, clock)
    async with viewing_any(tail) as viewer:
        told = await past(clock, viewer, 1)
        assert (told.state, told.job_status) == (LogState.FOLLOWING, "running")
        assert holds(told.document, LINES)


@pytest.mark.usefixtures("small")
async def test_a_log_that_nobody_looks_at_meanwhile_is_asked_for_once(
    platform: Platform, clock: FakeClock
) -> None:
    """Its end is not wanted ahead of the rest: one of many logs costs one request."""
    seen: Any = platform
    line = Observable(Connection(ConnectionState.ONLINE))
    log = JobLog(LogSource(logs_of(platform, clock, line), "acme/etl", 1), seen)
    await log.read(Urgency.BACKGROUND, final=True)
    assert holds(log.document, LINES)
    assert platform.asked == [0]


async def test_a_log_that_comes_slowly_as_it_is_is_asked_for_packed_at_once(
    platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for the rest of it, and what came of it stays."""
    monkeypatch.setattr(log_source, "WITHOUT_PAUSE", 4096)
    compression = CompressionSupport()
    compression.learn(packed=True, size=MIN_MEASURED_BYTES, seconds=0.5, cpu_seconds=0.4)
    platform.transfer = 2 * TRIAL
    seen: Any = platform
    line = Observable(Connection(ConnectionState.ONLINE))
    log = JobLog(LogSource(logs_of(platform, clock, line, compression), "acme/etl", 1), seen)
    await log.read(Urgency.BACKGROUND, final=True)
    assert holds(log.document, LINES)
    assert not log.take_reset()
    assert (platform.asked, platform.asked_packed) == ([0, 0], [False, True])
