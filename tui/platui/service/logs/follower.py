"""One job's part of a stream that is made of the logs of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.errors import PlatuiError
from platui.core.text import cells, clean
from platui.models.values.log import Span, SpanStyle, error_at
from platui.models.values.many_logs import FollowerEvent, FollowerNotice
from platui.models.values.statuses import ENDED
from platui.service.logs.errors import exit_code, failure_in
from platui.service.logs.job_logs import is_refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.models.values.connection import Urgency
    from platui.models.values.log import ErrorMark
    from platui.models.wire import Job
    from platui.service.logs.job_logs import JobLog

TAIL: Final = 20
"""Lines that are shown of what was written before following began."""

AROUND_ERROR: Final = 40
"""Lines that are shown from the error on that a job had failed of before."""

_INKS: Final = (
    "cyan", "magenta", "blue", "#a3ad52", "#d19a66", "#56b6a2", "#b48ead", "#8fa8c8",
)  # fmt: skip
"""Colours of names. Neither red nor green: those say how something stands."""

_WIDEST: Final = 20
"""Cells of the longest name that is shown whole."""

_LONGEST: Final = 200
"""Characters of a name that are looked at: many of them may take no cell."""


def name_width(names: Iterable[str]) -> int:
    """Return how many cells the names of a stream take, so that all lines begin at one column."""
    return min(_WIDEST, max((cells(clean(name[:_LONGEST])) for name in names), default=1))


def label(name: str, number: int, width: int) -> Span:
    """Return what stands before each line of a job: its name, always in the same colour."""
    shown = clean(name[:_LONGEST])
    if cells(shown) > width:
        while shown and cells(shown) > width - 1:
            shown = shown[:-1]
        shown += "…"
    blanks = " " * (width - cells(shown))
    return Span(f"{shown}{blanks} │ ", SpanStyle(foreground=_INKS[number % len(_INKS)]))


class FollowedLine(NamedTuple):
    """A line of one log that nothing will change any more."""

    spans: tuple[Span, ...]
    number: int
    """In that log, from 0."""
    stamp: float | None
    error: ErrorMark | None = None

    @property
    def goes_on(self) -> bool:
        return self.error is not None and self.number > self.error.first


class LogFollower:
    """A job in the stream: its log, and how much of it was handed on.

    Attributes:
        job: how the job stands, as the list of jobs said last.
        read_at: when its log was last asked for, in monotonic seconds; None: never.
        is_over: all of it was handed on.
        is_busy: it is being read, or what was read is being handed on.
        is_partial: lines of it were passed over.
    """

    def __init__(self, job: Job, log: JobLog, name: Span, *, from_start: bool) -> None:
        self.job = job
        self.read_at: float | None = None
        self.is_over = False
        self.is_busy = False
        self.is_partial = False
        self._log: JobLog | None = log
        self._name = name
        self._from_start = from_start
        self._begun = False
        self._taken = 0
        self._stop: int | None = None
        """Where a part ends that is all there is to show; None: at the end of the log."""
        self._final = False
        self._refusal: PlatuiError | None = None
        self._told_refusal = False
        self._end_is_told = False

    @property
    def has_ended(self) -> bool:
        return self.job.status in ENDED

    @property
    def refused(self) -> bool:
        return self._refusal is not None

    @property
    def can_be_merged(self) -> bool:
        """Return whether its lines can be laid among those of others by their times.

        A part of a log that had ended before is read in one piece.
        """
        return self._log is not None and self._stop is None and self._log.document.has_timestamps

    @property
    def transfer(self) -> float:
        return self._log.transfer if self._log is not None else 0.0

    async def read(self, urgency: Urgency, now: float) -> None:
        """Bring the log up to date: from where it is kept, or with one request.

        Raises PlatuiError: the platform does not answer; that it refuses is told as news.
        """
        if self._log is None:
            return
        final = self.has_ended
        kept = final and self.read_at is None and await self._log.recall()
        try:
            if not kept:
                await self._log.read(urgency, final=final)
        except PlatuiError as error:
            if not is_refusal(error):
                raise
            self._refusal = error
        else:
            self._refusal = None
        self.read_at = now
        self._final = final

    def news_before(self) -> list[FollowerNotice]:
        """Return what is to be said before the lines, and decide which these are."""
        if self._log is None or (self._refusal is not None and not self._told_refusal):
            return self._refused()
        news: list[FollowerNotice] = []
        reset = self._log.take_reset()
        if not self._begun:
            self._begun = True
            news.append(self._begin())
        elif reset:
            self._skip_to_tail()
            total = self._settled
            news.append(
                FollowerNotice(FollowerEvent.ANEW, self.job, shown=total - self._taken, total=total)
            )
        return news

    def lines(self) -> Iterable[FollowedLine]:
        """Yield the lines that are new; `took` tells which were handed on."""
        if self._log is None:
            return
        document = self._log.document
        marks = document.errors
        for number in range(self._taken, self._settled):
            spans = (self._name, *document.spans(number))
            at = error_at(marks, number)
            error = None if at is None else marks[at]
            yield FollowedLine(spans, number, document.stamp(number), error)

    def took(self, line: FollowedLine) -> None:
        self._taken = line.number + 1

    def news_after(self) -> list[FollowerNotice]:
        """Return what is to be said after the lines, and let go of a log that has ended."""
        if self._log is None or not self._final:
            return []
        job, code = self.job, self._exit_code()
        self.is_over = True
        self._log.close()
        self._log = None
        if self._end_is_told:
            return []
        return [FollowerNotice(FollowerEvent.ENDED, job, status=job.status, exit_code=code)]

    @property
    def last_line(self) -> int:
        return max(0, self._taken - 1)

    @property
    def _settled(self) -> int:
        """Return the line up to which nothing will change, and which is to be shown."""
        if self._log is None:
            return self._taken
        settled = self._log.document.settled_count
        return settled if self._stop is None else min(settled, self._stop)

    def _begin(self) -> FollowerNotice:
        assert self._log is not None  # noqa: S101  (the caller looked)
        job, total = self.job, self._settled
        if self._from_start:
            return FollowerNotice(FollowerEvent.JOINED, job, status=job.status)
        self._skip_to_tail()
        error = failure_in(self._log.document).error if self._final else None
        from_error = error is not None and error.first < self._taken
        if error is not None and from_error:
            self._taken = error.first
            total = min(total, error.first + AROUND_ERROR)
        self._stop = total if self._final else None
        self.is_partial = self._settled - self._taken < self._log.document.settled_count
        self._end_is_told = self._final
        event = FollowerEvent.FAILED_BEFORE if self._final else FollowerEvent.JOINED
        return FollowerNotice(
            event,
            job,
            status=job.status,
            shown=self._settled - self._taken,
            total=self._log.document.settled_count,
            from_error=from_error,
            exit_code=self._exit_code() if self._final else None,
        )

    def _skip_to_tail(self) -> None:
        self._taken = max(0, self._settled - TAIL)

    def _refused(self) -> list[FollowerNotice]:
        if self._refusal is None or self._told_refusal:
            return []
        self._told_refusal = self._begun = True
        self._end_is_told = self._final
        job = self.job
        return [FollowerNotice(FollowerEvent.MISSING, job, status=job.status, error=self._refusal)]

    def _exit_code(self) -> int | None:
        if self._log is None or self.job.status != "failed":
            return None
        return exit_code(self._log.document)
