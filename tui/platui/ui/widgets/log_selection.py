"""The selected lines of a log; during a selection, movement changes its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from platui.present.logs.lines import LinesAt

if TYPE_CHECKING:
    from platui.ui.widgets.log_view import LogView


class LogSelection:
    def __init__(self, view: LogView) -> None:
        self.ends: tuple[int, int] | None = None  # First selected line, and current line
        self._view = view
        self._content = view.content
        self._position = view.position

    @property
    def span(self) -> tuple[int, int] | None:
        if self.ends is None:
            return None
        return min(self.ends), max(self.ends) + 1

    @property
    def lines(self) -> Sequence[int]:
        """Return the selected lines, without those hidden by a filter."""
        if (selected := self.span) is None:
            return ()
        if self._content.filter_result is None:
            return range(*selected)
        shown = self._content.shown
        return LinesAt(shown, range(shown.place(selected[0]), shown.place(selected[1])))

    def toggle(self) -> None:
        if self.ends is not None:
            self.end()
        elif self._content.shown.count:
            line, _ = self._position.read_at()
            self.ends = (line, line)
            self._position.pause()
            self._view.settle()

    def end(self) -> None:
        if self.ends is not None:
            self.ends = None
            self._view.settle()

    def move(self, rows: int) -> None:
        if self.ends is not None:
            self._select_to(self._content.place_near(self.ends[1]) + rows)

    def go_to_first(self) -> None:
        self._select_to(0)

    def go_to_last(self) -> None:
        self._select_to(self._content.shown.count - 1)

    def go_to(self, line: int) -> None:
        self._select_to(self._content.shown.place(line))

    def _select_to(self, place: int) -> None:
        """Extend the selection to the line at a position, and scroll to it."""
        window, shown = self._view.window, self._content.shown
        if self.ends is None or not shown.count:
            return
        line = shown.line(min(max(place, 0), shown.count - 1))
        self.ends = (self.ends[0], line)
        if window.row_of(line) is None:
            if line <= self._position.top_line:
                window.show_at_top(line)
            else:
                window.put(line, self._view.size.height - 1)
        self._position.update_at_end()
        self._view.settle()
