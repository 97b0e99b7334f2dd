"""Errors of a log that may grow faster than it can be searched: the newest lines come first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.error_index import LISTED, ErrorIndex
from platui.logs.line_index import SCAN_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.logs.document import Log
    from platui.models.values.log import ErrorMark, ErrorRules

AT_ONCE: Final = 2 * 1024 * 1024
"""Bytes searched immediately (a few milliseconds); of more only the end."""

NEWEST: Final = SCAN_BYTES  # Bytes at the end of a log that are searched first


class ErrorBacklog:
    """Errors of a growing log; one thread at a time may search, others may read the marks."""

    def __init__(self, rules: ErrorRules) -> None:
        self._rules = rules
        self._index = ErrorIndex(rules)
        self._tail: ErrorIndex | None = None
        self._earlier: tuple[ErrorMark, ...] = ()  # found by previous tail indexes
        # Marks and count in one tuple, so that readers in other threads see a consistent pair.
        self._known: tuple[tuple[ErrorMark, ...], int] = ((), 0)

    @property
    def is_behind(self) -> bool:
        return self._tail is not None

    @property
    def count(self) -> int:
        return self._known[1]

    @property
    def marks(self) -> tuple[ErrorMark, ...]:
        return self._known[0]

    @property
    def disabled_rules(self) -> Sequence[str]:
        return self._rules.disabled_rules

    def step(self, log: Log, stop: int) -> bool:
        """Search the next lines before `stop`; return whether more remain."""
        more = self._index.step(log, stop)
        if not more:
            self._tail, self._earlier = None, ()
        self._publish()
        return more

    def search_newest(self, log: Log, stop: int) -> None:
        """Search the newest lines, and all others if they are few."""
        if stop - self._index.searched <= AT_ONCE:
            while self.step(log, stop):
                pass
            return
        if self._tail is None or self._tail.searched < stop - NEWEST:
            if self._tail is not None:
                # Beyond the limit the oldest marks are dropped: they will be found again.
                self._earlier = (*self._earlier, *self._tail.marks)[-LISTED:]
            self._tail = self._tail_index(log, stop - NEWEST, stop)
        while self._tail.step(log, stop):
            pass
        self._publish()

    def marks_with(self, log: Log, line: int) -> tuple[ErrorMark, ...]:
        return self.marks if self.is_behind else self._index.marks_with(log, line)

    def _tail_index(self, log: Log, begin: int, stop: int) -> ErrorIndex:
        ended = log.line_at(stop)
        first = min(log.line_at(begin) + 1, ended)
        start = log.span_of(first)[0] if first < ended else stop
        return ErrorIndex(self._rules, start, first)

    def _publish(self) -> None:
        marks, count = self._index.marks, self._index.count
        if self._tail is not None:
            reached = self._index.reached
            self._earlier = tuple(mark for mark in self._earlier if mark.first >= reached)
            ahead = [mark for mark in self._tail.marks if mark.first >= reached]
            marks = (*marks, *self._earlier, *ahead)
            count += len(marks) - len(self._index.marks)
        self._known = (marks, count)
