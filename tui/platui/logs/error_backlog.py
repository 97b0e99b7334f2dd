"""The errors of a log that may come faster than it is worth to look through all of it.

All of it is looked through from its beginning, in steps that somebody else times. Where that is
far behind, the newest lines, which are those in sight, are glimpsed at ahead of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.error_index import LISTED, ErrorIndex
from platui.logs.index import SCAN_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.logs.document import Log
    from platui.models.values.log import ErrorMark, ErrorRules

AT_ONCE: Final = 2 * 1024 * 1024
"""Bytes that are looked through when they come, a few milliseconds' work: of more only the end."""

NEWEST: Final = SCAN_BYTES
"""Bytes at the end of a log that are glimpsed at: many more than are in sight."""


class ErrorBacklog:
    """The errors of a growing log; of much that comes at once only the newest lines at first.

    Errors that a glimpse at those finds count until that part of the log is looked through. One
    thread at a time lets it look; others may read its marks meanwhile.
    """

    def __init__(self, rules: ErrorRules) -> None:
        self._rules = rules
        self._index = ErrorIndex(rules)
        self._glimpse: ErrorIndex | None = None
        self._earlier: tuple[ErrorMark, ...] = ()
        """What was found by glimpses before this one."""
        self._known: tuple[tuple[ErrorMark, ...], int] = ((), 0)
        """What whoever reads is told, and how many there are: in one, as it is made in a thread."""

    @property
    def is_behind(self) -> bool:
        return self._glimpse is not None

    @property
    def count(self) -> int:
        return self._known[1]

    @property
    def marks(self) -> tuple[ErrorMark, ...]:
        return self._known[0]

    @property
    def given_up(self) -> Sequence[str]:
        return self._rules.given_up

    def step(self, log: Log, stop: int) -> bool:
        """Look through the next lines before `stop`; return whether there are others."""
        more = self._index.step(log, stop)
        if not more:
            self._glimpse, self._earlier = None, ()
        self._tell()
        return more

    def look_ahead(self, log: Log, stop: int) -> None:
        """Look at the newest lines, and through all others too if they are not many."""
        if stop - self._index.looked <= AT_ONCE:
            while self.step(log, stop):
                pass
            return
        if self._glimpse is None or self._glimpse.looked < stop - NEWEST:
            if self._glimpse is not None:
                # Of more than are listed the oldest are forgotten: they are found again.
                self._earlier = (*self._earlier, *self._glimpse.marks)[-LISTED:]
            self._glimpse = self._glimpse_from(log, stop - NEWEST, stop)
        while self._glimpse.step(log, stop):
            pass
        self._tell()

    def marks_with(self, log: Log, line: int) -> tuple[ErrorMark, ...]:
        return self.marks if self.is_behind else self._index.marks_with(log, line)

    def _glimpse_from(self, log: Log, begin: int, stop: int) -> ErrorIndex:
        ended = log.line_at(stop)
        first = min(log.line_at(begin) + 1, ended)
        start = log.span_of(first)[0] if first < ended else stop
        return ErrorIndex(self._rules, start, first)

    def _tell(self) -> None:
        """Make known what was found: whoever reads must not see half of it."""
        marks, count = self._index.marks, self._index.count
        if self._glimpse is not None:
            reached = self._index.reached
            self._earlier = tuple(mark for mark in self._earlier if mark.first >= reached)
            ahead = [mark for mark in self._glimpse.marks if mark.first >= reached]
            marks = (*marks, *self._earlier, *ahead)
            count += len(marks) - len(self._index.marks)
        self._known = (marks, count)
