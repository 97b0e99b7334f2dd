"""Following every job of a pipeline that runs or failed, in one stream of lines.

How the jobs stand is told by their list, so that nobody asks for each of them. Logs are read
in rounds of a few, whoever was not looked at for longest first: twice as many running jobs
are looked at half as often, and cost the same.
"""

from __future__ import annotations

import asyncio
import heapq
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.attempts import current_attempts, stage_order
from platui.core.errors import PlatuiError
from platui.logs.merged import MergedLog
from platui.models.values.connection import Urgency
from platui.models.values.log import LogState
from platui.models.values.many_logs import ManyUpdate, Origin, StrandEvent, StrandNews
from platui.service.alarm import Alarm
from platui.service.cadence import REFUSED, Rhythm
from platui.service.pacer import Pacer
from platui.service.statuses import ENDED, MOVING, UNSTARTED
from platui.service.strand import Strand, StrandLine, label, name_width

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence
    from datetime import datetime
    from random import Random

    from platui.models import Job
    from platui.models.values.feeds import Feed
    from platui.models.values.log import Span
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot
    from platui.service.job_log import JobLog
    from platui.service.surroundings import Surroundings

HANDFUL: Final = 4
"""Logs that are read at once: one round."""

SHARE: Final = 3
"""Logs that are read in the time between two looks at one thing: one a second, as it is set."""

_GAP: Final = 0.1
"""Seconds between two updates while lines come in."""

_SLICE: Final = 200
"""Lines that are taken over before a key may get through."""


class _Look(NamedTuple):
    """What of an update is worth another one."""

    lines: int
    state: LogState
    jobs: tuple[Job, ...]
    fetched_at: datetime | None
    error: int


