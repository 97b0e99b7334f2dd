"""Runs of a search: through the bytes of a log, or through any text line by line."""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from platui.logs.cleaning import CleanReader
from platui.logs.line_search import LongLineSearch, found_in_block, matching
from platui.logs.narrowing import Known, Spot, is_hit, known_from, narrows, text_of
from platui.logs.stamps import stamp_length

if TYPE_CHECKING:
    from platui.logs.cleaning import CleanLines
    from platui.logs.document import Log
    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument


MOST_BYTES: Final = 512 * 1024
"""Bytes that are kept, looked through in less than a millisecond: thousands of lines, as a rule."""


class FoundTexts:
    """Clean texts of the first lines found, in their order, until `is_full`.

    One thread adds to it; others may read it meanwhile.
    """

    def __init__(self) -> None:
        self._texts: list[bytes] = []
        self._size = 0
        self.is_full = False

    def add(self, text: bytes | None) -> None:
        """Keep the text of the next line as UTF-8, without its stamp; None: it is too long."""
        if text is None or self._size + len(text) >= MOST_BYTES:
            self.is_full = True
        if text is None or self.is_full:
            return
        self._texts.append(text)
        self._size += len(text)

    def first(self, most: int) -> list[bytes]:
        return self._texts[:most]


class SearchRun(Protocol):
    """Goes from a line on, a few milliseconds' worth of lines at a time; `hits` ascend."""

    hits: array[int]

    @property
    def line(self) -> int:
        """Return the line that comes next."""

    @property
    def done(self) -> int:
        """Return how much of the document it has been through."""

    @property
    def total(self) -> int:
        """Return how much there is of the document, in the same measure."""

    def step(self, stop: int | None, *, ended: bool) -> bool:
        """Look through the next lines before `stop`; return False where none is left.

        `ended`: the last line stays as it is. Raises PatternError: the pattern takes too long.
        """


_CANDIDATES_AT_ONCE: Final = 50


class LogRun(SearchRun):
    """Goes through a log from a line on; `known` is what it knew when it began."""

    def __init__(
        self, log: Log, pattern: LinePattern, begin: Spot, before: SearchRun | None = None
    ) -> None:
        self.known = Known((), (), begin)
        if isinstance(before, LogRun):
            self.known = before.known_to(log, pattern, begin) or self.known
        self.hits = array("I", (line for line, _ in self.known.hits))
        self._log = log
        self._pattern = pattern
        self._begin = begin
        self._candidates = deque(self.known.candidates)
        self._reader = CleanReader(log, *self.known.stop)
        self._texts = FoundTexts()
        for _, text in self.known.hits:
            self._texts.add(text)
        self._sure = begin if self._candidates else self.known.stop
        """Up to where all hits are known for good."""
        self._last = -1
        """The line that was looked at without an end: the last one of a log that has ended."""
        self._last_is_hit = False
        self._long: LongLineSearch | None = None
        """In the line that is looked through, where that is too long for one step."""

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

    def known_to(self, log: Log, pattern: LinePattern, begin: Spot) -> Known | None:
        """Return what this tells a run for more letters; None where that is another matter."""
        if log is not self._log or begin != self._begin or not narrows(pattern, self._pattern):
            return None
        # The place first: it may go on in a thread, and hits up to there are all known.
        sure = self._sure
        return known_from(begin, sure, self.hits, self._texts, pattern)

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
            self._step_in_long(self._long)
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
        stamped = self._log.is_stamped
        found = found_in_block(self._pattern, block, stamped=stamped)
        # A log that went on after its end has its line once, as it was or as it is now.
        known = self._last - first if self._last_is_hit else -1
        new = [number for number in found if number != known]
        self.hits.extend(first + number for number in new)
        if new and not self._texts.is_full:
            lines = block.data.split(b"\n")
            for number in new:
                line = lines[number]
                self._texts.add(line[stamp_length(line, 0) :] if stamped else line)

    def _step_in_long(self, long: LongLineSearch) -> None:
        is_found = long.step()
        if is_found is None:
            return
        self._long = None
        if is_found and not (long.line == self._last and self._last_is_hit):
            self.hits.append(long.line)
            self._texts.add(None)
        self._last_is_hit = is_found if long.line == self._last else self._last_is_hit


_AT_ONCE: Final = 500  # Lines that one step looks at


class TextRun:
    """Asks a document for one line after the other."""

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
