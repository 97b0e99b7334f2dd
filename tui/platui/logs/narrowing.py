"""What a search knows already of one for more letters: the lines that may have them."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.logs.cleaning import CleanLines
from platui.logs.line_search import found_in_block, is_in_line
from platui.logs.pattern import PlainPattern, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.logs.document import Log
    from platui.logs.pattern import LinePattern
    from platui.logs.search_runs import FoundTexts

MOST_CANDIDATES: Final = 10_000
"""Lines up to which it is faster to try each than to look through the bytes anew."""

_SHORT: Final = 16 * 1024
"""Bytes of a line up to which a look at them is worth it."""

_NOT_AS_SHOWN: Final = re.compile(rb"[^ -~]|section_")
"""What makes of bytes another text: escapes, markers, continuations, letters outside ASCII."""


class Spot(NamedTuple):
    """Where a line begins, or where the one that comes next will."""

    line: int
    byte: int


class Known(NamedTuple):
    """What is known of lines that follow each other: no others among them can be hits."""

    hits: Sequence[tuple[int, bytes]]
    """Lines that are, each with its text; they come before the candidates."""
    candidates: Sequence[int]  # Lines that are to be tried
    stop: Spot  # Up to where that is known


def known_from(
    first: Spot, stop: Spot, found: Sequence[int], texts: FoundTexts, pattern: LinePattern
) -> Known:
    """Return what a wider search tells one for a pattern: nothing where that is too many lines."""
    count = bisect_left(found, stop.line)
    if count > MOST_CANDIDATES:
        return Known((), (), first)
    known = texts.first(count)
    block = CleanLines(b"\n".join(known), len(known))
    numbers = found_in_block(pattern, block, stamped=False)
    hits = [(found[number], known[number]) for number in numbers]
    return Known(hits, found[len(known) : count], stop)


def narrows(pattern: LinePattern, wider: LinePattern) -> bool:
    """Return whether every line that has a pattern surely has the wider one, too."""
    if not isinstance(pattern, PlainPattern) or not isinstance(wider, PlainPattern):
        return False
    if wider.ignores_case:
        return wider.needle in fold(pattern.needle)
    return not pattern.ignores_case and wider.needle in pattern.needle


def is_hit(log: Log, line: int, pattern: LinePattern) -> bool:
    """Return whether a candidate matches. Raises PatternError: it takes too long."""
    words = pattern.words
    start, end = log.span_of(line)
    if end - start <= _SHORT and words.isascii():
        data = log.read(start, end)
        if not _NOT_AS_SHOWN.search(data):
            text = data.lower() if pattern.ignores_case else data
            if words.encode() not in text:
                return False
    return is_in_line(log, line, pattern)


def text_of(log: Log, line: int) -> bytes | None:
    """Return the clean text of a line as UTF-8; None where it is long."""
    start, end = log.span_of(line)
    if end - start > _SHORT:
        return None
    return "".join(span.text for spans in log.whole(line) for span in spans).encode()
