"""Lines of a log that its reader has chosen: from where, to where one moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.log_lines import LinesAt
from platui.ui.widgets.log_canvas import Mark
from platui.ui.widgets.log_folds import LogFolds

if TYPE_CHECKING:
    from collections.abc import Sequence


class LogSelection(LogFolds):
    """Chooses lines; while some are chosen, what moves the window moves their end instead."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._chosen: tuple[int, int] | None = None
        """Where choosing began, and where it is."""

    @property
    def selection(self) -> tuple[int, int] | None:
        """Return the lines that are chosen: the first, and the one after the last."""
        if self._chosen is None:
            return None
        return min(self._chosen), max(self._chosen) + 1

    @property
    def chosen_lines(self) -> Sequence[int]:
        """Return every line that is chosen; where a filter hides some, those that it shows."""
        if (chosen := self.selection) is None:
            return ()
        window = self._window
        if window.choice is None:
            return range(*chosen)
        places = range(window.shown.place(chosen[0]), window.shown.place(chosen[1]))
        return LinesAt(window.shown, places)

    @property
    def chosen_count(self) -> int:
        """Return how many lines are chosen, those not counted that a filter hides."""
        if (chosen := self.selection) is None:
            return 0
        if self._window.choice is None:
            return chosen[1] - chosen[0]
        return self._window.shown.place(chosen[1]) - self._window.shown.place(chosen[0])

    def mark_of(self, line: int) -> Mark:
        """Return whether a line is chosen; where none is, whether it is the focus line."""
        if (chosen := self.selection) is None:
            return super().mark_of(line)
        return Mark.SELECTED if chosen[0] <= line < chosen[1] else Mark.NONE

    def begin_selection(self) -> None:
        """Choose the focus line, or the first in sight; moves from now on choose more."""
        if self._window.shown.count:
            line, _ = self._read_at()
            self._chosen = (line, line)
            self._follow = self._follow.let_go()
            self.settle()

    def end_selection(self) -> None:
        """Let go of the lines chosen, as when they have been copied."""
        if self._chosen is not None:
            self._chosen = None
            self.settle()

    def shift_selection(self, chosen: tuple[int, int] | None, lines: int) -> None:
        """Have those chosen that were so in a part of this document, with lines before it.

        Args:
            chosen: where choosing began there, and where it was.
            lines: before that part.
        """
        self._chosen = None if chosen is None else (chosen[0] + lines, chosen[1] + lines)

    def _choose_to(self, place: int) -> None:
        """Choose up to the line at a place, and keep that in sight."""
        window = self._window
        if self._chosen is None or not window.shown.count:
            return
        line = window.shown.line(min(max(place, 0), window.shown.count - 1))
        self._chosen = (self._chosen[0], line)
        if window.row_of(line) is None:
            if line <= self.top_line:
                window.show_at_top(line)
            else:
                window.put(line, self.size.height - 1)
        self._at_end = self._is_at_last_top
        self.settle()

    # Moving

    def move(self, rows: int) -> None:
        """Move the window, or the end of what is chosen, by rows."""
        if self._chosen is None:
            super().move(rows)
        else:
            self._choose_to(self._window.place_near(self._chosen[1]) + rows)

    def move_to_start(self) -> None:
        """Go to the first line, or choose up to it."""
        if self._chosen is None:
            super().move_to_start()
        else:
            self._choose_to(0)

    def move_to_end(self) -> None:
        """Go to the last line and follow, or choose up to it."""
        if self._chosen is None:
            super().move_to_end()
        else:
            self._choose_to(self._window.shown.count - 1)

    def point_at_line(self, line: int) -> None:
        """Choose up to a line where some are chosen."""
        if self._chosen is None:
            super().point_at_line(line)
        else:
            self._choose_to(self._window.shown.place(line))
