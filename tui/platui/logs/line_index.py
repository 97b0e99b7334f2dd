"""Index the lines of a log with a few bytes per 64 KB."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.logs.stamps import (
    STAMP_LENGTH,
    continuations,
    continues,
    may_become_stamp,
    starts_stamped,
)

if TYPE_CHECKING:
    from platui.logs.spool import LogSpool

BLOCK: Final = 64 * 1024

SCAN_BYTES: Final = 4 * BLOCK  # Bytes per step: less than a millisecond, and cached by the CPU

BEFORE: Final = 64  # Bytes reread before new ones, so that nothing split in two is missed

UNDONE: Final = 0  # Byte in place of a line break that a stamp undoes

_VISITED: Final = 64


def count_breaks(data: bytes, start: int, stop: int) -> int:
    piece = data[start:stop]
    # `replace` jumps from break to break; `count` checks every byte, which is half as fast
    # for lines of the usual length.
    return len(piece) - len(piece.replace(b"\n", b""))


class IndexedChunk(NamedTuple):
    """The next bytes of a log with their line counts, not yet in the index."""

    data: bytes  # With `BEFORE` bytes before, and enough after to decide on the last break
    undone: list[int]  # Offsets in `data` of `UNDONE` line breaks
    offset: int  # Byte of the log where `data` begins
    start: int  # First new byte of the log
    stop: int  # Byte after the last
    line: int  # Number of the line of `start`
    line_start: int  # First byte of that line
    open_start: int  # First byte of the incomplete line
    counts: list[tuple[int, int, int]]  # Block numbers, ends of the blocks, lines that end there


class LineIndex:
    """Logical lines of a spool: line breaks undone by a `+` stamp do not count. Not thread-safe."""

    def __init__(self, spool: LogSpool, *, stamped: bool | None = None) -> None:
        self.stamped = stamped  # None until the first line is known
        self.frontier = 0  # byte up to which line breaks are known
        self.open_start = 0  # first byte of the incomplete line
        self._spool = spool
        self._totals = array("Q")  # line breaks up to the end of each block
        self._visited: dict[int, array[int]] = {}

    @property
    def line_count(self) -> int:
        return self._totals[-1] if self._totals else 0

    @property
    def ends_with_break(self) -> bool:
        """Return whether a line break follows that only a stamp may undo: it is not counted yet."""
        return self._spool.read(self.frontier, self.frontier + 1) == b"\n"

    def prepare(self, *, final: bool = False) -> IndexedChunk | None:
        """Count the lines of the next slice; None if there is none."""
        size = self._spool.size
        if self.stamped is None:
            self.stamped = starts_stamped(self._spool.read(0, STAMP_LENGTH))
            if self.stamped is None and not final:
                return None
        stop = self._undecided(size) if self.stamped and not final else size
        if self.frontier >= stop:
            return None
        stop = min((self.frontier // BLOCK) * BLOCK + SCAN_BYTES, stop)
        offset = max(0, self.frontier - BEFORE)
        data, undone = self._read(offset, stop)
        counts: list[tuple[int, int, int]] = []
        at = self.frontier
        while at < stop:
            block = at // BLOCK
            end = min(stop, (block + 1) * BLOCK)
            counts.append((block, end, count_breaks(data, at - offset, end - offset)))
            at = end
        last = offset + data.rfind(b"\n", 0, stop - offset)
        open_start = last + 1 if last >= self.frontier else self.open_start
        return IndexedChunk(
            data, undone, offset, self.frontier, stop,
            self.line_count, self.open_start, open_start, counts,
        )  # fmt: skip

    def enter(self, intake: IndexedChunk) -> None:
        for block, _, count in intake.counts:
            self._count(block, count)
        self.frontier, self.open_start = intake.stop, intake.open_start

    def span_of(self, line: int) -> tuple[int, int]:
        count = self.line_count
        if not 0 <= line <= count:
            raise IndexError(line)
        start = self._break(line - 1) + 1 if line else 0
        return start, max(start, self._break(line) if line < count else self.frontier)

    def line_at(self, byte: int) -> int:
        if byte >= self.open_start:
            return self.line_count
        block = byte // BLOCK
        return self._before(block) + bisect_left(self._breaks(block), byte - block * BLOCK)

    def undoes_break(self, data: bytes) -> bool:
        """Return whether following bytes undo the last break, which was final without them."""
        if not self.stamped or not self.open_start:
            return False
        at = self.open_start - 1
        return continues(self._spool.read(at, at + 1 + STAMP_LENGTH) + data[:STAMP_LENGTH], 0)

    def _undecided(self, size: int) -> int:
        """Return the last line break if a stamp may still undo it, else the end."""
        start = max(self.frontier, size - STAMP_LENGTH)
        tail = self._spool.read(start, size)
        at = tail.rfind(b"\n")
        return start + at if at >= 0 and may_become_stamp(tail[at + 1 :]) else size

    def _read(self, start: int, stop: int) -> tuple[bytes, list[int]]:
        """Return bytes of the spool, and the offsets in them of `UNDONE` breaks."""
        if not self.stamped:
            return self._spool.read(start, stop), []
        # A stamp after the end may undo the last break.
        data = self._spool.read(start, stop + STAMP_LENGTH)
        undone = continuations(data)
        if undone:
            changed = bytearray(data)
            for at in undone:
                changed[at] = UNDONE
            data = bytes(changed)
        return data, undone

    def _count(self, block: int, count: int) -> None:
        if block == len(self._totals):
            self._totals.append(self.line_count)
        if count:
            self._totals[block] += count
            self._visited.pop(block, None)

    def _break(self, number: int) -> int:
        block = bisect_right(self._totals, number)
        before = self._before(block)
        breaks = self._breaks(block)
        # Fewer than counted: another program has overwritten the underlying file.
        within = breaks[number - before] if number - before < len(breaks) else BLOCK - 1
        return block * BLOCK + within

    def _before(self, block: int) -> int:
        return self._totals[block - 1] if block else 0

    def _breaks(self, block: int) -> array[int]:
        known = self._visited.pop(block, None)
        if known is None:
            start = block * BLOCK
            stop = min(start + BLOCK, self.frontier)
            data, _ = self._read(start, stop)
            known = array("H")
            at = -1
            for piece in data[: stop - start].split(b"\n")[:-1]:
                at += len(piece) + 1
                known.append(at)
            if len(self._visited) >= _VISITED:
                del self._visited[next(iter(self._visited))]
        self._visited[block] = known  # most recently used last
        return known
