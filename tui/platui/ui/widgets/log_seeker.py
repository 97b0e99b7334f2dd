"""What a reader wants to see of a long line, which comes in sight once it is read so far."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from platui.models.values.search import TextPattern
    from platui.ui.widgets.log_window import LogWindow
    from platui.ui.widgets.scrolling import ScrolledView


class LogSeeker:
    """Brings characters of a line in sight: below and at the side."""

    def __init__(self, view: ScrolledView, window: LogWindow) -> None:
        self._view = view
        self._window = window
        self._lines = window.line_rows
        self._waiting: Callable[[], bool] | None = None
        """What waits for a long line to be read on; returns whether it is done."""
        self._sought_to = 0

    def stop(self) -> None:
        self._waiting = None

    def go_on(self) -> None:
        if self._waiting is not None and self._waiting():
            self._waiting = None

    def bring_in_sight(self, line: int) -> None:
        """Bring a line in sight: where something is searched for, what is found in it first."""
        self._sought_to, self._waiting = 0, None
        pattern = self._window.content.pattern
        if pattern is None:
            self._show_part(line, 0, 0)
        elif not self._seek(line, pattern):
            self._waiting = partial(self._seek, line, pattern)
            self._put(line, 0)

    def see_ends(self, lines: Callable[[], Sequence[int]]) -> None:
        see = partial(self._see_ends, lines)
        self._waiting = None if see() else see

    def see_starts(self) -> None:
        self._waiting, self._view.left = None, 0

    def widest(self, lines: Iterable[int], most: int) -> int:
        """Return how many cells the longest of some lines takes, counted to `most` or so."""
        widest = 0
        for line in lines:
            text = self._lines.text(line)
            text.reach(most)
            widest = max(widest, text.cells)
            if widest >= most:
                break
        return widest

    def _seek(self, line: int, pattern: TextPattern) -> bool:
        """Bring the first thing found in a line in sight; return False where that takes longer."""
        text = self._lines.text(line)
        for number in count(self._sought_to):
            self._sought_to = number
            while number >= text.pieces:
                if text.is_whole:
                    return self._show_part(line, 0, 0)
                if not text.read_on() and not text.is_whole:
                    return False
            if found := text.found_in(pattern, number):
                return self._show_part(line, *found[0])
            if self._lines.turn.is_over:
                return False
        return True

    def _show_part(self, line: int, start: int, end: int) -> bool:
        """Bring characters of a line in sight; return False where it is not broken so far yet."""
        part = self._window.part_of(line, start)
        if part is None:
            return False
        self._put(line, part)
        if not self._lines.wraps:
            self._reach(line, start, end)
        return True

    def _put(self, line: int, part: int) -> None:
        """Bring a row of a line in sight: a third from the top, unless it is there already."""
        if self._window.row_of(line, part) is None:
            self._window.put(line, max(1, self._view.size.height // 3), part)

    def _reach(self, line: int, start: int, end: int) -> None:
        """Move to the side until characters of a line are in sight; back, if they are there."""
        text, room = self._lines.text(line), self._lines.room
        begin, stop = text.cell_of(start), text.cell_of(end)
        # A sign stands in the last column where the line goes on, and in the first one.
        if stop < room:
            self._view.left = 0
        elif not self._view.left < begin <= stop < self._view.left + room:
            self._view.left = max(0, begin - room // 3)

    def _see_ends(self, lines: Callable[[], Sequence[int]]) -> bool:
        texts = [self._lines.text(line) for line in lines()]
        for text in texts:
            while text.read_on():
                pass
        widest = max((text.cells for text in texts), default=0)
        self._view.left = max(0, widest - self._lines.room)
        return all(text.is_whole for text in texts)
