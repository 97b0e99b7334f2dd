"""Merge the lines of many logs into one document, by time or log by log."""

from __future__ import annotations

import asyncio
import heapq
from typing import TYPE_CHECKING, Final

from platui.logs.merged import MergedLog
from platui.models.values.many_logs import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from platui.core.clock import Clock
    from platui.models.values.log import Span
    from platui.models.values.many_logs import FollowerNotice
    from platui.service.logs.follower import FollowedLine, LogFollower

_LINES_AT_ONCE: Final = 200  # lines to merge before yielding to the event loop


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
    if len(followers) == 1:
        yield from ((followers[0], line) for line in followers[0].lines())
        return

    def timed(number: int, follower: LogFollower) -> Iterator[tuple[float, int, FollowedLine]]:
        time = 0.0
        for line in follower.lines():
            # A line without a timestamp follows the line before it.
            time = time if line.stamp is None or line.goes_on else max(time, line.stamp)
            yield time, number, line

    merged = heapq.merge(
        *(timed(number, follower) for number, follower in enumerate(followers)),
        key=lambda one: (one[0], one[1]),
    )
    for _, number, line in merged:
        yield followers[number], line
