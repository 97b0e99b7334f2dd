"""Follow all running and failed jobs of a pipeline in one stream of lines."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Coroutine, Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.logs.merged import MergedLog
from platui.models.values.connection import Urgency
from platui.models.values.feeds import Feed, Listing, Snapshot, Source
from platui.models.values.log import LogState, LogUpdate, Span
from platui.models.values.many_logs import FollowerEvent, FollowerNotice, Origin
from platui.service.feeds.poll_interval import REFUSED, PollInterval
from platui.service.feeds.poll_timer import PollTimer
from platui.service.feeds.task_feed import TaskFeed
from platui.service.feeds.wake_up import WakeUp
from platui.service.logs.followed_jobs import FollowedJobs
from platui.service.resources.resource import Poll

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.models.wire import Job, Pipeline
    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading
    from platui.service.logs.follower import FollowedLine, LogFollower
    from platui.service.logs.job_logs import JobLog

BATCH_SIZE: Final = 4  # logs read concurrently in one round
SHARE: Final = 3  # logs read per poll interval: one a second by default
_GAP: Final = 0.1  # seconds between two updates
_LINES_AT_ONCE: Final = 200  # lines to merge before yielding to the event loop


class ManyLogs(TaskFeed[LogUpdate]):
    """The feed of a pipeline's logs, until all of its jobs have ended and are shown."""

    def __init__(
        self,
        context: ReadContext,
        pipeline: int,
        jobs: Feed[Listing[Job]],
        open_log: Callable[[int], JobLog],
        describe: Callable[[FollowerNotice, datetime], tuple[Span, ...]],
        *,
        whole: bool = False,
        record: Reading[Pipeline] | None = None,
    ) -> None:
        conditions = context.conditions
        super().__init__(conditions)
        self._pipeline = pipeline
        self._record = record
        self._feed = jobs
        self._interval = context.interval(Poll.WHILE_ACTIVE)
        self._poll_timer, self._late_poll_timer = PollTimer(conditions), PollTimer(conditions)
        self._late_wake_up = WakeUp(conditions.clock)
        self._wake_ups.append(self._late_wake_up)
        self._jobs = FollowedJobs(open_log, whole=whole)
        self._merging = LogMerging(describe, conditions.clock)
        self._snapshot: Snapshot[Listing[Job]] = Snapshot(None, Source.NOTHING, None)
        self._has_concluded = self._has_ended = False
        self._refresh = False
        self._held = False

    def _work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        return (self._watch(), self._follow(), self._catch_up())

    def refresh(self) -> None:
        self._refresh = True
        self._feed.refresh()
        self._wake_up.set()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self._held = held
        self._feed.hold(held)
        self._wake_up.set()

    # jobs

    async def _watch(self) -> None:
        async for snapshot in self._feed:
            self._snapshot = snapshot
            listing = snapshot.value
            if listing is not None and listing.complete:
                # All empty tuples are one object.
                if listing.items is not self._jobs.jobs or not self._jobs.is_known:
                    self._jobs.take(listing.items)
                    self._wake_up.set()
                    self._late_wake_up.set()
                if not (listing.items or snapshot.refreshing or snapshot.error):
                    await self._take_none()
            self._conclude()
            self._news.set()

    async def _take_none(self) -> None:
        """Take a list without jobs; final if the pipeline had ended, as with an invalid file."""
        if self._has_ended or self._record is None:
            self._jobs.will_be_none = self._has_ended
            return
        try:
            await self._record.renew(Urgency.VISIBLE)
        except PlatuiError:
            return
        self._has_ended = self._record.is_final
        if self._has_ended:
            self._feed.refresh()  # jobs may have come meanwhile

    def _conclude(self) -> None:
        concluded, jobs = self._has_concluded, self._snapshot
        is_current = not jobs.refreshing and jobs.error is None
        self._has_concluded = self._jobs.are_over and (concluded or is_current)
        if self._has_concluded and not concluded:
            if self._jobs.has_any:
                ended, status = FollowerEvent.PIPELINE_ENDED, self._jobs.status
                self._merging.add_event(
                    FollowerNotice(ended, status=status, pipeline=self._pipeline)
                )
            self._news.set()

    # logs

    async def _follow(self) -> None:
        while True:
            left = self._remaining()
            if left != 0.0:
                await self._wake_up.wait(left)
                continue
            is_urgent, self._refresh = self._refresh or not self._poll_timer.tried, False
            batch = self._jobs.live(self._conditions.clock.monotonic())[:BATCH_SIZE]
            urgency = Urgency.USER if is_urgent else Urgency.VISIBLE
            await self._read(batch, urgency, self._poll_timer)

    def _remaining(self) -> float | None:
        live = self._jobs.live(self._conditions.clock.monotonic())
        if not live:
            self._refresh = False
            # A rejected log is requested again after a while.
            return REFUSED if self._jobs.has_unread else None
        if self._refresh or (live[0].read_at is None and self._poll_timer.error is None):
            return 0.0
        if self._held:
            return None
        batch = min(len(live), BATCH_SIZE)
        interval = PollInterval(
            self._interval.running * max(1.0, batch / SHARE), self._interval.idle
        )
        transfer = max(follower.transfer for follower in live)
        return self._poll_timer.remaining(interval, running=True, transfer=transfer)

    async def _catch_up(self) -> None:
        while True:
            batch = self._jobs.owed()[:BATCH_SIZE]
            if not batch:
                await self._late_wake_up.wait(None)
                continue
            urgency = Urgency.BACKGROUND if self._late_poll_timer.tried else Urgency.VISIBLE
            await self._read(batch, urgency, self._late_poll_timer)
            if self._late_poll_timer.error is not None:
                await self._late_wake_up.wait(
                    self._late_poll_timer.remaining(self._interval, running=True)
                )

    async def _read(
        self, batch: Sequence[LogFollower], urgency: Urgency, poll_timer: PollTimer
    ) -> None:
        now = self._conditions.clock.monotonic()
        for follower in batch:
            follower.is_busy = True
        try:
            found = await asyncio.gather(*(follower.read(urgency, now) for follower in batch))
            usable = [s for s, error in zip(batch, found, strict=True) if error is None]
            await self._merging.take(usable, self._news.set)
        finally:
            for follower in batch:
                follower.is_busy = False
        self._conclude()
        self._news.set()
        error = next(filter(None, found), None)
        if error is None:
            poll_timer.succeeded()
        else:
            poll_timer.failed(error)

    # updates

    @property
    def _error(self) -> PlatuiError | None:
        return self._snapshot.error or self._poll_timer.error or self._late_poll_timer.error

    @property
    def _state(self) -> LogState:
        if not self._jobs.is_known:
            return LogState.OPENING
        return LogState.ENDED if self._has_concluded else LogState.FOLLOWING

    def _version(self) -> tuple[object, ...]:
        lines, fetched_at = self._merging.document.line_count, self._snapshot.fetched_at
        return (lines, self._state, self._jobs.jobs, fetched_at, id(self._error))

    def _update(self) -> LogUpdate:
        stream = self._jobs.stream(self._snapshot.fetched_at)
        return LogUpdate(
            self._merging.document,
            self._state,
            stream.pipeline_status,
            last_growth=self._merging.last_growth,
            error=self._error,
            stream=stream,
        )

    def _pause(self) -> float:
        return _GAP


