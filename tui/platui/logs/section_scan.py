"""Where a growing log has its sections, and which of its lines are hidden."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from platui.logs.index import LineNumbers, break_before, break_from
from platui.logs.markers import REACH, SectionTable, likely_markers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from platui.logs.index import Intake
    from platui.logs.markers import Marker
    from platui.models.values.log import Section


class TakenApart(NamedTuple):
    """What a line with markers says."""

    markers: Sequence[Marker]
    is_hidden: bool
    """Whether there is nothing else in it to be seen."""
    is_header: bool
    """Whether it is shown as the header of a section."""


class SectionScan:
    """The sections of a log in displayed lines; lines of markers only are hidden.

    Every byte is looked at once. `look` may take long and changes nothing that readers see;
    `enter` takes no time.
    """

    def __init__(self, read: Callable[[int, int], TakenApart]) -> None:
        self._read = read
        self._table = SectionTable()
        self._scanned = 0
        self._open_has_marker = False
        """Whether the line that has no end yet may hold a marker before `_scanned`."""
        # For each hidden line, how many displayed ones stand before it.
        self._shown_before_hidden = array("Q")

    @property
    def hidden_count(self) -> int:
        return len(self._shown_before_hidden)

    def logical(self, y: int) -> int:
        """Return the number of a displayed line among all, hidden ones counted."""
        return y + bisect_right(self._shown_before_hidden, y)

    def hidden_before(self, logical: int) -> int:
        hidden = self._shown_before_hidden
        # The hidden line of number i is the line of number i + those shown before it.
        return bisect_left(range(len(hidden)), logical, key=lambda i: hidden[i] + i)

    def sections(self) -> tuple[Section, ...]:
        return self._table.snapshot()

    def sections_with(
        self, markers: Iterable[Marker], line: int, *, is_header: bool
    ) -> tuple[Section, ...]:
        """Return the sections as they were if a displayed line with markers came now."""
        table = self._table.copy()
        for marker in markers:
            table.take(marker, line, has_header=is_header)
        return table.snapshot()

    def look(self, intake: Intake) -> list[tuple[int, TakenApart]]:
        """Return the lines with markers that end in the next bytes, with their logical numbers."""
        data, undone, offset = intake.data, intake.undone, intake.offset
        # What begins at the very end may be a marker: that is told by what comes next.
        stop = max(intake.open_start, intake.stop - REACH)
        places = likely_markers(data, self._scanned - offset, stop - offset, undone)
        self._scanned = max(self._scanned, stop)
        fresh = intake.start - offset
        if self._open_has_marker:
            places.insert(0, fresh)
        found: list[tuple[int, TakenApart]] = []
        numbers, taken = LineNumbers(intake), -1
        self._open_has_marker = False
        for at in places:
            if at < taken:
                continue
            taken = break_from(data, at, undone)
            if taken < 0 or offset + taken >= intake.open_start:
                self._open_has_marker = True
                break
            before = break_before(data, at, undone)
            begin = offset + before + 1 if before >= 0 else intake.line_start
            found.append((numbers.at(at), self._read(begin, offset + taken)))
        return found

    def enter(self, found: Iterable[tuple[int, TakenApart]]) -> None:
        for logical, line in found:
            displayed = logical - len(self._shown_before_hidden)
            for marker in line.markers:
                self._table.take(marker, displayed, has_header=line.is_header)
            if line.is_hidden:
                self._shown_before_hidden.append(displayed)
