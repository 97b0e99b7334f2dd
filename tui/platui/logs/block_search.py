"""Which of many clean lines have a pattern."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from platui.core.errors import PatternError
from platui.logs.cleaning import foreign_lines
from platui.logs.pattern import NEVER_ENDS, PlainPattern, RegexPattern
from platui.logs.stamps import stamp_length, without_stamps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from platui.logs.cleaning import CleanLines
    from platui.logs.pattern import LinePattern

_PATIENCE: Final = 2.0
"""Seconds that a block may take before its pattern counts as one that never ends."""

_LOOK_AT_CLOCK: Final = 16
"""Lines after which the time is looked at."""


def matching(pattern: LinePattern, lines: Iterable[str]) -> Iterator[int]:
    """Yield which lines have a pattern, counted from 0.

    Raises:
        PatternError: it takes too long.
    """
    until = time.monotonic() + _PATIENCE
    for number, line in enumerate(lines):
        if pattern.found_in(line):
            yield number
        if not number % _LOOK_AT_CLOCK and time.monotonic() > until:
            raise PatternError(NEVER_ENDS, hint="Make it simpler.")


def found_in_block(pattern: LinePattern, block: CleanLines, *, stamped: bool) -> Iterator[int]:
    """Yield which lines of a block have a pattern, counted from 0.

    Raises:
        PatternError: it takes too long.
    """
    if not block.line_count:
        return
    if isinstance(pattern, PlainPattern) and pattern.needle.isascii():
        needle = pattern.needle.encode()
        lower = pattern.ignores_case and needle != needle.upper()  # digits have no capitals
        yield from _lines_with(needle, block.data, lower=lower, stamped=stamped)
        return
    data = without_stamps(block.data) if stamped else block.data
    if isinstance(pattern, PlainPattern):
        # It has a character outside ASCII, and so has a line that has it.
        lines = data.split(b"\n")
        for number in foreign_lines(data):
            if pattern.found_in(lines[number].decode("utf-8", "replace")):
                yield number
        return
    text = data.decode("utf-8", "replace")
    if not isinstance(pattern, RegexPattern) or pattern.may_be_in(text):
        yield from matching(pattern, text.split("\n"))


def _lines_with(needle: bytes, lines: bytes, *, lower: bool, stamped: bool) -> Iterator[int]:
    """Yield which lines have a needle behind their stamps."""
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
