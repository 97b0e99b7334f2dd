"""Read the preview of a row: from the cache, else with one request at a time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.logs.preview import MIN_PREVIEW_BYTES, TAIL
from platui.models.values.connection import Urgency
from platui.models.values.feeds import Source
from platui.models.values.previews import PreviewTarget, RowPreview
from platui.models.values.queries import JobsQuery
from platui.models.values.statuses import ENDED, UNSTARTED
from platui.service.cancellation import computed
from platui.service.feeds.poll_interval import PollInterval
from platui.service.feeds.poll_timer import PollTimer
from platui.service.feeds.task_feed import TaskFeed
from platui.service.logs.end import read_end
from platui.service.logs.errors import failure_in
from platui.service.resources.jobs import jobs

if TYPE_CHECKING:
    from platui.logs import Log
    from platui.models.values.feeds import Listing
    from platui.models.wire import Job
    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading
    from platui.service.logs.job_logs import JobLog

_END: Final = 48 * 1024  # Bytes of the end of a successful log
_SMALL: Final = 1_000_000  # Bytes of a successful log that is read whole if its end is not there
_LONG: Final = 16_000_000  # The same of a failed log


class PreviewFeed(TaskFeed[RowPreview]):
    """The jobs of a pipeline, and the log of the failed or running one."""

    def __init__(
        self,
        context: ReadContext,
        target: PreviewTarget,
        choose: Callable[[Sequence[Job]], Job | None],
    ) -> None:
        super().__init__(context.conditions)
        self._logs = context.logs
        self._target = target
        self._choose = choose
        self._timer = PollTimer(context.conditions)
        wait = context.poll.running * target.rounds
        self._interval = PollInterval(wait, wait)
        self._jobs: Reading[Listing[Job]] | None = None
        if target.pipeline is not None:
            query = JobsQuery(target.project, target.pipeline, with_retried=True)
            self._jobs = context.reading(jobs(query))
        self._job: Job | None = None
        self._log: JobLog | None = None
        self._end: Log | None = None  # the last lines of a long log of an ended job
        self._has_log = False  # whether some of it was read
        self._is_too_long = False  # whether the log is long, and only the whole of it can be read
        self._line: int | None = None
        self._reads_jobs = True  # in turn with the log
        self._held = False

    def refresh(self) -> None:
        """Do nothing: the list it belongs to is refreshed, and restarts it after a change."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self._held = held
        self._wake_up.set()

    async def _begin(self) -> None:
        if self._jobs is not None:
            await self._jobs.recall()
        await self._open_log()

    def _work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        return (self._follow(),)

    @property
    def _status(self) -> str:
        """Return the status of the job with the log."""
        if self._jobs is None:
            return self._target.status
        return "" if self._job is None else self._job.status

    @property
    def _size(self) -> int:
        return self._target.size if self._job is None else self._job.log_size

    @property
    def _wants_jobs(self) -> bool:
        reading = self._jobs
        if reading is None or reading.is_final:
            return False
        if reading.value is None or reading.more or reading.source is not Source.LIVE:
            return True
        # A pipeline with an invalid file ends without jobs.
        return bool(reading.value.items) or self._target.status not in ENDED

    @property
    def _wants_log(self) -> bool:
        if self._log is None or self._status in UNSTARTED:
            return False
        loads = self._status == "failed" or self._target.size > 0
        is_due = loads and not self._has_log and not self._is_too_long
        return self._status not in ENDED or is_due

    @property
    def _is_complete(self) -> bool:
        return not self._wants_jobs and not self._wants_log

    async def _follow(self) -> None:
        while True:
            left = self._remaining()
            if left == 0.0:
                await self._round()
            else:
                await self._wake_up.wait(left)

    def _remaining(self) -> float | None:
        if self._is_complete or (self._held and self._timer.tried):
            return None
        if self._wants_log and not self._has_log and self._timer.error is None:
            return 0.0
        transfer = 0.0 if self._log is None else self._log.transfer
        return self._timer.remaining(self._interval, running=True, transfer=transfer)

    async def _round(self) -> None:
        reads_jobs = self._wants_jobs and (self._reads_jobs or not self._wants_log)
        try:
            if self._jobs is not None and reads_jobs:
                await self._read_jobs(self._jobs)
            elif self._log is not None:
                await self._read_log(self._log)
        except PlatuiError as error:
            self._timer.failed(error)
        else:
            self._timer.succeeded()
        self._reads_jobs = not reads_jobs
        self._news.set()

    async def _read_jobs(self, reading: Reading[Listing[Job]]) -> None:
        await (reading.extend if reading.more else reading.renew)(Urgency.BACKGROUND)
        if not reading.more:
            await self._open_log()

    async def _open_log(self) -> None:
        """Choose the job of a pipeline; take its log from the cache."""
        number = self._target.job
        if self._jobs is not None and self._jobs.value is not None:
            before, self._job = self._job, self._choose(self._jobs.value.items)
            number = None if self._job is None else self._job.id
            if before is not None and before.id == number and before.status == self._status:
                return
        self._log, self._end, self._line = None, None, None
        self._has_log = self._is_too_long = False
        if number is not None:
            self._log = self._logs.log(self._target.project, number)
            if self._status in ENDED and await self._log.recall():
                await self._take_log(self._log)

    async def _read_log(self, log: JobLog) -> None:
        """Read the log; if the job has ended and its log is long, only the end if possible."""
        has_ended, has_failed = self._status in ENDED, self._status == "failed"
        whole, length = (MIN_PREVIEW_BYTES, TAIL) if has_failed else (_END, _END)
        if has_ended and self._size > whole:
            project = self._target.project
            self._end = await read_end(self._logs, project, log.job, self._size, length)
        if self._end is None and has_ended and self._size >= (_LONG if has_failed else _SMALL):
            self._is_too_long = True
            return
        if self._end is None:
            await log.read(Urgency.BACKGROUND, final=has_ended)
        await self._take_log(log)

    async def _take_log(self, log: JobLog) -> None:
        document, self._line = self._end or log.document, None
        if self._end is None:
            self._line = self._target.line
        if self._status == "failed" and self._line is None:
            error = (await computed(failure_in, document)).error
            self._line = None if error is None else error.message_line
        self._has_log = True

    @property
    def _document(self) -> Log | None:
        if self._log is None or not self._has_log:
            return None
        return self._end or self._log.document

    def _version(self) -> tuple[object, ...]:
        listing = None if self._jobs is None else self._jobs.value
        document = self._document
        version = 0 if document is None else document.version
        error = self._timer.error
        return id(listing), id(document), version, self._line, id(error), self._is_complete

    def _update(self) -> RowPreview:
        listing = None if self._jobs is None else self._jobs.value
        return RowPreview(
            () if listing is None else listing.items,
            self._job,
            self._document,
            self._end is not None,
            self._line,
            self._timer.error,
            self._is_complete,
            self._is_too_long,
        )
