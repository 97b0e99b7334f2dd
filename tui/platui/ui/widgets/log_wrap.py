"""Wrap a log line to rows."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.ui.widgets.log_text import LineText, TimeBudget

_HANG: Final = 2  # Extra indent of continuation rows, in cells

LEAST_ROOM: Final = 8  # Minimum width of a row


class Part(NamedTuple):
    start: int  # First character
    end: int
    lead: int  # Indent in cells; 0 on the first row


class Wrapped:
    """The rows of the part of a line that was read; at least one."""

    def __init__(self, line: LineText, room: int, budget: TimeBudget) -> None:
        self._line = line
        self._room = max(LEAST_ROOM, room)
        self._budget = budget
        self._ends = array("Q")  # End character of each full row
        self._pieces = 0
        self._indent = 0  # Blanks at the beginning of the part that was read
        self._used = 0  # Cells of the last row, which is not full
        self.lead = 0
        self._break()
        self.go_on()

    @property
    def count(self) -> int:
        return len(self._ends) + (not self._ends or self._ends[-1] < self._broken)

    @property
    def is_whole(self) -> bool:
        return self._line.is_whole and self._pieces == self._line.pieces

    def go_on(self) -> None:
        """Wrap more of the line, as long as there is time."""
        while not self.is_whole:
            if self._pieces == self._line.pieces:
                if not self._line.read_on():
                    return
            elif self._budget.is_exhausted:
                return
            else:
                self._break()

    def part(self, number: int) -> Part:
        lead = self.lead if number else 0
        start = self._ends[number - 1] if number else 0
        end = self._ends[number] if number < len(self._ends) else self._broken
        return Part(start, end, lead)

    def holds(self, character: int) -> bool:
        return character < self._broken or self.is_whole

    def part_of(self, character: int) -> int:
        return min(bisect_right(self._ends, character), self.count - 1)

    @property
    def _broken(self) -> int:
        return self._line.characters_before(self._pieces)

    def _break(self) -> None:
        began = perf_counter()
        number, before = self._pieces, self._broken
        text, ends = self._line.ends(number)
        if before == self._indent:
            self._indent += len(text) - len(text.lstrip(" "))
            self.lead = min(self._indent + _HANG, self._room // 2)
        self._pieces += 1
        left = self._room - self._used - (self.lead if self._ends else 0)
        if ends is None:
            self._break_plain(before, len(text), left)
        else:
            self._break_cells(before, ends, left)
        if number:
            self._budget.spent += perf_counter() - began

    def _break_plain(self, before: int, size: int, left: int) -> None:
        if size <= left:
            self._used += size
            return
        step = self._room - self.lead
        rows = range(before + left, before + size, step)
        self._ends.extend(rows)
        self._used = before + size - rows[-1]

    def _break_cells(self, before: int, ends: Sequence[int], left: int) -> None:
        start = cell = 0
        size = len(ends) - 1
        while ends[size] - cell > left:
            # Accents stay with their base character.
            start = bisect_right(ends, cell + left) - 1
            self._ends.append(before + start)
            cell, left = ends[start], self._room - self.lead
            self._used = 0
        self._used += ends[size] - cell
