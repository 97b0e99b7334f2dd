"""The lines of many logs taken over into one document: by their stamps, or log by log."""

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

_LINES_AT_ONCE: Final = 200
"""Lines that are taken over before a key may get through."""


class LogMerging:
    """Adds what is new in some logs to a document, and lines of our own between them.

    Attributes:
        document: what came of it until now.
        last_growth: when the last line of a log was taken over.
    """

    def __init__(
        self, describe: Callable[[FollowerNotice, datetime], tuple[Span, ...]], clock: Clock
    ) -> None:
        self.document = MergedLog()
        self.last_growth: datetime | None = None
        self._describe = describe
        self._clock = clock
        self._turn = asyncio.Lock()

    async def take(self, batch: Sequence[LogFollower], came: Callable[[], None]) -> None:
        """Take over what is new: by their stamps where all have some, else log by log.

        `came`: is told where there is more, and all of it is not there yet.
        """
        async with self._turn:
            lines = 0
            for news, followers in _groups(batch):
                for one in news:
                    self.say(one)
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
                        self.say(one, last)

    def say(self, news: FollowerNotice, line: int = 0) -> None:
        job = news.job.id if news.job is not None else 0
        self.document.add(self._describe(news, self._clock.now()), Origin(job, line))


def _groups(
    batch: Sequence[LogFollower],
) -> Iterator[tuple[list[FollowerNotice], list[LogFollower]]]:
    """Yield what is said first, then the logs whose lines come next: merged, or one by one."""
    told = [(follower.news_before(), follower) for follower in batch]
    if len(batch) > 1 and all(follower.can_be_merged for follower in batch):
        yield [one for news, _ in told for one in news], list(batch)
    else:
        for news, follower in told:
            yield news, [follower]


def _by_time(followers: Sequence[LogFollower]) -> Iterator[tuple[LogFollower, FollowedLine]]:
    if len(followers) == 1:
        yield from ((followers[0], line) for line in followers[0].lines())
        return

    def timed(number: int, follower: LogFollower) -> Iterator[tuple[float, int, FollowedLine]]:
        time = 0.0
        for line in follower.lines():
            # A line of unknown time belongs to the one before it.
            time = time if line.stamp is None or line.goes_on else max(time, line.stamp)
            yield time, number, line

    merged = heapq.merge(
        *(timed(number, follower) for number, follower in enumerate(followers)),
        key=lambda one: (one[0], one[1]),
    )
    for _, number, line in merged:
        yield followers[number], line
