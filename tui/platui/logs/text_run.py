"""A run of a search through a text of which nothing is known but its lines."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from platui.logs.block_search import matching
from platui.logs.search_run import SearchRun

if TYPE_CHECKING:
    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument

_AT_ONCE: Final = 500
"""Lines that one step looks at."""


class TextRun(SearchRun):
    """Asks a document for one line after the other."""

    def __init__(self, document: LogDocument, pattern: LinePattern, line: int) -> None:
        self.hits = array("I")
        self._document = document
        self._pattern = pattern
        self._line = self._begin = line

    @property
    def line(self) -> int:
        """Return the line that comes next."""
        return self._line

    @property
    def done(self) -> int:
        """Return how many lines it has been through."""
        return self._line - self._begin

    @property
    def total(self) -> int:
        """Return how many lines there are."""
        return self._document.line_count

    def step(self, stop: int | None, *, ended: bool) -> bool:
        """Look through the next lines; return False where none is left."""
        if stop is None:
            stop = self._document.line_count - (not ended)
        first, end = self._line, min(stop, self._line + _AT_ONCE)
        if first >= end:
            return False
        texts = (self._document.text(line) for line in range(first, end))
        self.hits.extend(first + number for number in matching(self._pattern, texts))
        self._line = end
        return True
