"""The lines of a log that its reader has chosen; while there are some, moves change their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.logs.lines import LinesAt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.ui.widgets.log_position import LogPosition
    from platui.ui.widgets.log_window import LogWindow
    from platui.ui.widgets.scrolling import ScrolledView


class LogSelection:
    """Lines from where choosing began to where it is."""

    def __init__(self, view: ScrolledView, window: LogWindow, position: LogPosition) -> None:
        self.ends: tuple[int, int] | None = None  # Where choosing began, and where it is
        self._view = view
        self._window = window
        self._content = window.content
        self._position = position

    @property
    def span(self) -> tuple[int, int] | None:
        """Return the lines that are chosen: the first, and the one after the last."""
        if self.ends is None:
            return None
        return min(self.ends), max(self.ends) + 1

    @property
    def lines(self) -> Sequence[int]:
        """Return every line that is chosen; where a filter hides some, those that it shows."""
        if (chosen := self.span) is None:
            return ()
        content = self._content
        if content.choice is None:
            return range(*chosen)
        places = range(content.shown.place(chosen[0]), content.shown.place(chosen[1]))
        return LinesAt(content.shown, places)

    @property
    def count(self) -> int:
        """Return how many lines are chosen, those not counted that a filter hides."""
        if (chosen := self.span) is None:
            return 0
        if self._content.choice is None:
            return chosen[1] - chosen[0]
        return self._content.shown.place(chosen[1]) - self._content.shown.place(chosen[0])

    def toggle(self) -> None:
        if self.ends is not None:
            self.end()
        elif self._content.shown.count:
            line, _ = self._position.read_at()
            self.ends = (line, line)
            self._position.let_go()
            self._view.settle()

    def end(self) -> None:
        if self.ends is not None:
            self.ends = None
            self._view.settle()

    def shift(self, ends: tuple[int, int] | None, lines: int) -> None:
        """Take a selection of a part of this document that has so many lines before it."""
        self.ends = None if ends is None else (ends[0] + lines, ends[1] + lines)

    # Moving

    def move(self, rows: int) -> None:
        if self.ends is not None:
            self._choose_to(self._content.place_near(self.ends[1]) + rows)

    def go_to_first(self) -> None:
        self._choose_to(0)

    def go_to_last(self) -> None:
        self._choose_to(self._content.shown.count - 1)

    def go_to(self, line: int) -> None:
        self._choose_to(self._content.shown.place(line))

    def _choose_to(self, place: int) -> None:
        """Choose up to the line at a place, and keep that in sight."""
        window, shown = self._window, self._content.shown
        if self.ends is None or not shown.count:
            return
        line = shown.line(min(max(place, 0), shown.count - 1))
        self.ends = (self.ends[0], line)
        if window.row_of(line) is None:
            if line <= self._position.top_line:
                window.show_at_top(line)
            else:
                window.put(line, self._view.size.height - 1)
        self._position.stay()
        self._view.settle()
