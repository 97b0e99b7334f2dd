"""Looking through a log, or any other text, from the line one reads on and round to it again."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, overload

from platui.logs.document import Log
from platui.logs.line_search import is_in_line
from platui.logs.narrowing import Spot, is_hit
from platui.logs.search_runs import LogRun, TextRun
from platui.models.values.search import SearchState

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator

    from platui.logs.narrowing import Known
    from platui.logs.pattern import LinePattern
    from platui.logs.search_runs import SearchRun
    from platui.models.values.log import LogDocument


@lru_cache(maxsize=1)
def finder() -> Callable[[bytes, bytes, int], int]:
    """Return what finds a needle in bytes from an offset on; -1 where it is not.

    `memmem` takes a third of Python's time for digits among digits, and other threads run.
    """
    import ctypes  # noqa: PLC0415  (at the first search)

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


_PART: Final = 256 * 1024
"""Bytes that are looked through at once: of larger pieces, freed memory is not given back."""

_PLACES: Final = 200
"""Places that are looked at: where so many are no hits, what is sought is in stamps."""


def glimpses(
    log: Log, pattern: LinePattern, begin: int, ahead: Known, behind: Known
) -> Iterator[int | None]:
    """Yield the first line that matches from `begin` on, and round to it; None meanwhile.

    What is not found may be there all the same, between escapes. `ahead` and `behind` are what is
    known of the lines from `begin` on, and from the top on. Raises PatternError: it takes too long.
    """
    for known, stop in ((ahead, None), (behind, begin)):
        if known.hits:
            yield known.hits[0][0]
            return
        for line in known.candidates:
            if is_hit(log, line, pattern):
                yield line
                return
            yield None
        yield from _glimpses(log, pattern, known.stop.byte, stop)


def _glimpses(log: Log, pattern: LinePattern, begin: int, stop: int | None) -> Iterator[int | None]:
    words = pattern.words
    if not words or (pattern.ignores_case and not words.isascii()):
        return
    lower = pattern.ignores_case and words.lower() != words.upper()
    needle = (words.lower() if lower else words).encode()
    places = 0
    end = log.settled if stop is None else stop
    for at in _places(log, needle, begin, end, lower=lower):
        if at is None:
            yield None
            continue
        line = log.line_at(at)
        if line < log.line_count and is_in_line(log, line, pattern):
            yield line
            return
        places += 1
        if places == _PLACES:
            return
        yield None


def _places(log: Log, needle: bytes, start: int, stop: int, *, lower: bool) -> Iterator[int | None]:
    """Yield where a needle stands, at most once a line; None after some milliseconds' worth."""
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
    """Lines that were found: ascending, in two parts that grow at their ends."""

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
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        behind = len(self._behind)
        at = index + behind + len(self._ahead) if index < 0 else index
        if at < 0:
            raise IndexError(index)
        return self._behind[at] if at < behind else self._ahead[at - behind]

    def __iter__(self) -> Iterator[int]:
        yield from self._behind
        yield from self._ahead


class Round(NamedTuple):
    """One way through a document, and round to where it began."""

    behind: SearchRun  # From the top to the line at which the search begins
    ahead: SearchRun  # From that line on; it goes first
    glimpses: Iterator[int | None]
    """The next hit ahead of both, where it can be found fast; None for each few milliseconds."""


def round_through(
    document: LogDocument, pattern: LinePattern, start: int, before: Round | None
) -> Round:
    """Return the way through a document; `before` is an earlier search, used where possible."""
    if not isinstance(document, Log):
        return Round(TextRun(document, pattern, 0), TextRun(document, pattern, start), iter(()))
    begin = document.span_of(start)[0] if start else 0
    behind = LogRun(document, pattern, Spot(0, 0), before and before.behind)
    ahead = LogRun(document, pattern, Spot(start, begin), before and before.ahead)
    seen = glimpses(document, pattern, begin, ahead.known, behind.known)
    return Round(behind, ahead, seen)


MOST_HITS: Final = 1_000_000
"""Lines that are kept of a search; it stops there, and says so."""

_END: Final = -1  # What comes after the last glimpse

# A pause in which a thread that waits for the interpreter gets it: without one, it would
# wait for the five milliseconds after which the interpreter is taken from us.
_LET_OTHERS: Final = 0.0001


class TextSearch:
    """One pattern looked for in one document, in steps; only one thread makes a step at a time.

    It begins at a line, goes on to the end and then from the top to that line.

    Attributes:
        cancelled: set it from any thread, and a step that is under way ends soon.
        round: how it goes through the document; of use to a search that follows.
    """

    def __init__(
        self,
        document: LogDocument,
        pattern: LinePattern,
        *,
        start: int = 0,
        before: TextSearch | None = None,
    ) -> None:
        """Prepare; if `before` searched for fewer letters of the same, only its hits are tried."""
        self.cancelled = False
        self._pattern = pattern
        self._start = min(max(0, start), max(0, document.line_count - 1))
        self.round: Final[Round] = round_through(
            document, pattern, self._start, None if before is None else before.round
        )
        self._hits = Hits(self.round.behind.hits, self.round.ahead.hits)
        self._first: int | None = None
        self._is_whole = False

    def state(self) -> SearchState:
        full = len(self._hits) >= MOST_HITS
        return SearchState(
            self._pattern,
            self._hits,
            1.0 if self._is_whole or full else min(self._progress(), 0.999),
            first=self._first,
            known=((0, self.round.behind.line), (self._start, self.round.ahead.line)),
            is_full=full,
        )

    def glance(self, seconds: float = math.inf) -> bool:
        """Find the next hit in reading order if that is fast; return whether it is done.

        Pause after `seconds`. Raises PatternError: the pattern takes too long.
        """
        until = time.monotonic() + seconds
        while not self.cancelled:
            if time.monotonic() >= until:
                return False
            line = next(self.round.glimpses, _END)
            if line == _END:
                return True
            if line is not None:
                self._first = line
                return True
            if seconds == math.inf:
                time.sleep(0)
        return True

    def advance(self, seconds: float, *, ended: bool, to_first: bool = False) -> bool:
        """Go on for about so long; return whether there is anything left to look through.

        `ended` says that the last line stays as it is; `to_first` pauses at the first hit, too.
        Raises PatternError: the pattern takes too long.
        """
        until = time.monotonic() + seconds
        behind, ahead, _ = self.round
        self._is_whole = False
        while not self.cancelled and len(self._hits) < MOST_HITS:
            if not (ahead.step(None, ended=ended) or behind.step(self._start, ended=ended)):
                self._is_whole = True
                return False
            if time.monotonic() >= until or (to_first and len(self._hits)):
                return True
            time.sleep(_LET_OTHERS)
        return False

    def _progress(self) -> float:
        behind, ahead, _ = self.round
        return (ahead.done + behind.done) / ahead.total if ahead.total else 0.0
