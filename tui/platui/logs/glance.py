"""Finding the next hit before all lines in front of it are known: in the bytes as they came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.long_search import is_in_line
from platui.logs.needle import finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.logs.document import Log
    from platui.logs.pattern import LinePattern

_PART: Final = 256 * 1024
"""Bytes that are looked through at once: of larger pieces, freed memory is not given back."""

_PLACES: Final = 200
"""Places that are looked at: where so many are no hits, what is sought is in stamps."""


def glimpses(log: Log, pattern: LinePattern, first: int) -> Iterator[int | None]:
    """Yield the first line from one on, and round to it, that has a pattern; None meanwhile.

    What is found is true. What is not found may be there all the same: escapes stand between
    its letters, or no words are known that it surely has.

    Raises:
        PatternError: the pattern takes too long on a line.
    """
    words = pattern.words
    if not words or (pattern.ignores_case and not words.isascii()):
        return
    lower = pattern.ignores_case and words.lower() != words.upper()
    needle = (words.lower() if lower else words).encode()
    places = 0
    for at in _places(log, needle, log.span_of(first)[0] if first else 0, lower=lower):
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


def _places(log: Log, needle: bytes, start: int, *, lower: bool) -> Iterator[int | None]:
    """Yield at which bytes a needle stands, at most once a line: from `start` on, then before.

    None says that some milliseconds' worth has been looked through.
    """
    find = finder()
    for begin, end in ((start, log.settled), (0, start)):
        byte = begin
        while byte < end:
            data = log.read(byte, min(byte + _PART, end) + len(needle) - 1)
            if lower:
                data = data.lower()
            at = find(data, needle, 0)
            while at >= 0:
                yield byte + at
                next_line = data.find(b"\n", at)
                at = find(data, needle, next_line) if next_line >= 0 else -1
            byte += _PART
            yield None