class LogMerging:
    def __init__(
        self, describe: Callable[[FollowerNotice, datetime], tuple[Span, ...]], clock: Clock
    ) -> None:
        self.document = MergedLog()
        self.last_growth: datetime | None = None
        self._describe = describe
        self._clock = clock
        self._turn = asyncio.Lock()

    async def take(self, batch: Sequence[LogFollower], came: Callable[[], None]) -> None:
        """Add new lines, by time if all logs have timestamps, calling `came` meanwhile."""
        async with self._turn:
            lines = 0
            for news, followers in _groups(batch):
                for one in news:
                    self.add_event(one)
                for follower, line in _by_time(followers):
                    origin = Origin(follower.job.id, line.number)
                    self.document.add(line.spans, origin, line.stamp, line.error)
                    follower.took(line)
                    self.last_growth = self._clock.now()
                    lines += 1
                    if lines % _LINES_AT_ONCE == 0:
                        came()
                        await asyncio.sleep(0)
                for follower in followers:
                    last = follower.last_line
                    for one in follower.news_after():
                        self.add_event(one, last)

    def add_event(self, news: FollowerNotice, line: int = 0) -> None:
        job = news.job.id if news.job is not None else 0
        self.document.add(self._describe(news, self._clock.now()), Origin(job, line))


def _groups(
    batch: Sequence[LogFollower],
) -> Iterator[tuple[list[FollowerNotice], list[LogFollower]]]:
    """Yield events and the logs whose lines follow: merged, or one by one."""
    events = [(follower.news_before(), follower) for follower in batch]
    if len(batch) > 1 and all(follower.can_be_merged for follower in batch):
        yield [one for news, _ in events for one in news], list(batch)
    else:
        for news, follower in events:
            yield news, [follower]


def _by_time(followers: Sequence[LogFollower]) -> Iterator[tuple[LogFollower, FollowedLine]]:
    def timed(follower: LogFollower) -> Iterator[tuple[float, LogFollower, FollowedLine]]:
        time = 0.0
        for line in follower.lines():
            # A line without a timestamp follows the line before it.
            time = time if line.stamp is None or line.goes_on else max(time, line.stamp)
            yield time, follower, line

    # Lines of the same time stay in the order of the logs.
    for _, follower, line in heapq.merge(*map(timed, followers), key=itemgetter(0)):
        yield follower, line
