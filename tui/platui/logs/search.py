"""Looking through a log, or any other text, from the line one reads on and round to it again."""

from __future__ import annotations

import math
import time
from array import array
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol, overload

from platui.core.errors import PatternError
from platui.logs.cleaning import CleanReader, foreign_lines
from platui.logs.document import Log
from platui.logs.glance import glimpses
from platui.logs.long_search import LongLineSearch
from platui.logs.narrowing import Known, Spot, is_hit, known_from, narrows
from platui.logs.pattern import NEVER_ENDS, PlainPattern, RegexPattern
from platui.logs.stamps import stamp_length, without_stamps
from platui.models.values.search import SearchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from platui.logs.cleaning import CleanLines
    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument

MOST_HITS: Final = 1_000_000
"""Lines that are kept of a search; it stops there, and says so."""

_END: Final = -1
"""What comes after the last glimpse."""

_LINES_AT_ONCE: Final = 500

_CANDIDATES_AT_ONCE: Final = 50

_BLOCK_PATIENCE: Final = 2.0
"""Seconds that a block may take before its pattern counts as one that never ends."""

_LOOK_AT_CLOCK: Final = 16
"""Lines after which the time is looked at."""

# A pause in which a thread that waits for the interpreter gets it: without one, it would
# wait for the five milliseconds after which the interpreter is taken from us.
_LET_OTHERS: Final = 0.0001


class Hits(Sequence[int]):
    """Lines that were found: ascending, in two parts that grow at their ends.

    Attributes:
        behind: those before the line at which the search began.
        ahead: those from there on.
    """

    def __init__(self) -> None:
        self.behind = array("I")
        self.ahead = array("I")

    def __len__(self) -> int:
        return len(self.behind) + len(self.ahead)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...

    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        behind = len(self.behind)
        at = index + behind + len(self.ahead) if index < 0 else index
        if at < 0:
            raise IndexError(index)
        return self.behind[at] if at < behind else self.ahead[at - behind]

    def __iter__(self) -> Iterator[int]:
        yield from self.behind
        yield from self.ahead


class TextSearch:
    """One pattern looked for in one document, in steps; only one thread makes a step at a time.

    It begins at a line, goes on to the end and then from the top to that line. When the
    document has grown it goes on where the end was.

    Attributes:
        cancelled: set it from any thread, and a step that is under way ends soon.
    """

    def __init__(
        self,
        document: LogDocument,
        pattern: LinePattern,
        *,
        start: int = 0,
        before: TextSearch | None = None,
    ) -> None:
        """Begin nothing yet.

        Args:
            document: what is searched.
            pattern: what for.
            start: the line to begin at.
            before: the search of before: where this one is for more letters of the same, it
                tries the lines that were found instead of looking through all of them again.
        """
        self.cancelled = False
        self._document = document
        self._pattern = pattern
        self._start = min(max(0, start), max(0, document.line_count - 1))
        self._hits = Hits()
        self._first: int | None = None
        self._is_whole = False
        begin = 0
        if isinstance(document, Log) and self._start:
            begin = document.span_of(self._start)[0]
        self._begun = self._sure = (Spot(0, 0), Spot(self._start, begin))
        """Up to where all hits behind and ahead are known for good."""
        self._glimpses: Iterator[int | None] = iter(())
        self._behind: _Part
        self._ahead: _Part
        if isinstance(document, Log):
            behind, ahead = (Known((), spot) for spot in self._begun)
            if before is not None:
                behind, ahead = before.known_to(document, pattern, self._start) or (behind, ahead)
            self._glimpses = glimpses(document, pattern, begin, ahead, behind)
            self._behind = _LogPart(document, pattern, 0, behind)
            self._ahead = _LogPart(document, pattern, begin, ahead)
        else:
            self._behind = _PlainPart(document, pattern, 0)
            self._ahead = _PlainPart(document, pattern, self._start)

    def state(self) -> SearchState:
        """Return how far it has come."""
        full = len(self._hits) >= MOST_HITS
        return SearchState(
            self._pattern,
            self._hits,
            1.0 if self._is_whole or full else min(self._progress(), 0.999),
            first=self._first,
            known=((0, self._behind.line), (self._start, self._ahead.line)),
            is_full=full,
        )

    def known_to(
        self, document: LogDocument, pattern: LinePattern, start: int
    ) -> tuple[Known, Known] | None:
        """Return what this tells a search for more letters, of the lines behind and ahead."""
        is_same = document is self._document and start == self._start
        if not is_same or not narrows(pattern, self._pattern):
            return None
        # The lines first: it may go on in a thread, and hits up to these are all there.
        (behind, ahead), hits = self._sure, self._hits
        return (
            known_from(self._begun[0], behind, hits.behind),
            known_from(self._begun[1], ahead, hits.ahead),
        )

    def glance(self, seconds: float = math.inf) -> bool:
        """Find the hit that comes next in reading order fast, if it can be found so.

        Args:
            seconds: after which it pauses, to go on when it is called again.

        Returns:
            Whether it has come to its end, with a hit or without one.

        Raises:
            PatternError: the pattern takes too long.
        """
        until = time.monotonic() + seconds
        while not self.cancelled:
            if time.monotonic() >= until:
                return False
            line = next(self._glimpses, _END)
            if line == _END:
                return True
            if line is not None:
                self._first = line
                return True
            if seconds == math.inf:
                time.sleep(0)
        return True

    def advance(self, seconds: float, *, ended: bool, to_first: bool = False) -> bool:
        """Go on for about so long; return whether there is anything left to look through.

        Args:
            seconds: after which it pauses.
            ended: whether the document is there to its last line, which stays as it is.
            to_first: whether it also pauses when it has found something.

        Raises:
            PatternError: the pattern takes too long.
        """
        until = time.monotonic() + seconds
        self._is_whole = False
        while not self.cancelled and len(self._hits) < MOST_HITS:
            is_more = self._ahead.step(None, self._hits.ahead, ended=ended) or self._behind.step(
                self._start, self._hits.behind, ended=ended
            )
            behind, ahead = self._sure
            self._sure = (self._behind.sure or behind, self._ahead.sure or ahead)
            if not is_more:
                self._is_whole = True
                return False
            if time.monotonic() >= until or (to_first and len(self._hits)):
                return True
            time.sleep(_LET_OTHERS)
        return False

    def _progress(self) -> float:
        total = self._ahead.total
        done = self._ahead.done + self._behind.done
        return done / total if total else 0.0


