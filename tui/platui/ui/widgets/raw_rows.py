"""Wrap the lines of a raw response to rows."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import get_character_cell_size

if TYPE_CHECKING:
    from platui.present.raw import RawDocument

_HANG: Final = 4  # Extra indent of continuation rows, in cells

_LONG: Final = 100_000  # Characters; in longer lines all characters count as wide


class Row(NamedTuple):
    line: int
    start: int
    end: int
    lead: int  # Indent in cells; 0 on the first row


class RawRows:
    """The rows of a document at a given width."""

    def __init__(self, document: RawDocument, room: int, *, wraps: bool) -> None:
        self._lines = document.lines
        self._room = max(2 * _HANG, room)
        self._wraps = wraps
        self._breaks: dict[int, tuple[int, ...]] = {}
        """Line -> end of each row, for lines with characters that are not one cell wide."""
        self._ends = list(accumulate(map(self._rows_of, range(len(self._lines))))) if wraps else []

    def __len__(self) -> int:
        return (self._ends[-1] if self._ends else 0) if self._wraps else len(self._lines)

    def row(self, number: int) -> Row:
        if not self._wraps:
            return Row(number, 0, len(self._lines[number]), 0)
        line = bisect_right(self._ends, number)
        part = number - (self._ends[line - 1] if line else 0)
        lead = self._lead(line) if part else 0
        start, end = self._part(line, part)
        return Row(line, start, end, lead)

    def row_of(self, line: int, at: int) -> int:
        if not self._wraps:
            return line
        first = self._ends[line - 1] if line else 0
        for number in range(first, self._ends[line]):
            if at < self._part(line, number - first)[1]:
                return number
        return self._ends[line] - 1

    def _lead(self, line: int) -> int:
        text = self._lines[line]
        return min(len(text) - len(text.lstrip(" ")) + _HANG, self._room // 2)

    def _rows_of(self, line: int) -> int:
        text = self._lines[line]
        if len(text) <= self._room and text.isascii():
            return 1
        if text.isascii() or len(text) > _LONG:
            first, rest = self._rooms(line)
            return 1 + max(0, -(-(len(text) - first) // rest))
        self._breaks[line] = self._broken(text, self._lead(line))
        return len(self._breaks[line])

    def _rooms(self, line: int) -> tuple[int, int]:
        """Return the characters that fit on the first row of a line, and on other rows."""
        wide = 1 if self._lines[line].isascii() else 2
        return self._room // wide, (self._room - self._lead(line)) // wide

    def _part(self, line: int, part: int) -> tuple[int, int]:
        length = len(self._lines[line])
        if (breaks := self._breaks.get(line)) is not None:
            return breaks[part - 1] if part else 0, breaks[part]
        first, rest = self._rooms(line)
        start = first + (part - 1) * rest if part else 0
        return start, min(length, start + (rest if part else first))

    def _broken(self, text: str, lead: int) -> tuple[int, ...]:
        breaks: list[int] = []
        left = self._room
        for at, sign in enumerate(text):
            cells = get_character_cell_size(sign)
            if cells > left:
                breaks.append(at)
                left = self._room - lead
            left -= cells
        return (*breaks, len(text))
