"""Looking through a log, or any other text, from the line one reads on and round to it again."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from platui.logs.hits import Hits
from platui.logs.rounds import round_through
from platui.models.values.search import SearchState

if TYPE_CHECKING:
    from platui.logs.pattern import LinePattern
    from platui.logs.rounds import Round
    from platui.models.values.log import LogDocument

MOST_HITS: Final = 1_000_000
"""Lines that are kept of a search; it stops there, and says so."""

_END: Final = -1
"""What comes after the last glimpse."""

# A pause in which a thread that waits for the interpreter gets it: without one, it would
# wait for the five milliseconds after which the interpreter is taken from us.
_LET_OTHERS: Final = 0.0001


class TextSearch:
    """One pattern looked for in one document, in steps; only one thread makes a step at a time.

    It begins at a line, goes on to the end and then from the top to that line. When the
    document has grown it goes on where the end was.

    Attributes:
        cancelled: set it from any thread, and a step that is under way ends soon.
        round: how it goes through the document; of use to a search that follows.
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
        self._pattern = pattern
        self._start = min(max(0, start), max(0, document.line_count - 1))
        self.round: Final[Round] = round_through(
            document, pattern, self._start, None if before is None else before.round
        )
        self._hits = Hits(self.round.behind.hits, self.round.ahead.hits)
        self._first: int | None = None
        self._is_whole = False

    def state(self) -> SearchState:
        """Return how far it has come."""
        full = len(self._hits) >= MOST_HITS
        return SearchState(
            self._pattern,
            self._hits,
            1.0 if self._is_whole or full else min(self._progress(), 0.999),
            first=self._first,
            known=((0, self.round.behind.line), (self._start, self.round.ahead.line)),
            is_full=full,
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
            line = next(self.round.glimpses, _END)
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
        behind, ahead, _ = self.round
        self._is_whole = False
        while not self.cancelled and len(self._hits) < MOST_HITS:
            if not (ahead.step(None, ended=ended) or behind.step(self._start, ended=ended)):
                self._is_whole = True
                return False
            if time.monotonic() >= until or (to_first and len(self._hits)):
                return True
            time.sleep(_LET_OTHERS)
        return False

    def _progress(self) -> float:
        behind, ahead, _ = self.round
        return (ahead.done + behind.done) / ahead.total if ahead.total else 0.0
