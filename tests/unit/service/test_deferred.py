"""Feeds that were handed out before the service had started."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from platui.core.errors import ConfigError
from platui.models.values.log import LogState
from platui.models.values.snapshots import Snapshot, Source
from platui.service.deferred import DeferredFeed, DeferredLatest, DeferredLog
from platui.service.opening import Opening

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.models.values.feeds import Feed

LATE = ConfigError("The address is wrong.")


class RealFeed:
    """The feed that the live half makes; it notes what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.left = False

    async def __aiter__(self) -> AsyncIterator[Snapshot[int]]:
        """Yield one value, and wait for ever."""
        try:
            yield Snapshot(7, Source.LIVE, None)
            await asyncio.Event().wait()
        finally:
            self.left = True

    def refresh(self) -> None:
        """Note it."""
        self.told.append("refresh")

    def load_more(self, pages: int = 1) -> None:
        """Note it."""
        del pages
        self.told.append("load_more")

    def load_all(self) -> None:
        """Note it."""
        self.told.append("load_all")

    def hold(self, held: bool) -> None:  # noqa: FBT001  (the protocol's switch)
        """Note it."""
        self.told.append(("hold", held))


async def _settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def _given(feed: Feed[int]) -> Feed[int]:
    return feed


async def test_it_waits_then_yields_what_the_real_one_yields() -> None:
    """Nothing comes before the start; what was asked meanwhile is passed on once."""
    opening: Opening[RealFeed] = Opening()
    feed: DeferredFeed[RealFeed, int] = DeferredFeed(opening, _given)
    seen: list[Snapshot[int]] = []

    async def look() -> None:
        async for snapshot in feed:
            seen.append(snapshot)  # noqa: PERF401  (looked at while it goes on)

    task = asyncio.ensure_future(look())
    feed.hold(held=True)
    feed.load_all()
    feed.hold(held=False)
    await _settle()
    assert seen == []
    real = RealFeed()
    opening.succeed(real)
    await _settle()
    assert [snapshot.value for snapshot in seen] == [7]
    assert real.told == [("hold", False), "load_all"]
    feed.refresh()
    feed.load_more()
    assert real.told[2:] == ["refresh", "load_more"]
    task.cancel()
    await asyncio.wait({task})
    assert real.left


async def test_a_failed_start_is_shown_and_a_later_one_mends_it() -> None:
    """Each kind of feed says why it has nothing, in its own way."""
    opening: Opening[RealFeed] = Opening()
    snapshots: DeferredFeed[RealFeed, int] = DeferredFeed(opening, _given)
    opening.fail(LATE)
    stream = aiter(snapshots)
    first = await anext(stream)
    assert (first.value, first.source, first.error) == (None, Source.NOTHING, LATE)
    following = asyncio.ensure_future(anext(stream))
    await _settle()
    assert not following.done()
    opening.succeed(RealFeed())
    assert (await following).value == 7


async def test_a_log_that_cannot_be_opened_is_an_empty_document() -> None:
    """The log view gets something it can paint, and the reason."""
    opening: Opening[object] = Opening()
    opening.fail(LATE)

    def unreachable(_: object) -> object:
        raise AssertionError

    log: DeferredLog[object] = DeferredLog(opening, unreachable)  # type: ignore[arg-type]
    update = await anext(aiter(log))
    assert (update.state, update.error) == (LogState.OPENING, LATE)
    assert (update.document.line_count, update.document.size) == (0, 0)
    for ask in (update.document.text, update.document.spans, update.document.is_section):
        with pytest.raises(IndexError):
            ask(0)


async def test_closing_ends_all_that_wait() -> None:
    """A service that is closed before it started leaves nobody waiting."""
    opening: Opening[RealFeed] = Opening()
    feed: DeferredFeed[RealFeed, int] = DeferredFeed(opening, _given)
    latest: DeferredLatest[object] = DeferredLatest(Opening(), lambda _: None)  # type: ignore[arg-type, return-value]
    latest._opening.close()

    async def look() -> int:
        return len([snapshot async for snapshot in feed])

    task = asyncio.ensure_future(look())
    await _settle()
    opening.close()
    assert await task == 0
    assert [state async for state in latest] == []