class _Part(Protocol):
    """A run through lines that follow each other."""

    @property
    def line(self) -> int:
        """Return the line that comes next."""
        ...

    @property
    def sure(self) -> Spot | None:
        """Return up to where all hits are known for good; None while that is as it was."""
        ...

    @property
    def done(self) -> int:
        """Return how much of the document it has been through."""
        ...

    @property
    def total(self) -> int:
        """Return how much there is of the document."""
        ...

    def step(self, stop: int | None, hits: array[int], *, ended: bool) -> bool:
        """Look through a few milliseconds' worth of lines; return False where none is left.

        Args:
            stop: the line before which it ends; None: go on to the end.
            hits: takes the lines that are found.
            ended: whether the last line stays as it is.
        """
        ...


class _PlainPart(_Part):
    """A run through a document of which nothing is known but its lines."""

    def __init__(self, document: LogDocument, pattern: LinePattern, line: int) -> None:
        self._line = self._begin = line
        self._document = document
        self._pattern = pattern

    @property
    def line(self) -> int:
        return self._line

    @property
    def sure(self) -> Spot | None:
        return None

    @property
    def done(self) -> int:
        return self._line - self._begin

    @property
    def total(self) -> int:
        return self._document.line_count

    def step(self, stop: int | None, hits: array[int], *, ended: bool) -> bool:
        if stop is None:
            stop = self._document.line_count - (not ended)
        first, end = self._line, min(stop, self._line + _LINES_AT_ONCE)
        if first >= end:
            return False
        texts = (self._document.text(line) for line in range(first, end))
        hits.extend(first + number for number in _matching(self._pattern, texts))
        self._line = end
        return True


class _LogPart(_Part):
    """A run through the bytes of a log."""

    def __init__(self, log: Log, pattern: LinePattern, begin: int, known: Known) -> None:
        self._log = log
        self._pattern = pattern
        self._candidates = deque(known.candidates)
        self._reader = CleanReader(log, *known.stop)
        self._begin = begin
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
    def sure(self) -> Spot | None:
        if self._candidates or self._long is not None:
            return None
        return Spot(self._reader.line, self._reader.byte)

    @property
    def done(self) -> int:
        return self._reader.byte - self._begin

    @property
    def total(self) -> int:
        return self._log.settled

    def step(self, stop: int | None, hits: array[int], *, ended: bool) -> bool:
        if self._candidates:
            for _ in range(min(len(self._candidates), _CANDIDATES_AT_ONCE)):
                if is_hit(self._log, self._candidates[0], self._pattern):
                    hits.append(self._candidates[0])
                self._candidates.popleft()
            return True
        if self._long is not None:
            self._step_in_long(hits)
            return True
        log, first = self._log, self._reader.line
        end = log.settled if stop is None else log.span_of(stop)[0] if stop else 0
        block = self._reader.read(end)
        if block is not None and block.long is not None:
            self._long = LongLineSearch(log, block.long, self._pattern)
            return True
        if block is not None:
            numbers = _found(self._pattern, block, stamped=log.is_stamped)
            # A log that went on after its end has its line once, as it was or as it is now.
            known = self._last if self._last_is_hit else -1
            hits.extend(first + number for number in numbers if first + number != known)
            return True
        if stop is None and ended and self._last < first < log.line_count:
            self._last, self._last_is_hit = first, False
            self._long = LongLineSearch(log, first, self._pattern)
            return True
        return False

    def _step_in_long(self, hits: array[int]) -> None:
        """Look through the next piece of a long line, or of the last one."""
        assert self._long is not None  # noqa: S101  (whoever calls looked)
        line, is_found = self._long.line, self._long.step()
        if is_found is None:
            return
        self._long = None
        if is_found and not (line == self._last and self._last_is_hit):
            hits.append(line)
        self._last_is_hit = is_found if line == self._last else self._last_is_hit


def _matching(pattern: LinePattern, lines: Iterable[str]) -> Iterator[int]:
    """Yield which lines have a pattern, counted from 0.

    Raises:
        PatternError: it takes too long.
    """
    until = time.monotonic() + _BLOCK_PATIENCE
    for number, line in enumerate(lines):
        if pattern.found_in(line):
            yield number
        if not number % _LOOK_AT_CLOCK and time.monotonic() > until:
            raise PatternError(NEVER_ENDS, hint="Make it simpler.")


def _found(pattern: LinePattern, block: CleanLines, *, stamped: bool) -> Iterator[int]:
    """Yield which lines of a block have a pattern, counted from 0."""
    if not block.line_count:
        return
    if isinstance(pattern, PlainPattern) and pattern.needle.isascii():
        needle = pattern.needle.encode()
        yield from _lines_with(needle, block.data, lower=pattern.ignores_case, stamped=stamped)
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
        yield from _matching(pattern, text.split("\n"))


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
