"""Compare the log of a job with that of its last successful run."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import jobs
from platui.core.errors import PlatuiError
from platui.models.values.comparison import CompareStep, CompareUpdate
from platui.models.values.connection import Urgency
from platui.models.values.statuses import ENDED
from platui.service.cancellation import in_thread
from platui.service.feeds.poll_timer import PollTimer
from platui.service.feeds.task_feed import TaskFeed
from platui.service.logs.successful_runs import SuccessfulRuns, run_of
from platui.service.resources.jobs import is_final
from platui.service.resources.resource import Poll

if TYPE_CHECKING:
    from platui.models.values.comparison import Comparison, DiffBlock, WordFinder
    from platui.models.values.log import ErrorMark, LogDocument, Section
    from platui.models.values.queries import ProjectRef
    from platui.service.feeds.read_context import ReadContext
    from platui.service.logs.job_logs import JobLog

_PROGRESS_INTERVAL: Final = 0.1  # seconds between two progress updates


class ComparedLogs(TaskFeed[CompareUpdate]):
    """The feed of one comparison; its result stays when it is iterated again."""

    def __init__(
        self, context: ReadContext, project: ProjectRef, job: int, pipeline: int | None
    ) -> None:
        super().__init__(context.conditions)
        self._reader = context.reader
        self._job = jobs.job(project, job)
        self._successful_runs = SuccessfulRuns(context.reader, project)
        self._log = context.logs.log(project, job)
        self._open_log = partial(context.logs.log, project)
        self._pipeline = pipeline
        self._state = CompareUpdate()
        self._steps = 0
        self._successful: JobLog | None = None
        self._is_read = False
        self._interval = context.interval(Poll.WHILE_ACTIVE)
        self._timer = PollTimer(context.conditions)
        self._refreshes = 1  # Loads that are wanted; the first one at once
        self._loads = 0  # How many of them are done
        self._masks = True

    def _work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        return (self._run(),)

    def _version(self) -> int:
        return self._steps

    def _update(self) -> CompareUpdate:
        return self._state

    def refresh(self) -> None:
        self._refreshes += 1
        self._wake_up.set()

    def toggle_masks(self) -> None:
        self._masks = not self._masks
        self._wake_up.set()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Do nothing: a comparison does not poll."""

    def _change(self, **news: Any) -> None:
        self._state = replace(self._state, **news)
        self._steps += 1
        self._news.set()

    async def _run(self) -> None:
        while True:
            left = self._remaining()
            if self._loads < self._refreshes:
                refreshes = self._refreshes
                self._change(error=None)
                await self._try_to_load(Urgency.USER)
                self._loads = refreshes  # others may have come meanwhile
            elif left == 0.0:
                await self._try_to_load(Urgency.BACKGROUND)
            elif self._wants_comparison:
                await self._compare()
            else:
                await self._wake_up.wait(left)

    def _remaining(self) -> float | None:
        """Return the seconds until the retry after a temporary error; None: not until an event."""
        if self._state.error is None:
            return None
        return self._timer.remaining(self._interval, settled=True)

    @property
    def _wants_comparison(self) -> bool:
        update = self._state
        is_pending = update.step is CompareStep.COMPARING or update.masks is not self._masks
        return update.right is not None and is_pending

    async def _try_to_load(self, urgency: Urgency) -> None:
        try:
            await self._load(urgency)
        except PlatuiError as error:
            self._timer.failed(error)
            self._change(error=self._timer.error)
        else:
            self._timer.succeeded()

    async def _load(self, urgency: Urgency) -> None:
        known = await self._reader.recall(self._job)
        if known is None or not is_final(known.value):
            known = await self._reader.fetch(self._job, urgency, is_final)
        this = run_of(known.value, self._pipeline)
        self._change(this=this)
        search = self._state.search
        if search is None or search.run is None:
            self._change(step=CompareStep.LOOKING)
            search = await self._successful_runs.find(
                this, lambda search: self._change(search=search)
            )
            self._change(search=search)
            if search.run is None:
                now = self._conditions.clock.now()
                self._change(step=CompareStep.NOTHING, read_at=now, error=None)
                return
        if self._state.comparison is None:
            self._change(step=CompareStep.READING)
        if self._successful is None:
            log = self._open_log(search.run.job)
            if not await log.recall():
                await log.read(urgency, final=True)
            self._successful = log
        if not self._is_read:
            ended = this.status in ENDED
            if not (ended and await self._log.recall()):
                await self._log.read(urgency, final=ended)
            self._is_read = ended
            self._change(is_growing=not ended, read_at=self._conditions.clock.now())
        self._change(left=self._successful.document, right=self._log.document, error=None)
        await self._compare()

    async def _compare(self) -> None:
        left, right = self._state.left, self._state.right
        if left is None or right is None:
            return
        masks, done = self._masks, deque([0.0], maxlen=1)
        self._change(step=CompareStep.COMPARING, progress=0.0)
        comparing = in_thread(partial(_compare, left, right, masks), done.append)
        work = asyncio.ensure_future(comparing)
        try:
            while not (await asyncio.wait({work}, timeout=_PROGRESS_INTERVAL))[0]:
                self._change(progress=done[0])
        finally:
            work.cancel()
        comparison, opening, words = work.result()
        self._change(
            step=CompareStep.DONE, comparison=comparison, opening=opening, words=words,
            masks=masks, progress=1.0,
        )  # fmt: skip


def _compare(
    left: LogDocument,
    right: LogDocument,
    masks: bool,  # noqa: FBT001  (passed through a thread)
    report: Callable[[float], None],
) -> tuple[Comparison, int | None, WordFinder]:
    from platui.analysis.line_differences import differing_words  # noqa: PLC0415  (the same)
    from platui.analysis.log_comparison import compare  # noqa: PLC0415  (takes a while: in the thread)
    from platui.service.logs.errors import failure_in  # noqa: PLC0415  (the same)

    found = compare(left, right, masks=masks, tick=report)
    failure = failure_in(right)
    failed = [right.sections[at] for at in failure.sections]
    words = differing_words if masks else partial(differing_words, masks=lambda _: [])
    return found, opening_of(found.blocks, failure.error, right.errors, failed), words


def opening_of(
    blocks: Sequence[DiffBlock],
    error: ErrorMark | None,
    errors: Sequence[ErrorMark],
    failed: Sequence[Section],
) -> int | None:
    new = [one for one in blocks if one.is_difference]
    # Both lists ascend and may have thousands of entries, so bisect.
    added = [one for one in new if one.right < one.right_end]
    starts, ends = [one.right for one in added], [one.right_end for one in added]
    for mark in (*([] if error is None else [error]), *errors):
        at = bisect_right(ends, mark.first)
        if at < len(added) and starts[at] < mark.end:
            return max(starts[at], mark.first)
    for section in failed:
        at = bisect_left(starts, section.start)
        if at < len(added) and (section.end is None or starts[at] < section.end):
            return starts[at]
    return new[0].right if new else None
