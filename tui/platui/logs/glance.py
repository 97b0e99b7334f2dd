"""Finding the next hit before all lines in front of it are known: in the bytes as they came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.long_search import is_in_line
from platui.logs.narrowing import is_hit
from platui.logs.needle import finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.logs.document import Log
    from platui.logs.narrowing import Known
    from platui.logs.pattern import LinePattern

_PART: Final = 256 * 1024
"""Bytes that are looked through at once: of larger pieces, freed memory is not given back."""

_PLACES: Final = 200
"""Places that are looked at: where so many are no hits, what is sought is in stamps."""


def glimpses(
    log: Log, pattern: LinePattern, begin: int, ahead: Known, behind: Known
) -> Iterator[int | None]:
    """Yield the first line from a place on, and round to it, that has a pattern; None meanwhile.

    What is found is true. What is not found may be there all the same: escapes stand between
    its letters, or no words are known that it surely has.

    Args:
        log: what is looked through.
        pattern: what for.
        begin: the byte to begin at, where a line begins.
        ahead: what is known already of the lines from that one on.
        behind: the same of those from the top on.

    Raises:
        PatternError: the pattern takes too long on a line.
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
    """Yield the lines from a byte to another, or to the end, that are seen to have a pattern."""
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
