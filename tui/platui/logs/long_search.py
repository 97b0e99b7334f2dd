"""Looking through one line of any length: never more than a megabyte of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument

STRETCH: Final = 1024 * 1024
"""Characters that a pattern is tried on at once."""

_PIECES: Final = 16
"""Pieces that one step reads: a few milliseconds' worth."""


class LongLineSearch:
    """One pattern looked for in one line of a document, in steps.

    Of a line of more than `STRETCH` characters, it is looked for in one stretch after the
    other; these share as many characters as what is found may have. A regular expression
    takes the end of each for one of the line.

    Attributes:
        line: the one that is looked through.
    """

    def __init__(self, document: LogDocument, line: int, pattern: LinePattern) -> None:
        self.line = line
        self._pieces = document.whole(line)
        self._pattern = pattern
        self._held: list[str] = []
        self._size = 0
        self._goes_on = False

    def step(self) -> bool | None:
        """Look on; return whether it is there, None while that is not known.

        Raises:
            PatternError: the pattern takes too long.
        """
        for _ in range(_PIECES):
            spans = next(self._pieces, None)
            if spans is None:
                return self._is_found()
            text = "".join(span.text for span in spans)
            self._held.append(text)
            self._size += len(text)
        return self._is_found() or None if self._size >= STRETCH else None

    def _is_found(self) -> bool:
        text = "".join(self._held)
        is_found = self._pattern.found_in(text, goes_on=self._goes_on)
        self._goes_on = True
        self._held = [text[-self._pattern.reach :]]
        self._size = len(self._held[0])
        return is_found


def is_in_line(document: LogDocument, line: int, pattern: LinePattern) -> bool:
    """Return whether a line has a pattern, however long it is.

    Raises:
        PatternError: it takes too long to find out.
    """
    search = LongLineSearch(document, line, pattern)
    while (is_found := search.step()) is None:
        pass
    return is_found


def around_first(document: LogDocument, line: int, pattern: LinePattern, most: int) -> str:
    """Return so many characters of a line, with the first that a pattern finds in it."""
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
