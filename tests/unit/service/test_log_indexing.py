"""Lines are found by one thread at a time, whoever waits for it or gave up waiting."""

from __future__ import annotations

import asyncio
from threading import Lock, Semaphore
from time import sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.logs import Log
from platui.service.logs.indexing import IN_THE_LOOP, REST, LogIndexer, index_in_background

if TYPE_CHECKING:
    from collections.abc import Iterator

MUCH = b"a line\n" * IN_THE_LOOP


class SlowLog(Log):
    """A log whose lines are found when a test lets that go on."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_go_on = Semaphore(0), Semaphore(0)
        self.rounds = 0
        self.fault: Exception | None = None
        self._one = Lock()

    def take_in(self) -> None:
        """Find the lines, and fail where two do at once."""
        assert self._one.acquire(blocking=False)
        try:
            self.rounds += 1
            self.begun.release()
            assert self.may_go_on.acquire(timeout=10)
            if self.fault is not None:
                raise self.fault
            super().take_in()
        finally:
            self._one.release()


@pytest.fixture
def log() -> Iterator[SlowLog]:
    """Return a log with more lines than are found in the loop."""
    log = SlowLog()
    log.spool.append(MUCH)
    yield log
    log.may_go_on.release(3)


@pytest.fixture
async def called_off(log: SlowLog) -> LogIndexer:
    """Return what somebody waited for and gave up; its thread is at work."""
    indexer = LogIndexer(log)
    first = asyncio.ensure_future(indexer.index_lines())
    await asyncio.to_thread(log.begun.acquire)
    first.cancel()
    await asyncio.wait({first})
    return indexer


async def test_those_who_wait_for_one_thread_start_one(
    log: SlowLog, called_off: LogIndexer
) -> None:
    """Also where who had started the one before is gone; then few bytes are little again."""
    log.spool.append(MUCH)
    waiting = asyncio.gather(*(called_off.index_lines() for _ in range(3)))
    await asyncio.sleep(0)
    log.may_go_on.release()
    await asyncio.to_thread(log.begun.acquire)
    assert not called_off.is_little
    log.may_go_on.release()
    await waiting
    assert log.rounds == 2
    assert log.line_count == 2 * IN_THE_LOOP
    log.spool.append(b"few\n")
    assert called_off.is_little


async def test_what_nobody_waits_for_any_more_comes_to_an_end(
    log: SlowLog, called_off: LogIndexer
) -> None:
    """Nobody has to wait once more to know that."""
    log.may_go_on.release()
    async with asyncio.timeout(10):
        while not called_off.is_little:  # noqa: ASYNC110  (nothing tells)
            await asyncio.sleep(0)
    assert log.line_count == IN_THE_LOOP


@pytest.mark.parametrize("turns", range(6))
async def test_who_comes_just_as_a_thread_ends_does_not_wait_for_it_for_ever(
    log: SlowLog, called_off: LogIndexer, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """Between its end and the word of it, the loop has turns; whoever asks then goes on."""
    shield, asked = asyncio.shield, 0

    def counted(thread: asyncio.Future[None]) -> asyncio.Future[None]:
        nonlocal asked
        asked += 1
        assert asked < 10, "a thread that has ended is waited for again and again"
        return shield(thread)

    monkeypatch.setattr(asyncio, "shield", counted)
    log.may_go_on.release(2)
    sleep(0.02)  # noqa: ASYNC251  (the loop is to stand still while the thread ends)
    for _ in range(turns):
        await asyncio.sleep(0)
    await called_off.index_lines()
    assert called_off.is_little


async def test_a_fault_is_told_once_and_then_tried_again(log: SlowLog) -> None:
    """All that was to be found is still to be found."""
    indexer = LogIndexer(log)
    log.may_go_on.release()
    log.may_go_on.release()
    log.fault = OSError("a fault")
    with pytest.raises(OSError, match="a fault"):
        await indexer.index_lines()
    log.fault = None
    await indexer.index_lines()
    assert log.line_count == IN_THE_LOOP


def copy_of(log: Log) -> Any:
    """Return a copy of a log, as far as its lines are concerned."""
    return SimpleNamespace(indexer=LogIndexer(log))


@pytest.mark.parametrize("sizes", [(10,), (IN_THE_LOOP,), (IN_THE_LOOP, 1), (1, IN_THE_LOOP, 5, 9)])
async def test_all_lines_are_there_at_the_end(sizes: tuple[int, ...]) -> None:
    """However few or many came at once, and without waiting for the pause between two times."""
    log, told = Log(), 0

    def tell() -> None:
        nonlocal told
        told = log.line_count

    async with index_in_background(copy_of(log), tell) as came:
        for size in sizes:
            log.spool.append(b"a line\n" * size)
            await came()
    assert log.line_count == told == sum(sizes)


async def test_a_fault_beside_the_bytes_is_told_at_their_end() -> None:
    """Not to nobody."""
    log = SlowLog()
    log.may_go_on.release(3)
    log.fault = OSError("a fault")

    async def take_bytes() -> None:
        async with index_in_background(copy_of(log), lambda: None) as came:
            log.spool.append(MUCH)
            await came()
            await asyncio.to_thread(log.begun.acquire)

    with pytest.raises(OSError, match="a fault"):
        await take_bytes()


async def test_what_takes_long_is_done_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a flood the lines are found a few times only, until all of it is there."""
    now, pauses, sleep = 0.0, list[float](), asyncio.sleep

    class SlowIndexer(LogIndexer):
        async def index_lines(self) -> None:
            nonlocal now
            now += 0.2
            await super().index_lines()

    async def note(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr("platui.service.logs.indexing.monotonic", lambda: now)
    log, told = Log(), asyncio.Event()
    copy: Any = SimpleNamespace(indexer=SlowIndexer(log))
    async with index_in_background(copy, told.set) as came:
        monkeypatch.setattr("platui.service.logs.indexing.asyncio.sleep", note)
        log.spool.append(MUCH)
        await came()
        async with asyncio.timeout(10):
            await told.wait()
        await sleep(0)
    assert pauses == [0.2 * REST]