class ManyLogs:
    """The feed of a pipeline's logs. It costs nothing while nobody iterates."""

    def __init__(
        self,
        pipeline: int,
        jobs: Feed[Listing[Job]],
        open_log: Callable[[int], JobLog],
        describe: Callable[[StrandNews, datetime], tuple[Span, ...]],
        surroundings: Surroundings,
        rhythm: Rhythm,
        random: Random | None = None,
    ) -> None:
        self._pipeline = pipeline
        self._feed = jobs
        self._open_log = open_log
        self._describe = describe
        self._around = surroundings
        self._rhythm = rhythm
        clock = surroundings.clock
        self._pacer, self._late_pacer = Pacer(surroundings, random), Pacer(surroundings, random)
        self._alarm, self._late_alarm, self._news = Alarm(clock), Alarm(clock), Alarm(clock)
        self._merging = asyncio.Lock()
        self._document = MergedLog()
        self._snapshot: Snapshot[Listing[Job]] | None = None
        self._jobs: tuple[Job, ...] = ()
        self._strands: dict[int, Strand] = {}
        self._past: frozenset[int] | None = None
        """Jobs that had ended well before following began; None until the list is known."""
        self._width = 1
        self._concluded = False
        self._last_growth: datetime | None = None
        self._refresh = False
        self._held = False

    async def __aiter__(self) -> AsyncIterator[ManyUpdate]:
        """Yield what is known at once, then every growth, then the end."""
        alarms = (self._alarm, self._late_alarm, self._news)
        stops = [self._around.listen(alarm.ring) for alarm in alarms]
        work = (self._watch(), self._follow(), self._catch_up())
        tasks = {asyncio.ensure_future(one) for one in work}
        for task in tasks:
            task.add_done_callback(lambda _: self._news.ring())
        shown: _Look | None = None
        try:
            while not self._around.closed:
                look = self._look()
                if look != shown:
                    shown = look
                    yield self._update()
                    await self._around.clock.sleep(_GAP)
                    continue
                for task in tasks:
                    if task.done():
                        task.result()
                await self._news.wait(None)
        finally:
            for stop in stops:
                stop()
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def refresh(self) -> None:
        """Look at jobs and logs now, because the user wants it."""
        self._refresh = True
        self._feed.refresh()
        self._alarm.ring()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling; `refresh` still works."""
        self._held = held
        self._feed.hold(held)
        self._alarm.ring()

    # which jobs

    async def _watch(self) -> None:
        """Take every list of jobs that comes."""
        async for snapshot in self._feed:
            self._snapshot = snapshot
            listing = snapshot.value
            if listing is not None and listing.complete and listing.items is not self._jobs:
                self._take_jobs(listing.items)
            self._conclude()
            self._news.ring()

    def _take_jobs(self, jobs: tuple[Job, ...]) -> None:
        """Let every job join that runs or failed, or that began since."""
        order = stage_order(jobs)
        ordered = sorted(jobs, key=lambda job: (order[job.stage], job.id))
        if self._past is None:
            failed = {j.id for j in current_attempts(jobs).values() if j.status == "failed"}
            self._past = frozenset(j.id for j in jobs if j.status in ENDED and j.id not in failed)
            self._width = name_width(job.name for job in jobs if job.id not in self._past)
            first = True
        else:
            first = False
        self._jobs = jobs
        names = {name: number for number, name in enumerate(dict.fromkeys(j.name for j in ordered))}
        for job in ordered:
            strand = self._strands.get(job.id)
            if strand is not None:
                strand.job = job
            elif job.id not in self._past and _has_begun(job):
                self._strands[job.id] = Strand(
                    job,
                    self._open_log(job.id),
                    label(job.name, names[job.name], self._width),
                    from_start=not first,
                )
        self._alarm.ring()
        self._late_alarm.ring()

    def _live(self) -> list[Strand]:
        """Return those whose log may grow, or is owed its end, the longest unseen first."""
        now = self._around.clock.monotonic()
        live = [
            strand
            for strand in self._strands.values()
            if not (strand.is_over or strand.is_busy)
            and not (strand.has_ended and strand.read_at is None)
            and not _is_put_off(strand, now)
        ]
        live.sort(key=lambda strand: -1.0 if strand.read_at is None else strand.read_at)
        return live

    def _owed(self) -> list[Strand]:
        """Return those that had ended before anybody read them."""
        strands = self._strands.values()
        return [s for s in strands if s.has_ended and s.read_at is None and not s.is_busy]

    def _conclude(self) -> None:
        """Say how the pipeline ended, once nothing of it moves and all is shown."""
        moves = any(job.status in MOVING for job in self._jobs)
        if self._past is None or moves or any(not s.is_over for s in self._strands.values()):
            self._concluded = False
        elif not self._concluded:
            self._concluded = True
            if self._strands:
                self._say(
                    StrandNews(
                        StrandEvent.PIPELINE_ENDED, status=self._status, pipeline=self._pipeline
                    )
                )
            self._news.ring()

    @property
    def _status(self) -> str:
        """Return how the pipeline stands, as its jobs tell."""
        told = next((job.pipeline.status for job in self._jobs if job.pipeline is not None), "")
        if told or not self._jobs:
            return told
        newest = current_attempts(self._jobs).values()
        if any(job.status in MOVING for job in newest):
            return "running"
        lost = [job.status for job in newest if not job.allow_failure]
        return next((status for status in ("failed", "canceled") if status in lost), "success")

    # their logs

    async def _follow(self) -> None:
        """Read the logs of running jobs, a few at a time."""
        while True:
            left = self._remaining()
            if left == 0.0:
                await self._round()
            else:
                await self._alarm.wait(left)

    def _remaining(self) -> float | None:
        """Return the seconds until the next round is due; None: not before something rings."""
        live = self._live()
        if not live:
            self._refresh = False
            # One that was refused is asked for again, although nothing rings for that.
            return REFUSED if any(not s.is_over for s in self._strands.values()) else None
        if self._refresh or (live[0].read_at is None and self._pacer.error is None):
            return 0.0
        if self._held:
            return None
        batch = min(len(live), HANDFUL)
        rhythm = Rhythm(self._rhythm.running * max(1.0, batch / SHARE), self._rhythm.idle)
        transfer = max(strand.transfer for strand in live)
        return self._pacer.remaining(rhythm, running=True, settled=False, transfer=transfer)

    async def _round(self) -> None:
        """Read some logs and merge what is new in them."""
        asked, self._refresh = self._refresh, False
        batch = self._live()[:HANDFUL]
        urgent = asked or not self._pacer.tried
        errors = await self._read(batch, Urgency.USER if urgent else Urgency.VISIBLE)
        _judge(self._pacer, errors)

    async def _catch_up(self) -> None:
        """Read the logs of jobs that had ended, behind all that somebody waits for."""
        while True:
            batch = self._owed()[:HANDFUL]
            if not batch:
                await self._late_alarm.wait(None)
                continue
            urgency = Urgency.BACKGROUND if self._late_pacer.tried else Urgency.VISIBLE
            errors = await self._read(batch, urgency)
            _judge(self._late_pacer, errors)
            if errors:
                await self._late_alarm.wait(self._late_pacer.remaining(
                    self._rhythm, running=True, settled=False, transfer=0.0
                ))  # fmt: skip

    async def _read(self, batch: Sequence[Strand], urgency: Urgency) -> list[PlatuiError]:
        """Read logs at once and merge them; return what stood in the way."""
        now = self._around.clock.monotonic()
        for strand in batch:
            strand.is_busy = True
        try:
            found = await asyncio.gather(*(_tried(strand, urgency, now) for strand in batch))
            usable = [s for s, error in zip(batch, found, strict=True) if error is None]
            async with self._merging:
                await self._merge(usable)
        finally:
            for strand in batch:
                strand.is_busy = False
        self._conclude()
        self._news.ring()
        return [error for error in found if error is not None]

    async def _merge(self, batch: Sequence[Strand]) -> None:
        """Take over what is new: by their stamps where all have some, else log by log."""
        lines = 0
        for news, strands in _groups(batch):
            for one in news:
                self._say(one)
            for strand, line in _by_time(strands):
                origin = Origin(strand.job.id, line.number)
                self._document.add(line.spans, origin, line.stamp, line.error)
                strand.took(line)
                self._last_growth = self._around.clock.now()
                lines += 1
                if lines % _SLICE == 0:
                    self._news.ring()
                    await asyncio.sleep(0)
            for strand in strands:
                last = strand.last_line
                for one in strand.news_after():
                    self._say(one, last)

    def _say(self, news: StrandNews, line: int = 0) -> None:
        """Add a line of our own."""
        job = news.job.id if news.job is not None else 0
        now = self._around.clock.now()
        self._document.add(self._describe(news, now), Origin(job, line))

    # what is told

    @property
    def _error(self) -> PlatuiError | None:
        listed = self._snapshot.error if self._snapshot is not None else None
        return listed or self._pacer.error or self._late_pacer.error

    @property
    def _state(self) -> LogState:
        if self._past is None:
            return LogState.OPENING
        return LogState.ENDED if self._concluded else LogState.FOLLOWING

    def _look(self) -> _Look:
        """Return what tells whether an update would say anything new."""
        fetched_at = self._snapshot.fetched_at if self._snapshot is not None else None
        return _Look(
            self._document.line_count, self._state, self._jobs, fetched_at, id(self._error)
        )

    def _update(self) -> ManyUpdate:
        order = stage_order(self._jobs)
        jobs = [strand.job for strand in self._strands.values()]
        jobs.sort(key=lambda job: (order.get(job.stage, 0), job.id))
        return ManyUpdate(
            self._document,
            self._state,
            self._status,
            last_growth=self._last_growth,
            error=self._error,
            jobs=tuple(jobs),
            total=len({job.name for job in self._jobs}),
            is_partial=any(strand.is_partial for strand in self._strands.values()),
            waiting=sum(job.status in UNSTARTED & MOVING for job in self._jobs),
            fetched_at=self._snapshot.fetched_at if self._snapshot is not None else None,
        )


async def _tried(strand: Strand, urgency: Urgency, now: float) -> PlatuiError | None:
    """Read one log; return what stood in the way."""
    try:
        await strand.read(urgency, now)
    except PlatuiError as error:
        return error
    return None


def _judge(pacer: Pacer, errors: Sequence[PlatuiError]) -> None:
    if errors:
        pacer.failed(errors[0])
    else:
        pacer.succeeded()


def _has_begun(job: Job) -> bool:
    """Return whether a job has, or will soon have, a log: not one that was skipped."""
    return job.status not in UNSTARTED and (job.status in MOVING or job.started_at is not None)


def _is_put_off(strand: Strand, now: float) -> bool:
    """Return whether the log of a job that runs was refused a moment ago."""
    return (
        strand.refused
        and not strand.has_ended
        and strand.read_at is not None
        and now - strand.read_at < REFUSED
    )


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
