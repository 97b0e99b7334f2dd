"""Search the bytes of a log, or any text line by line."""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from platui.logs.cleaning import CleanReader
from platui.logs.line_search import LongLineSearch, matches_in_block, matching
from platui.logs.narrowing import Known, Spot, is_hit, narrows, reuse_hits, text_of
from platui.logs.stamps import stamp_length

if TYPE_CHECKING:
    from platui.logs.cleaning import CleanLines
    from platui.logs.document import Log
    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument


MOST_BYTES: Final = 512 * 1024  # Searched in less than a millisecond; usually thousands of lines


class HitTexts:
    """Clean texts of the first matching lines, until `is_full`; one thread adds, others read."""

    def __init__(self) -> None:
        self._texts: list[bytes] = []
        self._size = 0
        self.is_full = False

    def add(self, text: bytes | None) -> None:
        """Store the text of the next line as UTF-8 without stamp; None: it is too long."""
        if text is None or self._size + len(text) >= MOST_BYTES:
            self.is_full = True
        if text is None or self.is_full:
            return
        self._texts.append(text)
        self._size += len(text)

    def first(self, most: int) -> list[bytes]:
        return self._texts[:most]


class SearchRun(Protocol):
    """A search from a line on, in steps of a few milliseconds; `hits` ascend."""

    hits: array[int]

    @property
    def line(self) -> int:
        """Return the next line to search."""

    @property
    def done(self) -> int:
        """Return how much of the document is searched."""

    @property
    def total(self) -> int:
        """Return the size of the document in the unit of `done`."""

    def step(self, stop: int | None, *, ended: bool) -> bool:
        """Search lines before `stop`; return False if none is left. Raises PatternError."""


_CANDIDATES_AT_ONCE: Final = 50


class LogRun(SearchRun):
    """Searches a log from a line on; `known` are results of an earlier search."""

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
        self._texts = HitTexts()
        for _, text in self.known.hits:
            self._texts.add(text)
        # All hits up to here are final.
        self._sure = begin if self._candidates else self.known.stop
        self._last = -1  # Last line of a completed log, which was searched without line break
        self._last_is_hit = False
        self._long: LongLineSearch | None = None  # The current line, if too long for one step

    @property
    def line(self) -> int:
        if self._candidates:
            return self._candidates[0]
        return max(self._reader.line - (self._long is not None), self._last + 1)

    @property
    def done(self) -> int:
        return self._reader.byte - self._begin.byte

    @property
    def total(self) -> int:
        return self._log.settled

    def reusable_hits(self, log: Log, pattern: LinePattern, begin: Spot) -> Known | None:
        """Return results for a run with a narrower pattern; None if they do not apply."""
        if log is not self._log or begin != self._begin or not narrows(pattern, self._pattern):
            return None
        # Read `_sure` first: another thread may continue, and hits up to it are complete.
        sure = self._sure
        return reuse_hits(begin, sure, self.hits, self._texts, pattern)

    def step(self, stop: int | None, *, ended: bool) -> bool:
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
            self._long = LongLineSearch(log, block.long, self._pattern)
            return True
        if block is not None:
            self._take(first, block)
            return True
        if stop is None and ended and self._last < first < log.line_count:
            self._last, self._last_is_hit = first, False
            self._long = LongLineSearch(log, first, self._pattern)
            return True
        return False

    def _try_candidates(self) -> None:
        for _ in range(min(len(self._candidates), _CANDIDATES_AT_ONCE)):
            line = self._candidates[0]
            if is_hit(self._log, line, self._pattern):
                self.hits.append(line)
                if not self._texts.is_full:
                    self._texts.add(text_of(self._log, line))
            self._candidates.popleft()

    def _take(self, first: int, block: CleanLines) -> None:
        stamped = self._log.has_timestamps
        found = matches_in_block(self._pattern, block, stamped=stamped)
        # A completed log that grew has its last line already among the hits.
        known = self._last - first if self._last_is_hit else -1
        new = [number for number in found if number != known]
        self.hits.extend(first + number for number in new)
        if new and not self._texts.is_full:
            lines = block.data.split(b"\n")
            for number in new:
                line = lines[number]
                self._texts.add(line[stamp_length(line, 0) :] if stamped else line)

    def _step_in_long_line(self, long: LongLineSearch) -> None:
        is_found = long.step()
        if is_found is None:
            return
        self._long = None
        if is_found and not (long.line == self._last and self._last_is_hit):
            self.hits.append(long.line)
            self._texts.add(None)
        self._last_is_hit = is_found if long.line == self._last else self._last_is_hit


_AT_ONCE: Final = 500  # Lines per step


class TextRun:
    def __init__(self, document: LogDocument, pattern: LinePattern, line: int) -> None:
        self.hits = array("I")
        self._document = document
        self._pattern = pattern
        self.line = self._begin = line

    @property
    def done(self) -> int:
        return self.line - self._begin

    @property
    def total(self) -> int:
        return self._document.line_count

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
