"""Lines of many logs in one document, in the order in which they came."""

from __future__ import annotations

import json
from array import array
from math import isnan, nan
from typing import TYPE_CHECKING

from platui.logs.spool import LogSpool
from platui.models.values.log import PLAIN, Span, SpanStyle
from platui.models.values.many_logs import MergedDocument, Origin

if TYPE_CHECKING:
    from collections.abc import Sequence


class MergedLog(MergedDocument):
    """A document to which whole lines are added; none of them changes any more.

    The lines lie in a spool of their own, so that the logs they came from need not be held.
    What is kept of a line in memory is four numbers.
    """

    def __init__(self) -> None:
        self._spool = LogSpool()
        self._ends = array("Q")
        self._jobs = array("q")
        self._lines = array("q")
        self._stamps = array("d")
        self._stamped = False

    def add(self, spans: Sequence[Span], origin: Origin, stamp: float | None = None) -> None:
        """Add a line of clean text.

        Args:
            spans: what it says.
            origin: where it stands in the log it came from.
            stamp: when it was written, in Unix seconds, where somebody knows.
        """
        # JSON, because a colour may be any, and what is read back is our own.
        written = [[text] if style == PLAIN else [text, *style] for text, style in spans]
        self._spool.append(json.dumps(written, separators=(",", ":")).encode())
        self._jobs.append(origin.job)
        self._lines.append(origin.line)
        self._stamps.append(nan if stamp is None else stamp)
        self._stamped = self._stamped or stamp is not None
        self._ends.append(self._spool.size)  # last: it makes the line one that is there

    def close(self) -> None:
        """Let go of the bytes; the document is not read after that."""
        self._spool.close()

    @property
    def line_count(self) -> int:
        """Return how many lines there are now."""
        return len(self._ends)

    @property
    def size(self) -> int:
        """Return how many bytes the lines take."""
        return self._spool.size

    @property
    def version(self) -> int:
        """Return a number that changes with every line."""
        return len(self._ends)

    @property
    def is_stamped(self) -> bool:
        """Return whether any line has a time of its own."""
        return self._stamped

    def spans(self, y: int) -> tuple[Span, ...]:
        """Return the spans of line `y`.

        Raises:
            IndexError: there is no such line.
        """
        return tuple(
            Span(text, SpanStyle(*style)) if style else Span(text)
            for text, *style in json.loads(self._read(y))
        )

    def text(self, y: int) -> str:
        """Return the text of line `y`.

        Raises:
            IndexError: there is no such line.
        """
        return "".join(part[0] for part in json.loads(self._read(y)))

    def is_section(self, y: int) -> bool:
        """Return False: sections of many logs overlap, none is shown as one."""
        del y
        return False

    def stamp(self, y: int) -> float | None:
        """Return when line `y` was written, in Unix seconds; None where nobody knows."""
        stamp = self._stamps[y]
        return None if isnan(stamp) else stamp

    def origin(self, y: int) -> Origin:
        """Return where line `y` came from.

        Raises:
            IndexError: there is no such line.
        """
        return Origin(self._jobs[self._checked(y)], self._lines[y])

    def _checked(self, y: int) -> int:
        if not 0 <= y < len(self._ends):
            raise IndexError(y)
        return y

    def _read(self, y: int) -> bytes:
        end = self._ends[self._checked(y)]
        return self._spool.read(self._ends[y - 1] if y else 0, end)
