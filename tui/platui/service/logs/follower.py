"""Follow the log of one job in a merged stream."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.core.named_tuple import NamedTuple
from platui.core.text import cells, clean
from platui.models.values.log import ErrorMark, Span, SpanStyle, error_at
from platui.models.values.many_logs import FollowerEvent, FollowerNotice
from platui.models.values.statuses import ENDED
from platui.service.logs.errors import exit_code, failure_in
from platui.service.logs.job_logs import JobLog, is_refusal

if TYPE_CHECKING:
    from platui.models.values.connection import Urgency
    from platui.models.wire import Job

TAIL: Final = 20  # lines shown from before the follow began
AROUND_ERROR: Final = 40  # lines shown from the error of a job that had failed before

# colours of names; red and green are reserved for statuses
_COLOURS: Final = (
    "cyan", "magenta", "blue", "#a3ad52", "#d19a66", "#56b6a2", "#b48ead", "#8fa8c8",
)  # fmt: skip

_WIDEST: Final = 20  # maximum cells of a name
_LONGEST: Final = 200  # characters of a name to measure: many may have no width


def name_width(names: Iterable[str]) -> int:
    return min(_WIDEST, max((cells(clean(name[:_LONGEST])) for name in names), default=1))


def label(name: str, number: int, width: int) -> Span:
    """Return the prefix of each line of a job: its name, always in the same colour."""
    shown = clean(name[:_LONGEST])
    if cells(shown) > width:
        while shown and cells(shown) > width - 1:
            shown = shown[:-1]
        shown += "…"
    blanks = " " * (width - cells(shown))
    return Span(f"{shown}{blanks} │ ", SpanStyle(foreground=_COLOURS[number % len(_COLOURS)]))


class FollowedLine(NamedTuple):
    spans: tuple[Span, ...]
    number: int  # in that log, from 0
    stamp: float | None
    error: ErrorMark | None = None

    @property
    def goes_on(self) -> bool:
        return self.error is not None and self.number > self.error.first


class LogFollower:
    """A job in the stream: its log, and how much of it was emitted."""

    def __init__(self, job: Job, log: JobLog, name: Span, *, from_start: bool) -> None:
        self.job = job
        self.read_at: float | None = None  # monotonic second of the last read
        self.is_over = False  # all of it was emitted
        self.is_busy = False  # it is being read or emitted
        self.is_partial = False  # lines were skipped
        self._log: JobLog | None = log
        self._name = name
        self._from_start = from_start
        self._begun = False
        self._taken = 0
        self._stop: int | None = None  # end of the part to show; None: end of the log
        self._final = False
        self._refusal: PlatuiError | None = None
        self._is_refusal_reported = False
        self._is_end_reported = False

    @property
    def has_ended(self) -> bool:
        return self.job.status in ENDED

    @property
    def last_read(self) -> float:
        return -inf if self.read_at is None else self.read_at

    @property
    def refused(self) -> bool:
        return self._refusal is not None

    @property
    def can_be_merged(self) -> bool:
        """Return whether its lines can be laid among those of others by their times."""
        return self._log is not None and self._stop is None and self._log.document.has_timestamps

    @property
    def transfer(self) -> float:
        return self._log.transfer if self._log is not None else 0.0

    async def read(self, urgency: Urgency, now: float) -> PlatuiError | None:
        """Load the log from the cache or with one request; return the error unless lasting."""
        if self._log is None:
            return None
        final = self.has_ended
        kept = final and self.read_at is None and await self._log.recall()
        try:
            if not kept:
                await self._log.read(urgency, final=final)
        except PlatuiError as error:
            if not is_refusal(error):
                return error
            self._refusal = error  # becomes an event
        else:
            self._refusal = None
        self.read_at = now
        self._final = final
        return None

    def news_before(self) -> list[FollowerNotice]:
        """Return the events before the lines, and choose the lines."""
        job = self.job
        if self._refusal is not None and not self._is_refusal_reported:
            self._is_refusal_reported = self._begun = True
            self._is_end_reported = self._final
            event = FollowerEvent.MISSING
            return [FollowerNotice(event, job, status=job.status, error=self._refusal)]
        if self._log is None:
            return []
        reset = self._log.take_reset()
        if not self._begun:
            self._begun = True
            return [self._begin(self._log)]
        if not reset:
            return []
        self._skip_to_tail()
        total = self._final_lines
        return [FollowerNotice(FollowerEvent.ANEW, job, shown=total - self._taken, total=total)]

    def lines(self) -> Iterable[FollowedLine]:
        """Yield the new lines; call `took` for each emitted one."""
        if self._log is None:
            return
        document = self._log.document
        marks = document.errors
        for number in range(self._taken, self._final_lines):
            spans = (self._name, *document.spans(number))
            at = error_at(marks, number)
            error = None if at is None else marks[at]
            yield FollowedLine(spans, number, document.stamp(number), error)

    def took(self, line: FollowedLine) -> None:
        self._taken = line.number + 1

    def news_after(self) -> list[FollowerNotice]:
        """Return the events after the lines, and release a log that has ended."""
        if self._log is None or not self._final:
            return []
        job, code = self.job, self._exit_code()
        self.is_over = True
        self._log.close()
        self._log = None
        if self._is_end_reported:
            return []
        return [FollowerNotice(FollowerEvent.ENDED, job, status=job.status, exit_code=code)]

    @property
    def last_line(self) -> int:
        return max(0, self._taken - 1)

    @property
    def _final_lines(self) -> int:
        if self._log is None:
            return self._taken
        settled = self._log.document.settled_count
        return settled if self._stop is None else min(settled, self._stop)

    def _begin(self, log: JobLog) -> FollowerNotice:
        job, total = self.job, self._final_lines
        if self._from_start:
            return FollowerNotice(FollowerEvent.JOINED, job, status=job.status)
        self._skip_to_tail()
        error = failure_in(log.document).error if self._final else None
        from_error = error is not None and error.first < self._taken
        if error is not None and from_error:
            self._taken = error.first
            total = min(total, error.first + AROUND_ERROR)
        self._stop = total if self._final else None
        self.is_partial = self._final_lines - self._taken < log.document.settled_count
        self._is_end_reported = self._final
        event = FollowerEvent.FAILED_BEFORE if self._final else FollowerEvent.JOINED
        return FollowerNotice(
            event,
            job,
            status=job.status,
            shown=self._final_lines - self._taken,
            total=log.document.settled_count,
            from_error=from_error,
            exit_code=self._exit_code() if self._final else None,
        )

    def _skip_to_tail(self) -> None:
        self._taken = max(0, self._final_lines - TAIL)

    def _exit_code(self) -> int | None:
        if self._log is None or self.job.status != "failed":
            return None
        return exit_code(self._log.document)
