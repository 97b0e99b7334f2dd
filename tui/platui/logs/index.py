"""Where the lines are, at the cost of a few bytes per 64 KB of log."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from platui.logs.stamps import (
    STAMP_LENGTH,
    continuations,
    may_become_stamp,
    starts_stamped,
)

if TYPE_CHECKING:
    from platui.logs.spool import LogSpool

BLOCK: Final = 64 * 1024

SLICE: Final = 16 * BLOCK
"""Bytes that are read at once: counting them takes about a millisecond."""

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
    stream into pieces gives the same lines. Whoever uses it from several threads sees to it
    that they take turns.

    Attributes:
        stamped: whether every line begins with a stamp; None until the first line tells.
        frontier: the byte up to which it is known where lines end.
        open_start: where the line begins that has no end yet.
    """

    def __init__(self, spool: LogSpool, *, stamped: bool | None = None) -> None:
        self.stamped = stamped
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
        while self.step(final=final):
            pass

    def step(self, *, final: bool = False) -> bool:
        """Take in at most a slice of it; return whether there is more."""
        size = self._spool.size
        if self.stamped is None:
            known = starts_stamped(self._spool.read(0, STAMP_LENGTH))
            if known is None and not final:
                return False
            self.stamped = known or False
        stop = self._undecided(size) if self.stamped and not final else size
        if self.frontier < stop:
            self._take(min((self.frontier // BLOCK) * BLOCK + SLICE, stop))
        return self.frontier < stop

    def span_of(self, line: int) -> tuple[int, int]:
        """Return where a line starts and ends; the number after the last is the open line.

        Raises:
            IndexError: there is no such line.
        """
        count = self.line_count
        if not 0 <= line <= count:
            raise IndexError(line)
        start = self._break(line - 1) + 1 if line else 0
        return start, max(start, self._break(line) if line < count else self.frontier)

    def line_at(self, byte: int) -> int:
        """Return the line that a byte belongs to; a line break belongs to the line it ends."""
        if byte >= self.open_start:
            return self.line_count
        block = byte // BLOCK
        before = self._totals[block - 1] if block else 0
        return before + bisect_left(self._breaks(block), byte - block * BLOCK)

    def _undecided(self, size: int) -> int:
        """Return the line break of which it is not yet known whether a stamp undoes it.

        Only the last one can be: the beginning of a stamp holds no line break.
        """
        start = max(self.frontier, size - STAMP_LENGTH)
        tail = self._spool.read(start, size)
        at = tail.rfind(b"\n")
        return start + at if at >= 0 and may_become_stamp(tail[at + 1 :]) else size

    def _take(self, stop: int) -> None:
        """Count the breaks from the frontier to `stop`, block by block."""
        start, length = self.frontier, stop - self.frontier
        data = self._read(start, stop)
        undone = [at for at in continuations(data) if at < length] if self.stamped else []
        at = 0
        while at < length:
            block = (start + at) // BLOCK
            end = min(length, (block + 1) * BLOCK - start)
            count = data.count(b"\n", at, end)
            if undone:
                count -= bisect_left(undone, end) - bisect_left(undone, at)
            self._count(block, count)
            at = end
        last = _last_break(data, length, undone)
        if last >= 0:
            self.open_start = start + last + 1
        self.frontier = stop

    def _count(self, block: int, count: int) -> None:
        if block == len(self._totals):
            self._totals.append(self.line_count)
        if count:
            self._totals[block] += count
            self._visited.pop(block, None)

    def _read(self, start: int, stop: int) -> bytes:
        """Return bytes up to `stop`, and those that tell whether a stamp undoes a break."""
        return self._spool.read(start, stop + (STAMP_LENGTH if self.stamped else 0))

    def _break(self, number: int) -> int:
        """Return where the break of that number is, counted from 0."""
        block = bisect_right(self._totals, number)
        before = self._totals[block - 1] if block else 0
        breaks = self._breaks(block)
        # Fewer than were counted: somebody has overwritten the file that this is read from.
        within = breaks[number - before] if number - before < len(breaks) else BLOCK - 1
        return block * BLOCK + within

    def _breaks(self, block: int) -> array[int]:
        known = self._visited.pop(block, None)
        if known is None:
            start = block * BLOCK
            stop = min(start + BLOCK, self.frontier)
            data = self._read(start, stop)
            known = array("H", breaks_in(data, stop - start, stamped=bool(self.stamped)))
            if len(self._visited) >= _VISITED:
                del self._visited[next(iter(self._visited))]
        self._visited[block] = known  # the one visited last stands last
        return known


def _last_break(data: bytes, stop: int, undone: list[int]) -> int:
    """Return where the last break before `stop` is that counts; -1 where there is none."""
    at = data.rfind(b"\n", 0, stop)
    number = len(undone)
    while at >= 0 and number and undone[number - 1] == at:
        number -= 1
        at = data.rfind(b"\n", 0, at)
    return at
