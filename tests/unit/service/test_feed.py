"""The life of a feed, on a clock that is moved by hand."""

from __future__ import annotations

import asyncio
import gc
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock

from platui.core.errors import NotFoundError, OfflineError, OfflineReason, UnauthorizedError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.feeds import Listing, Snapshot, Source
from platui.service.connection_state import ConnectionWatch
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.feeds.poll_interval import PollInterval
from platui.service.feeds.polled import PolledFeed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from platui.core.errors import PlatuiError

OFFLINE = OfflineError("No way.", reason=OfflineReason.REFUSED)
REFUSED = UnauthorizedError("Unknown token.", status=401)
MISSING = NotFoundError("Not there.", status=404)


class Numbers:
    """A resource whose platform answers with lists of numbers, a page at a time."""

    def __init__(self, clock: FakeClock, watch: ConnectionWatch) -> None:
        self.interval = PollInterval(running=3.0, idle=30.0)
        self.source = Source.NOTHING
        self.fetched_at: datetime | None = None
        self.transfer = 0.0
        self.is_active = False
        self.is_final = False
        self.is_current = True
        self.loads_itself = False
        self.value: Listing[int] | None = None
        self.cached: tuple[Listing[int], datetime] | None = None
        self.pages = 1
        self.asked: list[tuple[str, Urgency]] = []
        self.failing: PlatuiError | None = None
        self.slow: asyncio.Event | None = None
        self.changing = False
        self._clock = clock
        self._watch = watch

    @property
    def more(self) -> bool:
        """Return whether a page is left."""
        return self.value is not None and len(self.value.items) < self.pages

    async def recall(self) -> None:
        """Take what a former run left."""
        if self.cached is not None:
            self.value, self.fetched_at = self.cached
            self.source = Source.CACHE

    def invalidate(self) -> None:
        """Do nothing: nothing is remembered of a refusal here."""

    async def renew(self, urgency: Urgency) -> None:
        """Answer the first page."""
        await self._answer("renew", urgency)
        if self.value is None or self.changing:
            self.value = Listing((len(self.asked),))

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Answer one more page."""
        del ahead
        await self._answer("extend", urgency)
        assert self.value is not None
        items = (*self.value.items, len(self.asked))
        self.value = Listing(items, None, len(items) == self.pages)

    async def _answer(self, what: str, urgency: Urgency) -> None:
        self.asked.append((what, urgency))
        if self.slow is not None:
            await self.slow.wait()
        if self.failing is not None:
            self._watch.failed(self.failing, self._watch.begin())
            raise self.failing
        self._watch.answered(self._watch.begin())
        self.source, self.fetched_at = Source.LIVE, self._clock.now()


class Stage:
    """A feed, what it stands on, and what a screen saw of it."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.line = Observable(Connection(ConnectionState.UNKNOWN))
        self.budget = Observable(BudgetState(0, 600))
        self.around = PollConditions(self.clock, self.line, self.budget)
        self.watch = ConnectionWatch(self.line, self.clock)
        self.subject = Numbers(self.clock, self.watch)
        reading: Any = self.subject
        self.feed: PolledFeed[Listing[int]] = PolledFeed(reading, self.around)
        self.seen: list[Snapshot[Listing[int]]] = []

    @asynccontextmanager
    async def screen(self) -> AsyncIterator[None]:
        """Look on for the length of the block."""

        async def look() -> None:
            async for snapshot in self.feed:
                self.seen.append(snapshot)

        task = asyncio.ensure_future(look())
        await self.clock.settle()
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    @property
    def last(self) -> Snapshot[Listing[int]]:
        """Return what the screen saw last."""
        return self.seen[-1]

    @property
    def count(self) -> int:
        """Return how many requests there were."""
        return len(self.subject.asked)

    def forget_jitter(self) -> None:
        """Make back-off exact."""
        self.feed._poll_timer._random = lambda: 0.0


async def test_the_cache_comes_first_and_the_platform_after() -> None:
    """What is known is shown at once, with its age and that a newer value is on its way."""
    stage = Stage()
    stage.subject.slow = asyncio.Event()
    old = stage.clock.now() - timedelta(hours=3)
    stage.subject.cached = (Listing((7,)), old)
    async with stage.screen():
        assert [s.source for s in stage.seen] == [Source.CACHE]
        assert stage.last.value == Listing((7,))
        assert stage.last.fetched_at == old
        assert stage.last.refreshing
        stage.subject.slow.set()
        await stage.clock.settle()
        assert stage.last.source is Source.LIVE
        assert stage.last.fetched_at == stage.clock.now()
        assert not stage.last.refreshing
        assert stage.subject.asked == [("renew", Urgency.USER)]


