"""Search the bytes of a log, or any text line by line; reuse results for a longer text."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.logs.cleaning import CleanLines, CleanReader
from platui.logs.line_search import line_matches, matches_in_block, matching, search_line
from platui.logs.pattern import LinePattern, PlainPattern, fold
from platui.logs.stamps import stamp_length

if TYPE_CHECKING:
    from platui.logs.document import Log
    from platui.models.values.log import LogDocument


MOST_BYTES: Final = 512 * 1024  # Searched in less than a millisecond; usually thousands of lines


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


_CANDIDATES_AT_ONCE: Final = 50


class LogRun:
    """Searches a log from a line on; `hits` ascend, `known` are results of an earlier search."""

    def __init__(
        self, log: Log, pattern: LinePattern, begin: Spot, before: SearchRun | None = None
    ) -> None:
        self.known = Known((), (), begin)
        if isinstance(before, LogRun):
            self.known = before.reusable_hits(log, pattern, begin) or self.known
        self.hits = array("I", (line for line, _ in self.known.hits))
        self._log = log
        self._pattern = pattern
        self._begin = begin
        self._candidates = deque(self.known.candidates)
        self._reader = CleanReader(log, *self.known.stop)
        # Clean texts of the first hits, as long as there is room.
        self._texts: list[bytes] = []
        self._room = MOST_BYTES
        for _, text in self.known.hits:
            self._keep(text)
        # All hits up to here are final.
        self._sure = begin if self._candidates else self.known.stop
        self._last = -1  # Last line of a completed log, which was searched without line break
        self._last_is_hit = False
        self._long: Iterator[bool | None] | None = None
        """The search in the current line, if it is too long for one step."""
        self._long_line = -1

    @property
    def line(self) -> int:
        """Return the next line to search."""
        if self._candidates:
            return self._candidates[0]
        return max(self._reader.line - (self._long is not None), self._last + 1)

    @property
    def share(self) -> float:
        """Return how much of the document is searched, 0 to 1."""
        return (self._reader.byte - self._begin.byte) / max(1, self._log.settled)

    def reusable_hits(self, log: Log, pattern: LinePattern, begin: Spot) -> Known | None:
        """Return results for a run with a narrower pattern; None if they do not apply."""
        if log is not self._log or begin != self._begin or not narrows(pattern, self._pattern):
            return None
        # Read `_sure` first: another thread may continue, and hits up to it are complete.
        sure = self._sure
        count = bisect_left(self.hits, sure.line)
        if count > MOST_CANDIDATES:
            return None
        known = self._texts[:count]
        block = CleanLines(b"\n".join(known), len(known))
        numbers = matches_in_block(pattern, block, stamped=False)
        hits = [(self.hits[number], known[number]) for number in numbers]
        return Known(hits, self.hits[len(known) : count], sure)

    def step(self, stop: int | None, *, ended: bool) -> bool:
        """Search lines before `stop`; return False if none is left. Raises PatternError."""
        is_more = self._step(stop, ended=ended)
        if not self._candidates and self._long is None:
            self._sure = Spot(self._reader.line, self._reader.byte)
        return is_more

    def _step(self, stop: int | None, *, ended: bool) -> bool:
        if self._candidates:
            self._try_candidates()
            return True
        if self._long is not None:
            self._step_in_long_line(self._long)
            return True
        log, first = self._log, self._reader.line
        end = log.settled if stop is None else log.span_of(stop)[0] if stop else 0
        block = self._reader.read(end)
        if block is not None and block.long is not None:
            self._begin_long_line(block.long)
            return True
        if block is not None:
            self._take(first, block)
            return True
        if stop is None and ended and self._last < first < log.line_count:
            self._last, self._last_is_hit = first, False
            self._begin_long_line(first)
            return True
        return False

    def _try_candidates(self) -> None:
        for _ in range(min(len(self._candidates), _CANDIDATES_AT_ONCE)):
            line = self._candidates[0]
            if is_hit(self._log, line, self._pattern):
                self.hits.append(line)
                if self._room > 0:
                    self._keep(text_of(self._log, line))
            self._candidates.popleft()

    def _take(self, first: int, block: CleanLines) -> None:
        stamped = self._log.has_timestamps
        found = matches_in_block(self._pattern, block, stamped=stamped)
        # A completed log that grew has its last line already among the hits.
        known = self._last - first if self._last_is_hit else -1
        new = [number for number in found if number != known]
        self.hits.extend(first + number for number in new)
        if new and self._room > 0:
            lines = block.data.split(b"\n")
            for number in new:
                line = lines[number]
                self._keep(line[stamp_length(line, 0) :] if stamped else line)

    def _keep(self, text: bytes | None) -> None:
        """Keep the text of the next hit as UTF-8 without stamp; None: it is too long."""
        self._room -= MOST_BYTES if text is None else len(text)
        if text is not None and self._room > 0:
            self._texts.append(text)

    def _begin_long_line(self, line: int) -> None:
        self._long_line = line
        self._long = search_line(self._log, line, self._pattern)

    def _step_in_long_line(self, steps: Iterator[bool | None]) -> None:
        is_found = next(steps)
        if is_found is None:
            return
        self._long = None
        is_last = self._long_line == self._last
        if is_found and not (is_last and self._last_is_hit):
            self.hits.append(self._long_line)
            self._keep(None)
        self._last_is_hit = is_found if is_last else self._last_is_hit


_AT_ONCE: Final = 500  # Lines per step


class TextRun:
    def __init__(self, document: LogDocument, pattern: LinePattern, line: int) -> None:
        self.hits = array("I")
        self._document = document
        self._pattern = pattern
        self.line = self._begin = line

    @property
    def share(self) -> float:
        return (self.line - self._begin) / max(1, self._document.line_count)

    def step(self, stop: int | None, *, ended: bool) -> bool:
        if stop is None:
            stop = self._document.line_count - (not ended)
        first, end = self.line, min(stop, self.line + _AT_ONCE)
        if first >= end:
            return False
        texts = (self._document.text(line) for line in range(first, end))
        self.hits.extend(first + number for number in matching(self._pattern, texts))
        self.line = end
        return True


SearchRun = LogRun | TextRun
