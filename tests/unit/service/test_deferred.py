"""Feeds that were handed out before the service had started."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.core.errors import ConfigError
from platui.models.values.feeds import Snapshot, Source
from platui.models.values.log import LogState
from platui.models.values.queries import JobsQuery
from platui.models.values.search import SearchQuery
from platui.service import resources
from platui.service.deferred import DeferredFeed, Startup
from platui.service.feeds.latest_pipelines import LatestFeed
from platui.service.feeds.polled import PolledFeed
from platui.service.logs.comparing import ComparedLogs
from platui.service.logs.many_logs import ManyLogs
from platui.service.logs.pipeline_search import PipelineSearch
from platui.service.logs.tail import LogTail
from platui.service.resources.resource import FeedSource, Resource
from platui.service.triage.board import BoardFeed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.core.errors import PlatuiError

LATE = ConfigError("The address is wrong.")


class RealFeed:
    """The feed that a resource opens; it notes what it is told."""

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

    def load_more(self, pages: int = 1, *, again: bool = False) -> None:
        """Note it."""
        del pages, again
        self.told.append("load_more")

    def load_all(self) -> None:
        """Note it."""
        self.told.append("load_all")

    def hold(self, held: bool) -> None:  # noqa: FBT001  (the protocol's switch)
        """Note it."""
        self.told.append(("hold", held))


class Beginning:
    """A service that has not started, and a feed of it."""

    def __init__(self, *modules: str) -> None:
        self.real = RealFeed()
        self.startup = Startup()

        def failed(error: PlatuiError) -> Snapshot[int]:
            return Snapshot(None, Source.NOTHING, None, error=error)

        source = FeedSource(lambda _: self.real, failed, modules, Resource.commands)
        self.feed: Any = DeferredFeed(self.startup, source)

    def start(self) -> None:
        """Open the live half."""
        live: Any = SimpleNamespace(context=None)
        self.startup.succeed(live)


async def _settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_it_waits_then_yields_what_the_real_one_yields() -> None:
    """Nothing comes before the start; what was asked meanwhile is passed on once."""
    begun = Beginning()
    feed, seen = begun.feed, []

    async def look() -> None:
        async for snapshot in feed:
            seen.append(snapshot)  # noqa: PERF401  (looked at while it goes on)

    task = asyncio.ensure_future(look())
    feed.hold(True)
    feed.load_all()
    feed.hold(False)
    await _settle()
    assert seen == []
    begun.start()
    await _settle()
    assert [snapshot.value for snapshot in seen] == [7]
    assert begun.real.told == [("hold", False), "load_all"]
    feed.refresh()
    feed.load_more(2)
    assert begun.real.told[2:] == ["refresh", "load_more"]
    task.cancel()
    await asyncio.wait({task})
    assert begun.real.left


async def test_what_is_no_command_is_no_attribute() -> None:
    """A feed is asked what it can do: only a saved log can `go_on`."""
    begun = Beginning()
    for _ in range(2):
        assert not hasattr(begun.feed, "go_on")
        assert not hasattr(begun.feed, "value")
        assert not hasattr(begun.feed, "_told")
        with pytest.raises(AttributeError, match="lod_more"):
            begun.feed.lod_more()
        begun.start()


BOOK: Any = None
SOURCES: tuple[tuple[Any, type[Any]], ...] = (
    (resources.jobs.jobs(JobsQuery(7)), PolledFeed),
    (resources.logs.job_log(7, 9), LogTail),
    (resources.logs.many_job_logs(7, 9, lambda *_: ()), ManyLogs),
    (resources.logs.compared(7, 9), ComparedLogs),
    (resources.logs.search(7, 9, SearchQuery("x")), PipelineSearch),
    (resources.projects.latest(), LatestFeed),
    (resources.schedules.last_runs(7), LatestFeed),
    (resources.triage.board(BOOK), BoardFeed),
)


@pytest.mark.parametrize(("source", "kind"), SOURCES, ids=[kind.__name__ for _, kind in SOURCES])
def test_the_commands_of_a_source_are_those_of_its_feeds(source: Any, kind: type[Any]) -> None:
    """All that a screen can ask of a feed can be asked before the service has started."""
    methods = {name for one in kind.__mro__ for name in vars(one) if not name.startswith("_")}
    assert set(source.commands) == methods - {"notify"}  # which the board does


async def test_a_failed_start_is_shown_and_a_later_one_mends_it() -> None:
    """Each kind of feed says why it has nothing, in its own way."""
    begun = Beginning()
    begun.startup.fail(LATE)
    stream = aiter(begun.feed)
    first = await anext(stream)
    assert (first.value, first.source, first.error) == (None, Source.NOTHING, LATE)
    following = asyncio.ensure_future(anext(stream))
    await _settle()
    assert not following.done()
    begun.start()
    assert (await following).value == 7


async def test_slow_modules_are_imported_in_a_thread_first() -> None:
    """Commands that come meanwhile wait for them, too."""
    begun = Beginning("sched")
    sys.modules.pop("sched", None)
    begun.start()
    begun.feed.refresh()
    assert begun.real.told == []
    assert (await anext(aiter(begun.feed))).value == 7
    assert begun.real.told == ["refresh"]
    assert "sched" in sys.modules


async def test_a_log_that_cannot_be_opened_is_an_empty_document() -> None:
    """The log view gets something it can paint, and the reason."""
    startup = Startup()
    startup.fail(LATE)
    log: Any = DeferredFeed(startup, resources.logs.job_log(7, 9))
    update = await anext(aiter(log))
    assert (update.state, update.error) == (LogState.OPENING, LATE)
    assert (update.document.line_count, update.document.size) == (0, 0)
    for ask in (update.document.text, update.document.spans, update.document.is_section):
        with pytest.raises(IndexError):
            ask(0)


async def test_every_kind_of_feed_says_why_there_is_none() -> None:
    """Or nothing, where an error has no place in what it yields."""
    book: Any = None
    for source in (
        resources.jobs.jobs(JobsQuery(7)),
        resources.logs.compared(7, 9),
        resources.triage.board(book),
    ):
        startup = Startup()
        startup.fail(LATE)
        feed: Any = DeferredFeed(startup, source)
        assert (await anext(aiter(feed))).error is LATE
    assert resources.projects.latest().failed(LATE) is None


async def test_closing_ends_all_that_wait() -> None:
    """A service that is closed before it started leaves nobody waiting."""
    begun = Beginning()

    async def look() -> int:
        return len([snapshot async for snapshot in begun.feed])

    task = asyncio.ensure_future(look())
    await _settle()
    begun.startup.close()
    assert await task == 0
