"""Measure and wrap the lines of a log as needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.log import EmptyLog
from platui.ui.widgets.log_text import LineText, TimeBudget
from platui.ui.widgets.log_wrap import Wrapped

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

# Limits of the caches of wrapped and measured lines; a full cache is cleared.
_MOST_WRAPPED: Final = 2000
_MOST_TEXTS: Final = 200


class LineRows:
    def __init__(self) -> None:
        self.room = 0  # Cells for the text of a row
        self.wraps = False
        self.budget = TimeBudget()
        self._document: LogDocument = EmptyLog()
        self._count = 0  # Lines of the document at the last update
        self._texts: dict[int, LineText] = {}
        self._wrapped: dict[int, Wrapped] = {}

    def begin(self, document: LogDocument) -> None:
        self._document, self._count = document, 0
        self._texts.clear()
        self._wrapped.clear()

    def grow(self, count: int) -> None:
        self._texts.pop(self._count - 1, None)
        self._wrapped.pop(self._count - 1, None)
        self._count = count

    def fit(self, room: int, *, wraps: bool) -> None:
        self._wrapped.clear()
        self.room, self.wraps = room, wraps

    def text(self, line: int) -> LineText:
        known = self._texts.get(line)
        # Only the last line may still change.
        if known is None or (line >= self._count - 1 and known.version != self._document.version):
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            known = self._texts[line] = LineText(self._document, line, self.budget)
        return known

    def wrapped(self, line: int) -> Wrapped:
        """Return the rows of a line, as far as the time budget allows."""
        known = self._wrapped.get(line)
        if known is None:
            if len(self._wrapped) >= _MOST_WRAPPED:
                self._wrapped.clear()
            known = self._wrapped[line] = Wrapped(self.text(line), self.room, self.budget)
        elif not known.is_whole:
            known.go_on()
        return known
