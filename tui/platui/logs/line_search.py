"""Search one line of any length, and blocks of lines."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from platui.core.errors import PatternError
from platui.logs.cleaning import CleanLines, foreign_lines
from platui.logs.pattern import TOO_SLOW, LinePattern, PlainPattern, RegexPattern
from platui.logs.stamps import stamp_length, strip_stamps

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument


STRETCH: Final = 1024 * 1024  # Characters matched at once
_PIECES: Final = 16  # Pieces read per step: a few milliseconds


def search_line(document: LogDocument, line: int, pattern: LinePattern) -> Iterator[bool | None]:
    """Search a line; yield None in between, then whether it matches. Raises PatternError."""
    held: list[str] = []
    goes_on = False
    for number, spans in enumerate(document.whole(line), 1):
        held.append("".join(span.text for span in spans))
        if number % _PIECES:
            continue
        if sum(map(len, held)) >= STRETCH:
            text = "".join(held)
            if pattern.found_in(text, goes_on=goes_on):
                yield True
                return
            goes_on = True
            held = [text[-pattern.reach :]]
        yield None
    yield pattern.found_in("".join(held), goes_on=goes_on)


def line_matches(document: LogDocument, line: int, pattern: LinePattern) -> bool:
    """Return whether a line matches. Raises PatternError: the pattern is too slow."""
    return any(search_line(document, line, pattern))


def text_around_match(document: LogDocument, line: int, pattern: LinePattern, most: int) -> str:
    """Return at most `most` characters of a line, including the first match."""
    held, is_first = "", True
    for spans in document.whole(line):
        text = held + "".join(span.text for span in spans)
        if found := pattern.ranges(text):
            start, end = found[0]
            if is_first and end <= most:
                return text[:most]
            return "…" + text[max(0, start - most // 4) :][: most - 1]
        is_first = is_first and len(text) < most
        held = text[-most:]
    return document.text(line)[:most]


_PATIENCE: Final = 2.0  # Seconds per block before the pattern counts as too slow
_CLOCK_INTERVAL: Final = 16  # Lines between checks of the clock


def matching(pattern: LinePattern, lines: Iterable[str]) -> Iterator[int]:
    """Yield indexes of matching lines. Raises PatternError: the pattern is too slow."""
    until = time.monotonic() + _PATIENCE
    for number, line in enumerate(lines):
        if pattern.found_in(line):
            yield number
        if not number % _CLOCK_INTERVAL and time.monotonic() > until:
            raise PatternError(TOO_SLOW, hint="Use a simpler pattern.")


def matches_in_block(pattern: LinePattern, block: CleanLines, *, stamped: bool) -> Iterator[int]:
    """Yield indexes of matching lines of a block. Raises PatternError: the pattern is too slow."""
    if not block.line_count:
        return
    if isinstance(pattern, PlainPattern) and pattern.needle.isascii():
        needle = pattern.needle.encode()
        lower = pattern.ignores_case and needle != needle.upper()  # digits have no case
        yield from _lines_with(needle, block.data, lower=lower, stamped=stamped)
        return
    data = strip_stamps(block.data) if stamped else block.data
    if isinstance(pattern, PlainPattern):
        # The needle has a character outside ASCII: only lines with one can match.
        lines = data.split(b"\n")
        for number in foreign_lines(data):
            if pattern.found_in(lines[number].decode("utf-8", "replace")):
                yield number
        return
    text = data.decode("utf-8", "replace")
    if not isinstance(pattern, RegexPattern) or pattern.may_match(text):
        yield from matching(pattern, text.split("\n"))


def _lines_with(needle: bytes, lines: bytes, *, lower: bool, stamped: bool) -> Iterator[int]:
    data = lines.lower() if lower else lines
    number = counted = 0
    at = data.find(needle)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        text = start + (stamp_length(lines, start) if stamped else 0)
        if at >= text:
            number += data.count(b"\n", counted, start)
            counted = start
            yield number
            text = data.find(b"\n", at)
            if text < 0:
                return
        at = data.find(needle, text)
