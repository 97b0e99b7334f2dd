"""Index the errors of a growing log; only lines with a hint of a rule are decoded.

It may grow faster than it can be searched: then the newest lines come first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.logs.line_index import SCAN_BYTES
from platui.models.values.log import ErrorBlock, ErrorMark, ErrorRules

if TYPE_CHECKING:
    from platui.logs.document import Log


LISTED: Final = 10_000  # Most errors listed; of more, the first and the last

_LAST: Final = 1_000


class ErrorList:
    """Completed errors in the order of their first lines."""

    def __init__(self) -> None:
        self.count = 0  # listed or not
        self._first: list[ErrorMark] = []
        self._last: deque[ErrorMark] = deque(maxlen=_LAST)

    def add(self, mark: ErrorMark) -> None:
        self.count += 1
        marks = self._first if len(self._first) < LISTED - _LAST else self._last
        marks.append(mark)

    def marks(self, growing: ErrorMark | None = None) -> tuple[ErrorMark, ...]:
        if growing is None:
            return (*self._first, *self._last)
        room = islice(self._last, len(self._last) == _LAST, None)
        return (*self._first, *room, growing)


LONGEST: Final = 5_000  # Maximum lines of one error

_SMALL: Final = bytes(range(256)).lower()
_NO_LETTERS: Final = bytes(byte for byte in range(256) if not bytes([byte]).isalpha())
_KEPT_OF_LINE: Final = b"\n"


class HintFinder:
    """Finds lines with a hint in undecoded bytes."""

    def __init__(self, hints: Sequence[str]) -> None:
        self._hints: list[bytes] = []
        for hint in sorted({letters_of(hint).encode() for hint in hints}, key=len):
            if not any(shorter in hint for shorter in self._hints):
                self._hints.append(hint)
        wanted = set(b"".join(self._hints))
        # One pass folds case and drops bytes that occur in no hint, e.g. digits and blanks:
        # a third of the log remains, and most of its lines are equal.
        self._dropped = bytes(
            byte for byte in range(256) if _SMALL[byte] not in {*wanted, *_KEPT_OF_LINE}
        )

    def lines(self, data: bytes) -> list[int]:
        lines = data.translate(_SMALL, self._dropped).split(b"\n")
        # Programs repeat lines with other numbers: each distinct line is searched once.
        suspects = self._suspects(b"\n".join(set(lines)))
        if not suspects:
            return []
        return [number for number, line in enumerate(lines) if line in suspects]

    def _suspects(self, lines: bytes) -> set[bytes]:
        found: set[bytes] = set()
        for hint in self._hints:
            at = lines.find(hint)
            while at >= 0:
                end = lines.find(b"\n", at)
                end = len(lines) if end < 0 else end
                found.add(lines[lines.rfind(b"\n", 0, at) + 1 : end])
                at = lines.find(hint, end)
        return found


def letters_of(text: str) -> str:
    """Return the letters a to z of a text in lower case, as hints are compared."""
    return text.encode("ascii", "ignore").translate(_SMALL, _NO_LETTERS).decode("ascii")


class ErrorIndex:
    """Errors (`marks`) of the first `searched` bytes; those before line `reached` are all known."""

    def __init__(self, rules: ErrorRules, start: int = 0, line: int = 0) -> None:
        """Start at line number `line`, which begins at byte `start`."""
        self._rules = rules
        self._glass = HintFinder(rules.hints)
        self.searched = start
        self._closed = ErrorList()
        self._open: ErrorBlock | None = None
        self._opened_at = self.reached = line
        self.marks: tuple[ErrorMark, ...] = ()

    @property
    def count(self) -> int:
        return self._closed.count + (self._open is not None)

    def step(self, log: Log, stop: int) -> bool:
        """Search the next lines before `stop`; return whether more remain."""
        if self.searched < stop:
            ended = log.line_at(stop)
            self._continue(log, ended)
            for line in self._candidates(log, stop):
                if self.reached <= line < ended:
                    self.reached = line + 1
                    block = None if log.is_section(line) else self._rules.begin(log.text(line))
                    if block is not None:
                        self._open, self._opened_at = block, line
                        self._continue(log, ended)
            growing = None if self._open is None else _mark(self._opened_at, self._open)
            self.marks = self._closed.marks(growing)
        return self.searched < stop

    def marks_with(self, log: Log, line: int) -> tuple[ErrorMark, ...]:
        if log.is_section(line):
            return self.marks
        text = log.text(line)
        block = copy(self._open)
        if block is not None and block.take(text):
            return (*self.marks[:-1], _mark(self._opened_at, block))
        new = self._rules.begin(text)
        return self.marks if new is None else (*self.marks, _mark(line, new))

    def _candidates(self, log: Log, stop: int) -> Iterator[int]:
        start = self.searched
        data = log.read(start, min(start + SCAN_BYTES, stop))
        if start + len(data) < stop:
            # A line longer than one slice is searched in pieces.
            data = data[: data.rfind(b"\n") + 1] or data
        self.searched = start + len(data) if data else stop
        at = counted = 0
        for number in self._glass.lines(data):
            while counted < number:
                at = data.find(b"\n", at) + 1
                counted += 1
            yield log.line_at(start + at)

    def _continue(self, log: Log, ended: int) -> None:
        while self._open is not None and self.reached < ended:
            is_long = self.reached - self._opened_at >= LONGEST
            if (
                is_long
                or log.is_section(self.reached)
                or not self._open.take(log.text(self.reached))
            ):
                self._closed.add(_mark(self._opened_at, self._open))
                self._open = None
            else:
                self.reached += 1


def _mark(first: int, block: ErrorBlock) -> ErrorMark:
    return ErrorMark(first, first + block.length, block.rule, block.rank, block.message_offset)


AT_ONCE: Final = 2 * 1024 * 1024
"""Bytes searched immediately (a few milliseconds); of more only the end."""

NEWEST: Final = SCAN_BYTES  # Bytes at the end of a log that are searched first


class ErrorBacklog:
    """Errors of a growing log; one thread at a time may search, others may read the marks."""

    def __init__(self, rules: ErrorRules) -> None:
        self.rules = rules
        self._index = ErrorIndex(rules)
        self._tail: ErrorIndex | None = None
        self._earlier: tuple[ErrorMark, ...] = ()  # found by previous tail indexes
        self.marks: tuple[ErrorMark, ...] = ()
        self.count = 0

    @property
    def is_behind(self) -> bool:
        return self._tail is not None

    def step(self, log: Log, stop: int) -> bool:
        """Search the next lines before `stop`; return whether more remain."""
        more = self._index.step(log, stop)
        marks = self._index.marks
        if not more:
            self._tail, self._earlier = None, ()
            if log.ends_with_break:
                marks = self._index.marks_with(log, log.settled_count)
        self._publish(marks)
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
            ended = log.line_at(stop)
            first = min(log.line_at(stop - NEWEST) + 1, ended)
            start = log.span_of(first)[0] if first < ended else stop
            self._tail = ErrorIndex(self.rules, start, first)
        while self._tail.step(log, stop):
            pass
        self._publish(self._index.marks)

    def marks_with(self, log: Log, line: int) -> tuple[ErrorMark, ...]:
        return self.marks if self.is_behind else self._index.marks_with(log, line)

    def _publish(self, marks: tuple[ErrorMark, ...]) -> None:
        count = self._index.count
        if self._tail is not None:
            reached = self._index.reached
            self._earlier = tuple(mark for mark in self._earlier if mark.first >= reached)
            ahead = [mark for mark in self._tail.marks if mark.first >= reached]
            marks = (*marks, *self._earlier, *ahead)
            count += len(marks) - len(self._index.marks)
        self.marks, self.count = marks, count
