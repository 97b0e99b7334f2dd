"""Finding text in many short lines that lie behind each other: the people, the places."""

from __future__ import annotations

from bisect import bisect_right
from itertools import repeat
from operator import contains
from typing import TYPE_CHECKING, Final

from platui.report.questions.masks import everything, from_flags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.report.questions.matching import TextTest

FIELD_END: Final = "\x1f"
NULL: Final = "\x00"
"""A field that is null, in people: the identity."""

_ROWS: Final = 4096
"""Lines that are looked at in one go."""

_DENSE: Final = 8
"""More than one hit in so many lines, and to take all lines apart is quicker than to find each."""

_HIT: Final = bytes((0, 255)) + bytes(254)


class TextLines:
    """Folded lines: of some fields each, or of one field of such lines."""

    def __init__(self, data: memoryview | bytes, starts: Sequence[int]) -> None:
        """Take the lines.

        Args:
            data: UTF-8; each line ended by a line end, which none has inside.
            starts: where each begins, and the end.
        """
        self._data = data
        self._starts = starts
        self.count = max(0, len(starts) - 1)

    def having(self, test: TextTest) -> int:
        """Return the lines in which a test holds: of a whole line that is one field.

        A test of a part alone works on lines of any fields.
        """
        part = test.part.encode("utf-8", "surrogatepass")
        if not part and test.pattern is None:
            return everything(self.count)
        found: list[bytes] = []
        is_dense = not part
        for first in range(0, self.count, _ROWS):
            end = min(self.count, first + _ROWS)
            data = self._bytes(first, end)
            rows = None if is_dense else self._few(data, first, end, part)
            flags = (
                _taken_apart(data, part, test)
                if rows is None
                else self._tried(rows, first, end, test)
            )
            # What is in every eighth line of one slice is so in the next.
            is_dense = not part or flags.count(255) > (end - first) // _DENSE
            found.append(flags)
        return from_flags(b"".join(found))

    def field(self, number: int) -> TextLines:
        """Return one field of each line, as lines."""
        parts: list[bytes] = []
        starts = [0]
        at = 0
        for lines in self._all_lines():
            for line in lines:
                text = line.split(b"\x1f", number + 1)[number] + b"\n"
                at += len(text)
                starts.append(at)
                parts.append(text)
        return TextLines(b"".join(parts), starts)

    def fields_having(self, test: TextTest) -> int:
        """Return the lines of which some field fits a test that has a pattern."""
        part = test.part.encode("utf-8", "surrogatepass")
        data = bytearray(self.count)
        row = 0
        for lines in self._all_lines():
            for line in lines:
                if part in line:
                    texts = _text(line).split(FIELD_END)[:-1]
                    data[row] = 255 if any(map(test.holds, texts)) else 0
                row += 1
        return from_flags(data)

    def lines(self) -> Iterator[bytes]:
        """Yield all lines, without their ends."""
        for lines in self._all_lines():
            yield from lines

    def _all_lines(self) -> Iterator[list[bytes]]:
        for first in range(0, self.count, _ROWS):
            end = min(self.count, first + _ROWS)
            yield _split(self._bytes(first, end))

    def _bytes(self, first: int, end: int) -> bytes:
        return bytes(self._data[self._starts[first] : self._starts[end]])

    def _tried(self, rows: list[int], first: int, end: int, test: TextTest) -> bytes:
        """Return a byte a line of a slice: whether it is one of those found, and the test holds."""
        flags = bytearray(end - first)
        for row in rows:
            if test.pattern is None or test.holds(_text(self._bytes(row, row + 1)[:-1])):
                flags[row - first] = 255
        return bytes(flags)

    def _few(self, data: bytes, first: int, end: int, part: bytes) -> list[int] | None:
        """Return the lines of a slice that have a part, each found for itself; None: too many."""
        base = self._starts[first]
        most = (end - first) // _DENSE + 1
        rows: list[int] = []
        row = first
        at = data.find(part)
        while at >= 0:
            row = bisect_right(self._starts, base + at, row, end + 1) - 1
            rows.append(row)
            if len(rows) > most:
                return None
            at = data.find(part, self._starts[row + 1] - base)
        return rows


def _taken_apart(data: bytes, part: bytes, test: TextTest) -> bytes:
    """Return a byte a line of a slice: whether a test holds, each line looked at."""
    lines = _split(data)
    if test.pattern is None:
        return bytes(map(contains, lines, repeat(part))).translate(_HIT)
    return bytes(255 if part in line and test.holds(_text(line)) else 0 for line in lines)


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    lines.pop()
    return lines


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