async def test_nothing_known_is_said_too() -> None:
    """An empty cache gives a snapshot of nothing, so that a screen can say it loads."""
    stage = Stage()
    stage.subject.slow = asyncio.Event()
    async with stage.screen():
        first = stage.seen[0]
        assert (first.value, first.source, first.refreshing) == (None, Source.NOTHING, True)


async def test_a_value_that_is_young_is_not_asked_for_again() -> None:
    """Going back to a screen within the rhythm costs no request until it is due."""
    stage = Stage()
    stage.subject.cached = (Listing((7,)), stage.clock.now() - timedelta(seconds=10))
    async with stage.screen():
        assert stage.count == 0
        assert not stage.last.refreshing
        await stage.clock.advance(19)
        assert stage.count == 0
        await stage.clock.advance(2)
        assert stage.count == 1


@pytest.mark.parametrize(
    ("age", "is_current", "count"), [(50, False, 0), (70, False, 1), (70, True, 0), (-70, False, 1)]
)
async def test_a_settled_value_that_may_be_out_of_date_is_asked_for_once(
    *, age: float, is_current: bool, count: int
) -> None:
    """It may have been retried elsewhere while nobody looked."""
    stage = Stage()
    stage.subject.cached = (Listing((7,)), stage.clock.now() - timedelta(seconds=age))
    stage.subject.is_final, stage.subject.is_current = True, is_current
    async with stage.screen():
        assert stage.seen[0].refreshing is bool(count)
        await stage.clock.advance(3600)
        assert stage.count == count


async def test_polls_follow_the_rhythm_and_are_less_urgent() -> None:
    """A thing that runs is looked at every 3 s, one that rests every 30 s."""
    stage = Stage()
    stage.subject.is_active = True
    async with stage.screen():
        await stage.clock.advance(9.5)
        assert stage.subject.asked == [("renew", Urgency.USER)] + [("renew", Urgency.VISIBLE)] * 3
        stage.subject.is_active = False
        await stage.clock.advance(25)
        assert stage.count == 4
        await stage.clock.advance(10)
        assert stage.count == 5


async def test_nobody_looking_on_costs_nothing() -> None:
    """Leaving the iteration ends requests and timers; coming back shows what was known."""
    stage = Stage()
    stage.subject.is_active = True
    async with stage.screen():
        pass
    assert stage.count == 1
    await stage.clock.advance(600)
    assert stage.count == 1
    async with stage.screen():
        assert stage.seen[-2].value is stage.seen[0].value or stage.seen[-2].value is not None
        assert stage.count == 2


async def test_an_unchanged_answer_renews_the_age_only() -> None:
    """The value stays the same object, so that a screen can skip its work."""
    stage = Stage()
    async with stage.screen():
        before = stage.last
        await stage.clock.advance(31)
        assert stage.last is not before
        assert stage.last.value is before.value
        assert stage.last.fetched_at != before.fetched_at
        assert sum(s.refreshing for s in stage.seen) == 1


async def test_an_error_keeps_the_value() -> None:
    """Stale data with a reason is better than none."""
    stage = Stage()
    async with stage.screen():
        stage.subject.failing = OFFLINE
        await stage.clock.advance(31)
        assert stage.last.value is not None
        assert stage.last.error is OFFLINE


async def test_an_outage_is_tried_again_ever_more_slowly_and_reported_once() -> None:
    """2, 4, 8 … 30 s; the same reason again is no news."""
    stage = Stage()
    stage.forget_jitter()
    stage.subject.failing = OFFLINE
    async with stage.screen():
        assert stage.count == 1
        for seconds in (2, 4, 8, 16, 30, 30):
            before = stage.count
            await stage.clock.advance(seconds - 0.5)
            assert stage.count == before
            await stage.clock.advance(0.5)
            assert stage.count == before + 1
        assert len([s for s in stage.seen if s.error is not None]) == 1
        stage.subject.failing = None
        await stage.clock.advance(40)
        assert stage.last.error is None


async def test_a_line_that_is_back_wakes_every_feed() -> None:
    """The success of one request tells the others not to wait for their own turn."""
    stage = Stage()
    stage.subject.failing = OFFLINE
    async with stage.screen():
        await stage.clock.advance(100)
        before = stage.count
        stage.subject.failing = None
        stage.watch.answered(stage.watch.begin())
        await stage.clock.settle()
        assert stage.count == before + 1
        assert stage.last.error is None


async def test_a_refused_token_stops_polling_until_there_is_a_new_one() -> None:
    """401 is not asked for again; a new token wakes the feed at once."""
    stage = Stage()
    stage.subject.is_active = True
    stage.subject.failing = REFUSED
    async with stage.screen():
        assert stage.last.error is REFUSED
        assert stage.line.value.state is ConnectionState.UNAUTHORIZED
        await stage.clock.advance(3600)
        assert stage.count == 1
        stage.subject.failing = None
        stage.around.token_replaced()
        await stage.clock.settle()
        assert stage.count == 2
        assert stage.last.error is None
        assert stage.line.value.state is ConnectionState.ONLINE


