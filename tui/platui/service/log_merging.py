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
    from platui.models.values.many_logs import StrandNews
    from platui.service.strand import Strand, StrandLine

_LINES_AT_ONCE: Final = 200
"""Lines that are taken over before a key may get through."""


class LogMerging:
    """Adds what is new in some logs to a document, and lines of our own between them.

    Attributes:
        document: what came of it until now.
        last_growth: when the last line of a log was taken over.
    """

    def __init__(
        self, describe: Callable[[StrandNews, datetime], tuple[Span, ...]], clock: Clock
    ) -> None:
        self.document = MergedLog()
        self.last_growth: datetime | None = None
        self._describe = describe
        self._clock = clock
        self._turn = asyncio.Lock()

    async def take(self, batch: Sequence[Strand], came: Callable[[], None]) -> None:
        """Take over what is new: by their stamps where all have some, else log by log.

        Args:
            batch: logs that were read; two batches are never mixed.
            came: is told where there is more, and all of it is not there yet.
        """
        async with self._turn:
            lines = 0
            for news, strands in _groups(batch):
                for one in news:
                    self.say(one)
                for strand, line in _by_time(strands):
                    origin = Origin(strand.job.id, line.number)
                    self.document.add(line.spans, origin, line.stamp, line.error)
                    strand.took(line)
                    self.last_growth = self._clock.now()
                    lines += 1
                    if lines % _LINES_AT_ONCE == 0:
                        came()
                        await asyncio.sleep(0)
                for strand in strands:
                    last = strand.last_line
                    for one in strand.news_after():
                        self.say(one, last)

    def say(self, news: StrandNews, line: int = 0) -> None:
        """Add a line of our own.

        Args:
            news: what it says.
            line: of the job's log, behind which it stands.
        """
        job = news.job.id if news.job is not None else 0
        self.document.add(self._describe(news, self._clock.now()), Origin(job, line))


def _groups(batch: Sequence[Strand]) -> Iterator[tuple[list[StrandNews], list[Strand]]]:
    """Yield what is said first, then the logs whose lines come next: merged, or one by one."""
    told = [(strand.news_before(), strand) for strand in batch]
    if len(batch) > 1 and all(strand.can_be_merged for strand in batch):
        yield [one for news, _ in told for one in news], list(batch)
    else:
        for news, strand in told:
            yield news, [strand]


def _by_time(strands: Sequence[Strand]) -> Iterator[tuple[Strand, StrandLine]]:
    """Yield the new lines of some logs, those written first before the others."""
    if len(strands) == 1:
        yield from ((strands[0], line) for line in strands[0].lines())
        return

    def timed(number: int, strand: Strand) -> Iterator[tuple[float, int, StrandLine]]:
        time = 0.0
        for line in strand.lines():
            # A line of unknown time belongs to the one before it.
            time = time if line.stamp is None or line.goes_on else max(time, line.stamp)
            yield time, number, line

    merged = heapq.merge(
        *(timed(number, strand) for number, strand in enumerate(strands)),
        key=lambda one: (one[0], one[1]),
    )
    for _, number, line in merged:
        yield strands[number], line
