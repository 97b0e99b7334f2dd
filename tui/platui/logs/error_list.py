"""The errors of a log that are remembered: all of them or, of very many, the first and the last."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.log import ErrorMark

LISTED: Final = 10_000
"""Errors that are listed; of more, the first and the last."""

_LAST: Final = 1_000


class ErrorList:
    """Errors that have ended, in the order of their first lines."""

    def __init__(self) -> None:
        self.count = 0
        """Errors in all, listed or not."""
        self._first: list[ErrorMark] = []
        self._last: deque[ErrorMark] = deque(maxlen=_LAST)

    def add(self, mark: ErrorMark) -> None:
        """Remember one that begins after all of those before it."""
        self.count += 1
        marks = self._first if len(self._first) < LISTED - _LAST else self._last
        marks.append(mark)

    def marks(self, growing: ErrorMark | None = None) -> tuple[ErrorMark, ...]:
        """Return those that are listed, and after them the one that has not ended yet."""
        if growing is None:
            return (*self._first, *self._last)
        room = islice(self._last, len(self._last) == _LAST, None)
        return (*self._first, *room, growing)
