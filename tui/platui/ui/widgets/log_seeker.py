"""Scroll to characters of a long line, which is read piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.models.values.search import TextPattern
    from platui.ui.widgets.log_view import LogView


class LogSeeker:
    def __init__(self, view: LogView) -> None:
        self._view = view
        self._window = view.window
        self._waiting: Callable[[], bool] | None = None
        """Continues after more of a long line was read; returns whether it is done."""
        self._sought_to = 0
        self._reached = 0  # First column at the last hit; 0: it is in the first columns

    def stop(self) -> None:
        self._waiting = None

    def go_on(self) -> None:
        if self._waiting is not None and self._waiting():
            self._waiting = None

    def bring_in_sight(self, line: int) -> None:
        """Scroll to a line, or to the first search hit in it."""
        self._sought_to, self._waiting = 0, None
        pattern = self._window.content.pattern
        if pattern is None:
            self._show_part(line, 0, 0)
        elif not self._seek(line, pattern):
            self._waiting = partial(self._seek, line, pattern)
            self._put(line, 0)

    def see_ends(self) -> None:
        self._waiting = None if self._see_ends() else self._see_ends

    def _seek(self, line: int, pattern: TextPattern) -> bool:
        """Scroll to the first hit in a line; return False if the line must be read further."""
        text = self._window.text(line)
        for number in count(self._sought_to):
            self._sought_to = number
            while number >= text.pieces:
                if text.is_whole:
                    return self._show_part(line, 0, 0)
                if not text.read_on() and not text.is_whole:
                    return False
            if found := text.found_in(pattern, number):
                return self._show_part(line, *found[0])
            if self._window.budget.is_exhausted:
                return False
        return True

    def _show_part(self, line: int, start: int, end: int) -> bool:
        """Scroll to characters of a line; return False if it is not wrapped so far yet."""
        part = self._window.part_of(line, start)
        if part is None:
            return False
        self._put(line, part)
        if not self._window.wraps:
            self._reach(line, start, end)
        return True

    def _put(self, line: int, part: int) -> None:
        """Scroll a row to a third from the top, unless it is visible."""
        if self._window.row_of(line, part) is None:
            self._window.put(line, max(1, self._view.size.height // 3), part)

    def _reach(self, line: int, start: int, end: int) -> None:
        """Scroll sideways until characters are visible, back to the start if possible."""
        text, room = self._window.text(line), self._window.room
        begin, stop = text.cell_of(start), text.cell_of(end)
        # The first and the last column may show the sign of a cut line.
        if stop < room:
            self._view.left = 0
        elif not self._view.left < begin <= stop < self._view.left + room:
            self._view.left = max(0, begin - room // 3)
            self._reached = self._view.left

    def leave_hit(self) -> None:
        """Scroll to the start of lines, if a hit and not the user has scrolled sideways."""
        if self._view.left == self._reached:
            self.stop()
            self._view.left = 0
            self._view.settle()

    def _see_ends(self) -> bool:
        position = self._view.position
        focus = position.focus_in_sight
        lines = position.lines_in_sight if focus is None else [focus]
        texts = [self._window.text(line) for line in lines]
        for text in texts:
            while text.read_on():
                pass
        widest = max((text.cells for text in texts), default=0)
        self._view.left = max(0, widest - self._window.room)
        return all(text.is_whole for text in texts)
