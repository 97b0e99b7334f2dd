"""Track the sections and hidden lines of a growing log."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from platui.core.named_tuple import NamedTuple
from platui.logs.line_index import IndexedChunk, count_breaks
from platui.logs.markers import REACH, MarkedLine, Marker, SectionTable, find_marker_candidates

if TYPE_CHECKING:
    from platui.models.values.log import Section


class LineMarkers(NamedTuple):
    markers: Sequence[Marker]
    is_hidden: bool  # Whether the line has only markers
    is_header: bool  # Whether it is shown as a section header


class SectionScan:
    """Sections of a log by displayed lines; `look` is slow, `enter` changes what readers see."""

    def __init__(self, read: Callable[[int, int], LineMarkers]) -> None:
        self._read = read
        self._table = SectionTable()
        self._scanned = 0
        # Whether the incomplete line may hold a marker before `_scanned`.
        self._open_has_marker = False
        # For each hidden line, the number of displayed lines before it.
        self._displayed_before_hidden = array("Q")

    @property
    def hidden_count(self) -> int:
        return len(self._displayed_before_hidden)

    def logical(self, y: int) -> int:
        """Return the number of a displayed line with hidden lines counted."""
        return y + bisect_right(self._displayed_before_hidden, y)

    def hidden_before(self, logical: int) -> int:
        hidden = self._displayed_before_hidden
        # Hidden line i has number i + hidden[i].
        return bisect_left(range(len(hidden)), logical, key=lambda i: hidden[i] + i)

    def sections(self, last: MarkedLine | None, at: int) -> tuple[Section, ...]:
        """Return the sections; with an incomplete line, the displayed line `at`, as if it ended."""
        if last is None or not last.markers:
            return self._table.snapshot()
        table = self._table.copy()
        for marker in last.markers:
            table.take(marker, at, has_header=last.header_of is not None)
        return table.snapshot()

    def look(self, intake: IndexedChunk) -> list[tuple[int, LineMarkers]]:
        """Return numbers and markers of the new complete lines with markers."""
        data, undone, offset = intake.data, intake.undone, intake.offset
        # A possible marker at the very end is decided by the next bytes.
        stop = max(intake.open_start, intake.stop - REACH)
        places = find_marker_candidates(data, self._scanned - offset, stop - offset, undone)
        self._scanned = max(self._scanned, stop)
        fresh = intake.start - offset
        if self._open_has_marker:
            places.insert(0, fresh)
        found: list[tuple[int, LineMarkers]] = []
        number, counted, taken = intake.line, fresh, -1
        blocks, block_line = intake.counts.copy(), intake.line
        self._open_has_marker = False
        for at in places:
            if at < taken:
                continue
            taken = data.find(b"\n", at)
            if taken < 0 or offset + taken >= intake.open_start:
                self._open_has_marker = True
                break
            before = data.rfind(b"\n", 0, at)
            begin = offset + before + 1 if before >= 0 else intake.line_start
            # The lines of whole blocks are counted already.
            while blocks and (end := blocks[0][1] - offset) <= at:
                block_line += blocks.pop(0)[2]
                number, counted = block_line, end
            if at > counted:
                number += count_breaks(data, counted, at)
                counted = at
            found.append((number, self._read(begin, offset + taken)))
        return found

    def enter(self, found: Iterable[tuple[int, LineMarkers]]) -> None:
        for logical, line in found:
            displayed = logical - len(self._displayed_before_hidden)
            for marker in line.markers:
                self._table.take(marker, displayed, has_header=line.is_header)
            if line.is_hidden:
                self._displayed_before_hidden.append(displayed)
