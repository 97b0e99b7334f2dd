"""Following every job of a pipeline that runs or failed, in one stream of lines.

How the jobs stand is told by their list, so that nobody asks for each of them. Logs are read
in rounds of a few, whoever was not looked at for longest first: twice as many running jobs
are looked at half as often, and cost the same.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.core.errors import PlatuiError
from platui.models.values.connection import Urgency
from platui.models.values.log import LogState
from platui.models.values.many_logs import ManyUpdate, StrandEvent, StrandNews
from platui.service.alarm import Alarm
from platui.service.cadence import REFUSED, Rhythm
from platui.service.followed_jobs import FollowedJobs
from platui.service.log_merging import LogMerging
from platui.service.pacer import Pacer
from platui.service.working_feed import WorkingFeed

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from datetime import datetime
    from random import Random

    from platui.models import Job
    from platui.models.values.feeds import Feed
    from platui.models.values.log import Span
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot
    from platui.service.job_log import JobLog
    from platui.service.strand import Strand
    from platui.service.surroundings import Surroundings

HANDFUL: Final = 4
"""Logs that are read at once: one round."""

SHARE: Final = 3
"""Logs that are read in the time between two looks at one thing: one a second, as it is set."""

_GAP: Final = 0.1
"""Seconds between two updates while lines come in."""


class _Look(NamedTuple):
    """What of an update is worth another one."""

    lines: int
    state: LogState
    jobs: tuple[Job, ...]
    fetched_at: datetime | None
    error: int


class ManyLogs(WorkingFeed[ManyUpdate]):
    """The feed of a pipeline's logs, until the last of its jobs has ended and is shown."""

    def __init__(
        self,
        pipeline: int,
        jobs: Feed[Listing[Job]],
        open_log: Callable[[int], JobLog],
        describe: Callable[[StrandNews, datetime], tuple[Span, ...]],
        surroundings: Surroundings,
        rhythm: Rhythm,
        random: Random | None = None,
        *,
        whole: bool = False,
    ) -> None:
        super().__init__(surroundings)
        self._pipeline = pipeline
        self._feed = jobs
        self._rhythm = rhythm
        clock = surroundings.clock
        self._pacer, self._late_pacer = Pacer(surroundings, random), Pacer(surroundings, random)
        self._alarm, self._late_alarm = Alarm(clock), Alarm(clock)
        self._jobs = FollowedJobs(open_log, whole=whole)
        self._merging = LogMerging(describe, clock)
        self._snapshot: Snapshot[Listing[Job]] | None = None
        self._concluded = False
        self._refresh = False
        self._held = False

    def _alarms(self) -> tuple[Alarm, ...]:
        return (self._alarm, self._late_alarm)

    def _work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        return (self._watch(), self._follow(), self._catch_up())

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

    # its jobs

    async def _watch(self) -> None:
        """Take every list of jobs that comes."""
        async for snapshot in self._feed:
            self._snapshot = snapshot
            listing = snapshot.value
            if listing is not None and listing.complete and listing.items is not self._jobs.jobs:
                self._jobs.take(listing.items)
                self._alarm.ring()
                self._late_alarm.ring()
            self._conclude()
            self._news.ring()

    def _conclude(self) -> None:
        """Say how the pipeline ended, once nothing of it moves and all is shown."""
        concluded, self._concluded = self._concluded, self._jobs.are_over
        if self._concluded and not concluded:
            if self._jobs.has_any:
                status = self._jobs.status
                self._merging.say(
                    StrandNews(StrandEvent.PIPELINE_ENDED, status=status, pipeline=self._pipeline)
                )
            self._news.ring()

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
        live = self._jobs.live(self._around.clock.monotonic())
        if not live:
            self._refresh = False
            # One that was refused is asked for again, although nothing rings for that.
            return REFUSED if self._jobs.has_unread else None
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
        batch = self._jobs.live(self._around.clock.monotonic())[:HANDFUL]
        urgent = asked or not self._pacer.tried
        errors = await self._read(batch, Urgency.USER if urgent else Urgency.VISIBLE)
        _judge(self._pacer, errors)

    async def _catch_up(self) -> None:
        """Read the logs of jobs that had ended, behind all that somebody waits for."""
        while True:
            batch = self._jobs.owed()[:HANDFUL]
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
            await self._merging.take(usable, self._news.ring)
        finally:
            for strand in batch:
                strand.is_busy = False
        self._conclude()
        self._news.ring()
        return [error for error in found if error is not None]

    # what is told

    @property
    def _error(self) -> PlatuiError | None:
        listed = self._snapshot.error if self._snapshot is not None else None
        return listed or self._pacer.error or self._late_pacer.error

    @property
    def _state(self) -> LogState:
        if not self._jobs.is_known:
            return LogState.OPENING
        return LogState.ENDED if self._concluded else LogState.FOLLOWING

    def _look(self) -> _Look:
        """Return what tells whether an update would say anything new."""
        fetched_at = self._snapshot.fetched_at if self._snapshot is not None else None
        lines = self._merging.document.line_count
        return _Look(lines, self._state, self._jobs.jobs, fetched_at, id(self._error))

    def _update(self) -> ManyUpdate:
        jobs = self._jobs
        return ManyUpdate(
            self._merging.document,
            self._state,
            jobs.status,
            last_growth=self._merging.last_growth,
            error=self._error,
            jobs=tuple(jobs.followed),
            total=jobs.count,
            is_partial=jobs.is_partial,
            waiting=jobs.waiting,
            fetched_at=self._snapshot.fetched_at if self._snapshot is not None else None,
        )

    def _pause(self) -> float:
        return _GAP


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
