"""Search a text in every log of a pipeline: cached ones first, a few requests at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from platui.core.errors import PlatuiError, RateLimitedError
from platui.logs.line_search import text_around_match
from platui.logs.search import TextSearch
from platui.models.values.connection import Urgency
from platui.models.values.queries import JobsQuery, ProjectRef
from platui.models.values.search import HitLine, JobHits, PipelineHits, ReadState, SearchQuery
from platui.models.values.statuses import ENDED
from platui.service.cancellation import cancel_and_wait, computed
from platui.service.feeds.poll_interval import back_off
from platui.service.feeds.wake_up import WakeUp
from platui.service.logs.job_logs import is_refusal
from platui.service.logs.pipeline_findings import PipelineFindings
from platui.service.logs.searching import pattern_of
from platui.service.resources.jobs import jobs

if TYPE_CHECKING:
    from platui.logs import Log
    from platui.logs.pattern import LinePattern
    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.wire import Job
    from platui.service.feeds.read_context import ReadContext

AT_ONCE: Final = 3

SHOWN: Final = 20  # hits of one log that are kept with their text; the others are counted
TRIES: Final = 3  # requests for a log before it counts as missing
BACKGROUND_SHARE: Final = 0.75  # share of the quota from which a search waits
_LONGEST: Final = 2000  # characters of a line to keep
_GAP: Final = 0.15  # seconds between two updates
_STEP: Final = 0.03  # seconds of one step


class PipelineSearch:
    """One search; pauses while not iterated."""

    def __init__(
        self, context: ReadContext, project: ProjectRef, pipeline: int, query: SearchQuery
    ) -> None:
        self._feed = context.feed(jobs(JobsQuery(project, pipeline, with_retried=True)))
        self._open_log = partial(context.logs.log, project, with_errors=False)
        self._recent = context.logs.recent
        self._query = query
        self._conditions = context.conditions
        self._news, self._go_on = WakeUp(context.conditions.clock), asyncio.Event()
        self._go_on.set()
        self._one_at_a_time = asyncio.Lock()
        self._findings = PipelineFindings(self._news.set)
        # jobs whose logs to fetch, then None for each task that fetches
        self._queue: asyncio.Queue[int | None] = asyncio.Queue()
        self._again = False
        self._forces_fetch = False  # whether to fetch running logs even if they are recent

    async def __aiter__(self) -> AsyncIterator[PipelineHits]:
        stop = self._conditions.listen(self._news.set)
        task: asyncio.Task[None] | None = None
        shown = -1
        try:
            while not self._conditions.closed:
                if task is None and not self._findings.stopped:
                    task = asyncio.ensure_future(self._run())
                    task.add_done_callback(lambda _: self._news.set())
                if task is not None and self._findings.stopped and not task.done():
                    await cancel_and_wait(task)
                if self._again:
                    self._again = False
                    await cancel_and_wait(task)
                    self._feed.refresh()  # not before: a feed that is left forgets it
                    task = None
                    continue
                if shown != self._findings.version:
                    shown = self._findings.version
                    yield self._findings.so_far(is_short=self._is_short)
                    await self._conditions.clock.sleep(_GAP)
                    continue
                if task is not None and task.done() and not task.cancelled():
                    task.result()
                await self._news.wait(None)
        finally:
            stop()
            await cancel_and_wait(task)

    def refresh(self) -> None:
        self._again = self._forces_fetch = True
        self._findings.reset_counts()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        if held:
            self._go_on.clear()
        else:
            self._go_on.set()

    def stop(self) -> None:
        self._findings.stop()

    # the search

    async def _run(self) -> None:
        try:
            pattern = await pattern_of(self._query)
        except PlatuiError as error:
            self._findings.set_error(error)
            return
        if not self._findings.listed:
            await self._list()
        wanted = self._findings.unread
        self._queue = asyncio.Queue()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._recall(wanted, pattern))
                for _ in range(AT_ONCE):
                    group.create_task(self._ask(pattern))
        except* PlatuiError as errors:
            # The pattern is too slow, for every other log too.
            self._findings.set_error(cast("PlatuiError", errors.exceptions[0]))

    async def _list(self) -> None:
        """Wait for the jobs at the start of the search; later jobs are ignored."""
        feed = cast("AsyncIterable[Snapshot[Listing[Job]]]", self._feed)
        async with aclosing(cast("AsyncGenerator[Snapshot[Listing[Job]]]", aiter(feed))) as real:
            async for snapshot in real:
                listing = snapshot.value
                self._findings.set_error(snapshot.error)
                if listing is not None and listing.complete and not snapshot.refreshing:
                    self._findings.take_jobs(listing.items, snapshot.fetched_at)
                    return

    async def _recall(self, wanted: list[int], pattern: LinePattern) -> None:
        try:
            for number in wanted:
                ended = self._findings.job(number).status in ENDED
                search = self._search_cached if ended else self._search_recent
                if not await search(number, pattern):
                    self._queue.put_nowait(number)
        finally:
            for _ in range(AT_ONCE):
                self._queue.put_nowait(None)

    async def _search_cached(self, number: int, pattern: LinePattern) -> bool:
        log = self._open_log(number)
        try:
            if not await log.recall():
                return False
            await self._search_in(number, log.document, pattern)
        finally:
            log.close()
        return True

    async def _search_recent(self, number: int, pattern: LinePattern) -> bool:
        recent = self._recent.take(number)
        if recent is None:
            return False
        is_fresh = self._recent.is_fresh(recent) and not self._forces_fetch
        if is_fresh:
            await self._search_in(number, recent.log.document, pattern, recent.fetched_at)
        self._recent.put_back(number, recent)
        return is_fresh

    async def _ask(self, pattern: LinePattern) -> None:
        while True:
            number = await self._queue.get()
            await self._go_on.wait()
            if number is None:
                return
            await self._fetch(number, pattern)

    async def _fetch(self, number: int, pattern: LinePattern) -> None:
        job = self._findings.job(number)
        self._findings.read(number)
        recent, ended = self._recent.take(number), job.status in ENDED
        log = self._open_log(number) if recent is None else recent.log
        kept = None
        try:
            for tried in range(1, TRIES + 1):
                try:
                    await log.read(Urgency.BACKGROUND, final=ended)
                except PlatuiError as error:
                    if is_refusal(error) or tried == TRIES:
                        self._findings.put(number, JobHits(job, ReadState.MISSING, error=error))
                        return
                    # Shown until the retry.
                    self._findings.set_error(error)
                    pause = self._conditions.pause if isinstance(error, RateLimitedError) else 0.0
                    try:
                        await self._conditions.clock.sleep(max(pause, back_off(tried, 0.0)))
                    finally:
                        self._findings.set_error(None)
                else:
                    break
            read = self._recent.read_now(log)
            fetched_at = None if ended else read.fetched_at
            await self._search_in(number, log.document, pattern, fetched_at)
            kept = None if ended else read
        finally:
            if kept is None:
                log.close()
            else:
                self._recent.put_back(number, kept)

    async def _search_in(
        self, number: int, document: Log, pattern: LinePattern, fetched_at: datetime | None = None
    ) -> None:
        job = self._findings.job(number)
        search = TextSearch(document, pattern)
        async with self._one_at_a_time:
            try:
                ended, more = job.status in ENDED, True
                while more:
                    more = await computed(search.advance, _STEP, ended=ended)
                found = await computed(_found, job, search, document, pattern)
            finally:
                search.cancelled = True
        self._findings.put(number, replace(found, fetched_at=fetched_at))

    @property
    def _is_short(self) -> bool:
        budget = self._conditions.budget.value
        return budget.used >= budget.limit * BACKGROUND_SHARE or self._conditions.pause > 0


def _found(job: Job, search: TextSearch, document: Log, pattern: LinePattern) -> JobHits:
    lines = search.state().lines
    first: list[HitLine] = []
    for y in lines[:SHOWN]:
        text = text_around_match(document, y, pattern, _LONGEST)
        first.append(HitLine(y, text, tuple(pattern.ranges(text))))
    after = lines[SHOWN] if len(lines) > SHOWN else None
    return JobHits(job, ReadState.DONE, tuple(first), len(lines), after)
