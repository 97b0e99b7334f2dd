"""Reuse the results of an earlier search for a longer text."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.logs.cleaning import CleanLines
from platui.logs.line_search import line_matches, matches_in_block
from platui.logs.pattern import PlainPattern, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.logs.document import Log
    from platui.logs.pattern import LinePattern
    from platui.logs.search_runs import HitTexts

MOST_CANDIDATES: Final = 10_000
"""Lines up to which checking each is faster than searching the bytes again."""

_SHORT: Final = 16 * 1024  # Longest line in bytes that is checked as raw bytes

# Bytes that make the shown text differ: escapes, markers, continuations, non-ASCII.
_NOT_AS_SHOWN: Final = re.compile(rb"[^ -~]|section_")


class Spot(NamedTuple):
    """The beginning of a line, or of the next line to come."""

    line: int
    byte: int


class Known(NamedTuple):
    """Results that cover all lines before `stop`."""

    hits: Sequence[tuple[int, bytes]]  # Matching lines and their texts, before the candidates
    candidates: Sequence[int]  # Lines to check
    stop: Spot


def reuse_hits(
    first: Spot, stop: Spot, found: Sequence[int], texts: HitTexts, pattern: LinePattern
) -> Known:
    """Reuse the results of a wider search; empty if there are too many lines."""
    count = bisect_left(found, stop.line)
    if count > MOST_CANDIDATES:
        return Known((), (), first)
    known = texts.first(count)
    block = CleanLines(b"\n".join(known), len(known))
    numbers = matches_in_block(pattern, block, stamped=False)
    hits = [(found[number], known[number]) for number in numbers]
    return Known(hits, found[len(known) : count], stop)


def narrows(pattern: LinePattern, wider: LinePattern) -> bool:
    """Return whether every match of a pattern certainly matches the wider one."""
    if not isinstance(pattern, PlainPattern) or not isinstance(wider, PlainPattern):
        return False
    if wider.ignores_case:
        return wider.needle in fold(pattern.needle)
    return not pattern.ignores_case and wider.needle in pattern.needle


def is_hit(log: Log, line: int, pattern: LinePattern) -> bool:
    """Return whether a candidate matches. Raises PatternError: the pattern is too slow."""
    words = pattern.words
    start, end = log.span_of(line)
    if end - start <= _SHORT and words.isascii():
        data = log.read(start, end)
        if not _NOT_AS_SHOWN.search(data):
            text = data.lower() if pattern.ignores_case else data
            if words.encode() not in text:
                return False
    return line_matches(log, line, pattern)


def text_of(log: Log, line: int) -> bytes | None:
    """Return the clean text of a line as UTF-8; None if it is long."""
    start, end = log.span_of(line)
    if end - start > _SHORT:
        return None
    return "".join(span.text for spans in log.whole(line) for span in spans).encode()