async def test_a_new_token_wakes_a_feed_that_had_no_error_itself() -> None:
    """Another feed met the 401; this one had stopped because of it."""
    stage = Stage()
    stage.subject.is_active = True
    async with stage.screen():
        stage.watch.failed(REFUSED, stage.watch.begin())
        await stage.clock.advance(60)
        assert stage.count == 1
        stage.around.token_replaced()
        await stage.clock.settle()
        assert stage.count == 2


async def test_refresh_asks_even_where_polling_has_stopped() -> None:
    """Unauthorized, held or settled: the user's word counts."""
    stage = Stage()
    async with stage.screen():
        for prepare in ("held", "settled", "unauthorized"):
            stage.feed.hold(prepare == "held")
            stage.subject.is_final = prepare == "settled"
            if prepare == "unauthorized":
                stage.watch.failed(REFUSED, stage.watch.begin())
            await stage.clock.advance(3600)
            before = stage.count
            stage.feed.refresh()
            await stage.clock.settle()
            assert stage.count == before + 1, prepare
            assert stage.subject.asked[-1] == ("renew", Urgency.USER)


async def test_refresh_overtakes_a_poll_that_waits() -> None:
    """A poll that stands in the queue behind a spent quota must not hold up the user."""
    stage = Stage()
    async with stage.screen():
        stage.subject.slow = asyncio.Event()
        await stage.clock.advance(31)
        assert stage.subject.asked[-1] == ("renew", Urgency.VISIBLE)
        stage.feed.refresh()
        await stage.clock.settle()
        assert stage.subject.asked[-1] == ("renew", Urgency.USER)
        assert stage.last.refreshing
        stage.subject.slow.set()
        await stage.clock.settle()
        assert stage.count == 3
        assert not stage.last.refreshing


async def test_a_refusal_is_asked_for_again_only_rarely() -> None:
    """What is not there now may be there later, but not in two seconds."""
    stage = Stage()
    stage.subject.is_active = True
    stage.subject.failing = MISSING
    async with stage.screen():
        await stage.clock.advance(59)
        assert stage.count == 1
        await stage.clock.advance(2)
        assert stage.count == 2


async def test_settled_things_are_not_polled() -> None:
    """What cannot change is asked for once."""
    stage = Stage()
    stage.subject.is_final = True
    async with stage.screen():
        assert stage.last.is_final
        await stage.clock.advance(3600)
        assert stage.count == 1


async def test_the_reserve_of_the_quota_is_not_polled_away() -> None:
    """Polling stops short of the limit and goes on when the window has moved on."""
    stage = Stage()
    stage.subject.is_active = True
    async with stage.screen():
        stage.budget.set(BudgetState(560, 600))
        await stage.clock.advance(120)
        assert stage.count == 1
        stage.budget.set(BudgetState(10, 600))
        await stage.clock.advance(10)
        assert stage.count > 1


async def test_a_pause_after_429_is_waited_for() -> None:
    """Nothing is due before requests go on."""
    stage = Stage()
    stage.subject.is_active = True
    async with stage.screen():
        stage.budget.set(BudgetState(30, 600, paused_until=stage.clock.monotonic() + 20))
        await stage.clock.advance(19.9)
        assert stage.count == 1
        await stage.clock.advance(0.2)
        assert stage.count == 2


async def test_pages_come_when_asked_for_and_say_so() -> None:
    """One more, then all: the list says that more is on its way until it is complete."""
    stage = Stage()
    stage.subject.pages = 4
    async with stage.screen():
        assert not stage.last.loading
        stage.feed.load_more()
        await stage.clock.settle()
        assert stage.subject.asked[-1] == ("extend", Urgency.USER)
        assert stage.last.value is not None
        assert len(stage.last.value.items) == 2
        stage.feed.load_all()
        await stage.clock.settle()
        assert len(stage.last.value.items) == 4
        assert not stage.last.loading
        assert stage.seen[-2].loading
        assert stage.subject.asked[-1] == ("extend", Urgency.VISIBLE)
        stage.feed.load_more()
        await stage.clock.settle()
        assert stage.count == 4


async def test_a_refresh_is_not_satisfied_by_a_request_sent_before_it() -> None:
    """A write is done while the first request is under way: its response may be older."""
    stage = Stage()
    stage.subject.slow = asyncio.Event()
    async with stage.screen():
        for _ in range(3):
            stage.feed.refresh()
            await stage.clock.settle()
        assert stage.subject.asked == [("renew", Urgency.USER)]
        stage.subject.slow.set()
        await stage.clock.settle()
        assert stage.subject.asked == [("renew", Urgency.USER)] * 2


