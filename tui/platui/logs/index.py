"""Where the lines are, at the cost of a few bytes per 64 KB of log."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from platui.logs.stamps import (
    STAMP_LENGTH,
    continuations,
    count_continuations,
    may_become_stamp,
    starts_stamped,
)

if TYPE_CHECKING:
    from platui.logs.spool import LogSpool

BLOCK: Final = 64 * 1024
_VISITED: Final = 64


def breaks_in(data: bytes, stop: int, *, stamped: bool) -> list[int]:
    """Return where lines end in `data` before `stop`.

    In a stamped log `data` should reach `STAMP_LENGTH` bytes further than `stop`.
    """
    undone = set(continuations(data)) if stamped else ()
    found: list[int] = []
    at = data.find(b"\n", 0, stop)
    while at >= 0:
        if at not in undone:
            found.append(at)
        at = data.find(b"\n", at + 1, stop)
    return found


class LineIndex:
    """Logical lines of a spool: line breaks that a `+` stamp undoes do not count.

    What is kept is one count per block; the breaks inside a block are looked up when a
    line of it is asked for, and remembered for the blocks visited last. Any split of the
    stream into pieces gives the same lines.

    Attributes:
        stamped: whether every line begins with a stamp; None until the first line tells.
        frontier: the byte up to which it is known where lines end.
        open_start: where the line begins that has no end yet.
    """

    def __init__(self, spool: LogSpool) -> None:
        self.stamped: bool | None = None
        self.frontier = 0
        self.open_start = 0
        self._spool = spool
        self._totals = array("Q")  # breaks up to the end of each block
        self._visited: dict[int, array[int]] = {}

    @property
    def line_count(self) -> int:
        """Return how many lines have an end; the open one is not counted."""
        return self._totals[-1] if self._totals else 0

    def extend(self, *, final: bool = False) -> None:
        """Take in what the spool has got since; `final` when nothing more will come."""
        size = self._spool.size
        if self.stamped is None:
            known = starts_stamped(self._spool.read(0, STAMP_LENGTH))
            if known is None and not final:
                return
            self.stamped = known or False
        stop = self._undecided(size) if self.stamped and not final else size
        while self.frontier < stop:
            self._take(min((self.frontier // BLOCK + 1) * BLOCK, stop))

    def span_of(self, line: int) -> tuple[int, int]:
        """Return where a line starts and ends; the number after the last is the open line.

        Raises:
            IndexError: there is no such line.
        """
        count = self.line_count
        if not 0 <= line <= count:
            raise IndexError(line)
        start = self._break(line - 1) + 1 if line else 0
        return start, self._break(line) if line < count else self.frontier

    def _undecided(self, size: int) -> int:
        """Return the line break of which it is not yet known whether a stamp undoes it.

        Only the last one can be: the beginning of a stamp holds no line break.
        """
        start = max(self.frontier, size - STAMP_LENGTH)
        tail = self._spool.read(start, size)
        at = tail.rfind(b"\n")
        return start + at if at >= 0 and may_become_stamp(tail[at + 1 :]) else size

    def _take(self, stop: int) -> None:
        """Count the breaks from the frontier to `stop`, all of one block."""
        start, length = self.frontier, stop - self.frontier
        reach = STAMP_LENGTH if self.stamped else 0
        data = self._spool.read(start, stop + reach)
        count = data.count(b"\n", 0, length)
        if count and self.stamped:
            count -= count_continuations(data)
        block = start // BLOCK
        if block == len(self._totals):
            self._totals.append(self.line_count)
        if count:
            self._totals[block] += count
            self._visited.pop(block, None)
            self.open_start = start + self._last_break(data, length) + 1
        self.frontier = stop

    def _last_break(self, data: bytes, length: int) -> int:
        if not self.stamped:
            return data.rfind(b"\n", 0, length)
        return breaks_in(data, length, stamped=True)[-1]

    def _break(self, number: int) -> int:
        """Return where the break of that number is, counted from 0."""
        block = bisect_right(self._totals, number)
        before = self._totals[block - 1] if block else 0
        return block * BLOCK + self._breaks(block)[number - before]

    def _breaks(self, block: int) -> array[int]:
        known = self._visited.pop(block, None)
        if known is None:
            start = block * BLOCK
            stop = min(start + BLOCK, self.frontier)
            reach = STAMP_LENGTH if self.stamped else 0
            data = self._spool.read(start, stop + reach)
            known = array("H", breaks_in(data, stop - start, stamped=bool(self.stamped)))
            if len(self._visited) >= _VISITED:
                del self._visited[next(iter(self._visited))]
        self._visited[block] = known  # the one visited last stands last
        return known
