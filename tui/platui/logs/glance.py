"""Finding the next hit before all lines in front of it are known: in the bytes as they came."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.logs.line_search import is_in_line
from platui.logs.narrowing import is_hit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from platui.logs.document import Log
    from platui.logs.narrowing import Known
    from platui.logs.pattern import LinePattern


@lru_cache(maxsize=1)
def finder() -> Callable[[bytes, bytes, int], int]:
    """Return what finds a needle in bytes, from an offset on; -1 where it is not.

    The C library's `memmem` takes a third of the time of Python's own for digits among digits,
    and other threads run meanwhile.
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
    """Yield the first line from a place on, and round to it, that has a pattern; None meanwhile.

    What is found is true. What is not found may be there all the same: escapes stand between its
    letters, or no words are known that it surely has. `ahead` and `behind` are what is known of the
    lines from `begin` on, and from the top on. Raises PatternError: the pattern takes too long on a
    line.
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
    """Yield at which bytes from one to another a needle stands, at most once a line.

    None says that some milliseconds' worth has been looked through.
    """
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
