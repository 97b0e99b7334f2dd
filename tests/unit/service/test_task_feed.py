"""The life that feeds share whose work goes on in tasks."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.frozen import FrozenClock

from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.feeds.task_feed import TaskFeed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine


class Counting(TaskFeed[int]):
    """Tells a number that its task is handed."""

    def __init__(self, around: PollConditions) -> None:
        super().__init__(around)
        self.number = 0
        self.works = 0
        self.fault: Exception | None = None

    def set(self, number: int) -> None:
        """Have another number."""
        self.number = number
        self._news.set()

    def _work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        return (self._wait(),)

    async def _wait(self) -> None:
        self.works += 1
        try:
            while self.fault is None:
                await self._wake_up.wait(None)
            raise self.fault
        finally:
            self.works -= 1

    def _version(self) -> int:
        return self.number

    def _update(self) -> int:
        return self.number


@pytest.fixture
def around() -> PollConditions:
    """Return poll conditions that never change."""
    line = Observable(Connection(ConnectionState.ONLINE))
    return PollConditions(FrozenClock(), line, Observable(BudgetState(0, 600)))


async def test_what_is_not_new_is_not_told(around: PollConditions) -> None:
    """Two changes before anybody looks are one update; a ring without one is none."""
    feed = Counting(around)
    updates: AsyncIterator[int] = aiter(feed)
    assert await anext(updates) == 0
    feed.set(1)
    feed.set(2)
    assert await anext(updates) == 2
    coming = asyncio.ensure_future(anext(updates))
    feed.set(2)
    await asyncio.sleep(0)
    assert not coming.done()
    feed.set(3)
    assert await coming == 3


async def test_work_ends_with_whoever_looks_on(around: PollConditions) -> None:
    """And goes on when somebody does again."""
    feed = Counting(around)
    for _ in range(2):
        updates = aiter(feed)
        await anext(updates)
        await asyncio.sleep(0)
        assert feed.works == 1
        await updates.aclose()  # type: ignore[attr-defined]
        assert feed.works == 0


async def test_a_closed_service_ends_the_updates(around: PollConditions) -> None:
    """Also while nothing is to be told."""
    updates = aiter(Counting(around))
    await anext(updates)
    coming = asyncio.ensure_future(anext(updates, None))
    await asyncio.sleep(0)
    around.close()
    assert await coming is None


async def test_a_fault_in_the_work_is_told_to_whoever_looks_on(around: PollConditions) -> None:
    """Not to nobody."""
    feed = Counting(around)
    updates = aiter(feed)
    await anext(updates)
    feed.fault = ValueError("a fault")
    feed._wake_up.set()
    with pytest.raises(ValueError, match="a fault"):
        await anext(updates)


class Slow(Counting):
    """One that takes its time to begin, and between two updates."""

    def __init__(self, around: PollConditions, *, begins: bool, pause: float) -> None:
        super().__init__(around)
        self._begins = begins
        self._seconds = pause

    async def _begin(self) -> None:
        if not self._begins:
            await asyncio.Event().wait()

    def _pause(self) -> float:
        return self._seconds


@pytest.mark.parametrize(
    ("begins", "pause", "updates"),
    [(False, 0.0, 0), (True, 3600.0, 1), (True, 0.0, 1)],
    ids=["beginning", "pausing", "waiting"],
)
async def test_whoever_leaves_is_let_go_at_once(
    around: PollConditions, *, begins: bool, pause: float, updates: int
) -> None:
    """Whatever is being waited for; no work goes on behind."""
    feed = Slow(around, begins=begins, pause=pause)
    seen: list[int] = []

    async def track_incidents() -> None:
        async with aclosing(aiter(feed)) as coming:  # type: ignore[type-var]
            async for number in coming:
                seen.append(number)  # noqa: PERF401  (as far as it comes)

    before = asyncio.all_tasks()
    looking = asyncio.ensure_future(track_incidents())
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(seen) == updates
    assert feed.works == updates
    looking.cancel()
    await asyncio.wait({looking})
    assert looking.cancelled()
    assert feed.works == 0
    assert asyncio.all_tasks() == before