async def test_a_held_key_at_the_end_asks_for_one_page_however_long_it_takes() -> None:
    """A poll is under way, then the page itself: neither gathers the repeats of the key."""
    stage = Stage()
    stage.subject.pages = 9
    async with stage.screen():
        stage.subject.slow = asyncio.Event()
        await stage.clock.advance(30)
        assert stage.subject.asked[-1] == ("renew", Urgency.VISIBLE)
        for _ in range(5):
            stage.feed.load_more(again=True)
        stage.subject.slow.set()
        await stage.clock.settle()
        assert [what for what, _ in stage.subject.asked] == ["renew", "renew", "extend"]
        stage.subject.slow = asyncio.Event()
        for _ in range(5):
            stage.feed.load_more(again=True)
            await stage.clock.settle()
        stage.subject.slow.set()
        await stage.clock.settle()
        assert [what for what, _ in stage.subject.asked] == ["renew", "renew", "extend", "extend"]


async def test_all_pages_may_be_wished_before_the_first_is_there() -> None:
    """The wish waits for the first page, and today's first page goes before a cached one's next."""
    stage = Stage()
    stage.subject.pages = 3
    stage.subject.cached = (Listing((7,)), stage.clock.now() - timedelta(hours=1))
    stage.feed.load_all()
    async with stage.screen():
        assert [what for what, _ in stage.subject.asked] == ["renew", "extend", "extend"]
        assert stage.last.value is not None
        assert stage.last.value.complete


async def test_refresh_ends_loading_all() -> None:
    """The user who asks for news no longer waits for the rest of the list."""
    stage = Stage()
    stage.subject.pages = 400
    async with stage.screen():
        stage.subject.slow = asyncio.Event()
        stage.feed.load_all()
        await stage.clock.settle()
        stage.feed.refresh()
        await stage.clock.settle()
        stage.subject.slow.set()
        await stage.clock.settle()
        assert [what for what, _ in stage.subject.asked] == ["renew", "extend", "renew"]
        assert not stage.last.loading


async def test_a_page_that_fails_ends_loading_all() -> None:
    """An outage in the middle leaves what is loaded, and says why there is no more."""
    stage = Stage()
    stage.subject.pages = 400
    async with stage.screen():
        stage.subject.failing = OFFLINE
        stage.feed.load_all()
        await stage.clock.settle()
        assert stage.count == 2
        assert stage.last.error is OFFLINE
        assert not stage.last.loading


async def test_a_whole_list_loads_itself_and_recovers_from_a_lost_page() -> None:
    """All pages come unasked; a page that failed is tried again with a pause."""
    stage = Stage()
    stage.forget_jitter()
    stage.subject.pages = 3
    stage.subject.loads_itself = True
    stage.subject.slow = asyncio.Event()
    async with stage.screen():
        stage.subject.slow.set()
        await stage.clock.settle()
        assert stage.last.value is not None
        assert len(stage.last.value.items) == 3
        stage.subject.pages = 4
        stage.subject.failing = OFFLINE
        await stage.clock.advance(30)
        before = stage.count
        await stage.clock.advance(1.9)
        assert stage.count == before
        stage.subject.failing = None
        await stage.clock.advance(10)
        assert stage.last.value is not None
        assert len(stage.last.value.items) == 4


async def test_unfocused_is_slower_and_focus_looks_at_once() -> None:
    """What is overdue by the faster rhythm is asked for when the eyes come back."""
    stage = Stage()
    stage.subject.is_active = True
    async with stage.screen():
        stage.around.focus(focused=False)
        await stage.clock.advance(10)
        assert stage.count == 1
        stage.around.focus(focused=True)
        await stage.clock.settle()
        assert stage.count == 2


async def test_closing_ends_the_iteration() -> None:
    """A closed service leaves no feed behind, not even one that waits for an answer."""
    stage = Stage()
    stage.subject.slow = asyncio.Event()

    async def look() -> int:
        return len([snapshot async for snapshot in stage.feed])

    task = asyncio.ensure_future(look())
    await stage.clock.settle()
    stage.around.close()
    await stage.clock.settle()
    assert task.done()


async def test_one_who_leaves_while_a_request_fails_leaves_no_complaint() -> None:
    """At whatever step of the failure: the loop never has to say that nobody was told."""
    complaints: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context["message"]))
    try:
        for steps in range(8):
            stage = Stage()
            stage.subject.failing, stage.subject.slow = OFFLINE, asyncio.Event()
            async with stage.screen():
                stage.subject.slow.set()
                for _ in range(steps):
                    await asyncio.sleep(0)
            del stage
            gc.collect()
            await asyncio.sleep(0)
    finally:
        loop.set_exception_handler(None)
    assert complaints == []
