"""Follow a job's log: fetch the job first, then its log, so that no last bytes are lost."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import datetime, timedelta
from time import thread_time
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import jobs
from platui.core.errors import PlatuiError
from platui.logs.error_index import AT_ONCE
from platui.models.values.connection import Urgency
from platui.models.values.log import LogState, LogUpdate
from platui.models.values.statuses import ACTIVE, ENDED, FINAL, UNSTARTED
from platui.service.cancellation import computed
from platui.service.feeds.poll_timer import PollTimer
from platui.service.feeds.task_feed import TaskFeed
from platui.service.feeds.wake_up import WakeUp
from platui.service.logs.copy import LogCopy
from platui.service.logs.source import LogSource
from platui.service.reader import FRESH
from platui.service.resources.jobs import is_final
from platui.service.resources.resource import Poll

if TYPE_CHECKING:
    from platui.logs import Log
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Job
    from platui.service.feeds.read_context import ReadContext
    from platui.service.page_cache import Answer


GAP: Final = 0.1  # seconds between two updates
SLICES: Final = 8  # quarters of a megabyte to search for errors at once in the background
REST: Final = 300.0  # pause after that in multiples of its duration
MIN_ANNOUNCED_WAIT: Final = 15.0  # seconds from which the next poll is announced


class LogTail(TaskFeed[LogUpdate]):
    def __init__(
        self,
        context: ReadContext,
        project: ProjectRef,
        job: int,
        *,
        errors_may_wait: bool = False,
    ) -> None:
        super().__init__(context.conditions)
        self._reader = context.reader
        self._endpoint = jobs.job(project, job)
        self._source = LogSource(context.logs, project, job)
        self._cached_log = context.logs.cached_log(project, job)
        self._copy = LogCopy(context.logs.error_rules, errors_may_wait=errors_may_wait)
        self._interval = context.interval(Poll.WHILE_ACTIVE)
        self._poll_timer = PollTimer(context.conditions)
        # set when lines may not have been searched for errors
        self._backlog = WakeUp(context.conditions.clock)
        self._job: Answer[Job] | None = None
        self._state = LogState.OPENING
        self._last_growth: datetime | None = None
        self._fetched_at: datetime | None = None
        self._from_cache = False
        self._current = False
        self._refresh = False
        self._held = False
        self._asked = False  # whether this iteration has sent a request: the first one is urgent

    def _work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        return self._follow(), self._find_errors()

    def refresh(self) -> None:
        self._refresh = True
        self._reader.invalidate(self._endpoint)
        self._wake_up.set()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self._held = held
        self._wake_up.set()

    @property
    def _status(self) -> str:
        return "" if self._job is None else self._job.value.status

    @property
    def _shown_state(self) -> LogState:
        return LogState.OPENING if self._copy.awaits_end else self._state

    async def _begin(self) -> None:
        self._asked = False
        if self._state is not LogState.OPENING or self._copy.size:
            return
        self._job = await self._reader.recall(self._endpoint)
        if self._job is not None and self._status not in FINAL:
            return
        # A list or the triage board may have cached the log of a job that was not fetched itself.
        kept = await self._cached_log.get()
        if kept is not None:
            await self._copy.adopt(kept)
            self._from_cache, self._fetched_at = True, self._cached_log.fetched_at

    async def _follow(self) -> None:
        if self._from_cache and self._state is LogState.OPENING:
            await self._copy.indexer.index_lines()
            self._copy.complete()
            self._end()
            self._news.set()
        while True:
            left = self._remaining()
            if self._refresh or left == 0.0:
                await self._round()
            else:
                await self._wake_up.wait(left)

    async def _find_errors(self) -> None:
        clock = self._conditions.clock
        while True:
            document = self._copy.document
            if document.has_all_errors:
                await self._backlog.wait(None)
                continue
            took = await computed(_find_more_errors, document)
            self._news.set()
            await clock.sleep(took * REST)

    def _remaining(self) -> float | None:
        if self._held and self._poll_timer.tried:
            return None
        if self._job is not None and self._state is LogState.ENDED and not self._poll_timer.tried:
            return None
        return self._poll_timer.remaining(
            self._interval,
            running=self._status in ACTIVE,
            settled=self._state is LogState.ENDED,
            transfer=self._source.transfer,
            cpu_seconds=self._source.cpu_seconds,
        )

    async def _round(self) -> None:
        asked_by_user, self._refresh = self._refresh, False
        urgency = Urgency.VISIBLE if self._asked and not asked_by_user else Urgency.USER
        known = self._copy.size
        try:
            job = await self._renewed_job(urgency, refresh=asked_by_user)
            is_whole = self._from_cache and job.value.status in FINAL and not asked_by_user
            if not is_whole and (self._copy.size or job.value.status not in UNSTARTED):
                await self._source.read(self._copy, urgency, self._grew)
                self._fetched_at = self._conditions.clock.now()
            if job.value.status in FINAL:
                self._cached_log.put(self._copy.document.spool)
            if job.value.status in ENDED or self._copy.size - known <= AT_ONCE:
                # The job has ended, or the log pauses: search the backlog now.
                await self._copy.find_errors()
            self._backlog.set()
        except PlatuiError as error:
            self._poll_timer.failed(error)
        else:
            self._poll_timer.succeeded()
            self._from_cache = False
            self._current = True
            if job.value.status in ENDED:
                self._end()
            else:
                self._state = LogState.FOLLOWING
        self._asked = True
        self._news.set()

    async def _renewed_job(self, urgency: Urgency, *, refresh: bool) -> Answer[Job]:
        known = await self._reader.recall(self._endpoint)
        if known is not None and not refresh:
            age = self._conditions.clock.now() - known.fetched_at
            if known.value.status in FINAL or timedelta() <= age < timedelta(seconds=FRESH):
                self._job = known
                return known
        self._job = await self._reader.fetch_unless_refused(self._endpoint, urgency, is_final)
        return self._job

    def _grew(self) -> None:
        self._last_growth = self._conditions.clock.now()
        self._current = False
        if self._state is LogState.OPENING:
            self._state = LogState.FOLLOWING
        self._news.set()

    def _end(self) -> None:
        self._copy.document.finish()
        self._state = LogState.ENDED
        self._current = True

    def _version(self) -> tuple[object, ...]:
        document, error = self._copy.shown, self._poll_timer.error
        return (
            id(document), document.version, self._shown_state, self._status, id(error),
            self._from_cache, self._current, int(100 * self._copy.progress),
            document.has_all_errors, self._fetched_at if self._state is LogState.ENDED else None,
        )  # fmt: skip

    def _update(self) -> LogUpdate:
        """Return the current state; a reset, or a completed log, is reported once."""
        copy, reset, shift = self._copy, False, 0
        if not copy.is_tail:
            reset, copy.reset = copy.reset, False
            shift, copy.shift = copy.shift, 0
        next_poll, error = None, self._poll_timer.error
        left = self._remaining() if self._current and error is None else None
        if left is not None and left >= MIN_ANNOUNCED_WAIT:
            next_poll = self._conditions.clock.now() + timedelta(seconds=left)
        return LogUpdate(
            copy.shown,
            self._shown_state,
            self._status,
            reset=reset,
            is_tail=copy.is_tail,
            shift=shift,
            progress=copy.progress,
            last_growth=self._last_growth,
            next_poll=next_poll,
            fetched_at=self._fetched_at,
            error=error,
            is_current=self._current,
        )

    def _pause(self) -> float:
        # The user is waiting for the first bytes.
        return GAP if self._copy.shown.version else 0.0


def _find_more_errors(document: Log) -> float:
    """Search the next megabytes for errors, in a thread; return the CPU seconds."""
    began = thread_time()
    for _ in range(SLICES):
        if not document.find_more_errors():
            break
    return thread_time() - began
