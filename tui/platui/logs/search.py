"""Search a document from the current line to its end, and then from its top."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, overload

from platui.logs.document import Log
from platui.logs.line_search import search_line
from platui.logs.search_runs import Known, LogRun, SearchRun, Spot, TextRun, is_hit
from platui.models.values.search import SearchState

if TYPE_CHECKING:
    from array import array

    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument


@lru_cache(maxsize=1)
def finder() -> Callable[[bytes, bytes, int], int]:
    """Return a function that finds bytes; `memmem` is fast for digits and releases the GIL."""
    import ctypes  # noqa: PLC0415  (only searches need it)

    try:
        memmem = ctypes.CDLL(None).memmem
    except (OSError, AttributeError):
        return bytes.find
    memmem.restype = ctypes.c_void_p
    memmem.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t)

    def find(data: bytes, needle: bytes, start: int) -> int:
        address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
        start = min(start, len(data))
        size = len(data) - start
        found = memmem(address + start, size, ctypes.c_char_p(needle), len(needle))
        return -1 if found is None else int(found) - address

    return find


_PART: Final = 256 * 1024  # Bytes searched at once; larger buffers are not returned to the system
_PLACES: Final = 200  # Most false positions to check: beyond that, matches are in stamps


def quick_hits(
    log: Log, pattern: LinePattern, begin: int, ahead: Known, behind: Known
) -> Iterator[int | None]:
    """Yield the first line found from `begin` on, then from the top, by quick incomplete search."""
    for known, stop in ((ahead, log.settled), (behind, begin)):
        if known.hits:
            yield known.hits[0][0]
            return
        for line in known.candidates:
            if is_hit(log, line, pattern):
                yield line
                return
            yield None
        yield from _quick_hits(log, pattern, known.stop.byte, stop)


def _quick_hits(log: Log, pattern: LinePattern, begin: int, stop: int) -> Iterator[int | None]:
    words = pattern.words
    if not words or (pattern.ignores_case and not words.isascii()):
        return
    lower = pattern.ignores_case and words.lower() != words.upper()
    needle = (words.lower() if lower else words).encode()
    places, tried = 0, -1
    for at in _places(log, needle, begin, stop, lower=lower):
        if at is None:
            yield None
            continue
        line = log.line_at(at)
        if line == tried:  # a long line has several places
            continue
        tried = line
        for found in search_line(log, line, pattern) if line < log.line_count else ():
            if found:
                yield line
                return
            if found is None:
                yield None
        places += 1
        if places == _PLACES:
            return
        yield None


def _places(log: Log, needle: bytes, start: int, stop: int, *, lower: bool) -> Iterator[int | None]:
    """Yield offsets of a needle, at most one per line; None every few milliseconds."""
    find = finder()
    for byte in range(start, stop, _PART):
        data = log.read(byte, min(byte + _PART, stop) + len(needle) - 1)
        if lower:
            data = data.lower()
        at = find(data, needle, 0)
        while at >= 0:
            yield byte + at
            next_line = data.find(b"\n", at)
            at = find(data, needle, next_line) if next_line >= 0 else -1
        yield None


class Hits(Sequence[int]):
    """Matching lines in ascending order, in two parts that grow at their ends."""

    def __init__(self, behind: array[int], ahead: array[int]) -> None:
        self._behind = behind
        self._ahead = ahead

    def __len__(self) -> int:
        return len(self._behind) + len(self._ahead)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...

    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        at = range(len(self))[index]
        if isinstance(at, range):
            return [self[one] for one in at]
        behind = len(self._behind)
        return self._behind[at] if at < behind else self._ahead[at - behind]

    def __iter__(self) -> Iterator[int]:
        yield from self._behind
        yield from self._ahead


MOST_HITS: Final = 1_000_000  # Most matching lines; the search stops there

_END: Final = -1  # Marks the end of the quick search

# A pause that hands the GIL to waiting threads; without it they wait for the switch
# interval of 5 ms.
_GIL_PAUSE: Final = 0.0001


class TextSearch:
    """A search from a line to the end, then from the top, by one thread at a time."""

    def __init__(
        self,
        document: LogDocument,
        pattern: LinePattern,
        *,
        start: int = 0,
        before: TextSearch | None = None,
    ) -> None:
        """Prepare; an earlier search for a shorter text (`before`) narrows the lines to check."""
        self.cancelled = False  # set from any thread to end the running step soon
        self._pattern = pattern
        self._start = min(max(0, start), max(0, document.line_count - 1))
        self.behind: SearchRun  # From the top to the first line
        self.ahead: SearchRun  # From the first line on; runs first
        self._quick_hits: Iterator[int | None] = iter(())
        if isinstance(document, Log):
            begin = document.span_of(self._start)[0] if self._start else 0
            old = (None, None) if before is None else (before.behind, before.ahead)
            behind = LogRun(document, pattern, Spot(0, 0), old[0])
            ahead = LogRun(document, pattern, Spot(self._start, begin), old[1])
            self._quick_hits = quick_hits(document, pattern, begin, ahead.known, behind.known)
            self.behind, self.ahead = behind, ahead
        else:
            self.behind = TextRun(document, pattern, 0)
            self.ahead = TextRun(document, pattern, self._start)
        self._hits = Hits(self.behind.hits, self.ahead.hits)
        self._first: int | None = None
        self._is_whole = False

    def state(self) -> SearchState:
        full = len(self._hits) >= MOST_HITS
        share = self.ahead.share + self.behind.share
        return SearchState(
            self._pattern,
            self._hits,
            1.0 if self._is_whole or full else min(share, 0.999),
            first=self._first,
            known=((0, self.behind.line), (self._start, self.ahead.line)),
            is_full=full,
        )

    def glance(self, seconds: float = math.inf) -> bool:
        """Find the next match by quick search; return whether it is done. Raises PatternError."""
        until = time.monotonic() + seconds
        while not self.cancelled:
            if time.monotonic() >= until:
                return False
            line = next(self._quick_hits, _END)
            if line is not None:
                self._first = None if line == _END else line
                return True
            if seconds == math.inf:
                time.sleep(0)
        return True

    def advance(self, seconds: float, *, ended: bool, to_first: bool = False) -> bool:
        """Search; return whether lines are left; `to_first`: stop at a hit. Raises PatternError."""
        until = time.monotonic() + seconds
        behind, ahead = self.behind, self.ahead
        self._is_whole = False
        while not self.cancelled and len(self._hits) < MOST_HITS:
            if not (ahead.step(None, ended=ended) or behind.step(self._start, ended=ended)):
                self._is_whole = True
                return False
            if time.monotonic() >= until or (to_first and len(self._hits)):
                return True
            time.sleep(_GIL_PAUSE)
        return False
