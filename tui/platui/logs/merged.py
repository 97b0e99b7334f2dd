"""Merge lines of many logs into one document, in order of arrival."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from math import isnan, nan

from platui.logs.error_index import ErrorList
from platui.logs.spool import LogSpool
from platui.models.values.log import PLAIN, ErrorMark, LogDocument, Span, SpanStyle
from platui.models.values.many_logs import Origin


class MergedLog(LogDocument):
    """Final lines of many logs, stored in a spool."""

    def __init__(self) -> None:
        self._spool = LogSpool()
        self._ends = array("Q")
        self._jobs = array("q")
        self._lines = array("q")
        self._stamps = array("d")
        self._stamped = False
        self._errors = ErrorList()
        # The error that the last line belongs to: its job and first line there, its lines here.
        self._source: tuple[int, int] | None = None
        self._open: ErrorMark | None = None
        self._marks: tuple[ErrorMark, ...] | None = ()  # None: outdated

    def add(
        self,
        spans: Sequence[Span],
        origin: Origin,
        stamp: float | None = None,
        error: ErrorMark | None = None,
    ) -> None:
        self._take_error(origin, error)
        # JSON, because colours have many forms.
        written = [[text] if style == PLAIN else [text, *style] for text, style in spans]
        self._spool.append(json.dumps(written, separators=(",", ":")).encode())
        self._jobs.append(origin.job)
        self._lines.append(origin.line)
        self._stamps.append(nan if stamp is None else stamp)
        self._stamped = self._stamped or stamp is not None
        self._ends.append(self._spool.size)  # last: it makes the line visible to readers

    def _take_error(self, origin: Origin, error: ErrorMark | None) -> None:
        y = self.line_count
        source = None if error is None else (origin.job, error.first)
        if self._open is not None and source == self._source:
            self._open = self._open._replace(end=y + 1)
        elif self._open is not None:
            self._errors.add(self._open)
            self._open = None
        if error is None:
            return
        self._marks = None
        self._source = source
        mark = self._open or ErrorMark(y, y + 1, error.rule, error.rank)
        is_message = origin.line == error.message_line
        self._open = mark._replace(message_offset=y - mark.first) if is_message else mark

    def close(self) -> None:
        self._spool.close()

    @property
    def line_count(self) -> int:
        return len(self._ends)

    @property
    def size(self) -> int:
        return self._spool.size

    @property
    def version(self) -> int:
        return len(self._ends)

    @property
    def has_timestamps(self) -> bool:
        return self._stamped

    def spans(self, y: int) -> tuple[Span, ...]:
        return tuple(
            Span(text, SpanStyle(*style)) if style else Span(text)
            for text, *style in json.loads(self._read(y))
        )

    def text(self, y: int) -> str:
        return "".join(part[0] for part in json.loads(self._read(y)))

    def is_section(self, y: int) -> bool:
        del y
        return False

    @property
    def errors(self) -> tuple[ErrorMark, ...]:
        if self._marks is None:
            self._marks = self._errors.marks(self._open)
        return self._marks

    @property
    def error_count(self) -> int:
        return self._errors.count + (self._open is not None)

    def stamp(self, y: int) -> float | None:
        stamp = self._stamps[y]
        return None if isnan(stamp) else stamp

    def origin(self, y: int) -> Origin:
        return Origin(self._jobs[self._checked(y)], self._lines[y])

    def _checked(self, y: int) -> int:
        if not 0 <= y < len(self._ends):
            raise IndexError(y)
        return y

    def _read(self, y: int) -> bytes:
        end = self._ends[self._checked(y)]
        return self._spool.read(self._ends[y - 1] if y else 0, end)
