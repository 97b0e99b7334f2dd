"""What a click on a row of a log does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.ui.widgets.log_folds import LogFolds
    from platui.ui.widgets.log_position import LogPosition
    from platui.ui.widgets.log_selection import LogSelection
    from platui.ui.widgets.log_window import LogWindow


class LogPointer:
    """Folds what a header names, chooses lines, or takes a line in focus."""

    def __init__(
        self,
        window: LogWindow,
        position: LogPosition,
        folds: LogFolds,
        selection: LogSelection,
    ) -> None:
        self._window = window
        self._position = position
        self._folds = folds
        self._selection = selection

    def point_at(self, row: int) -> None:
        """Go to the header that stays on a row, or do what a click on its line does."""
        rows, sections = self._window.rows(), self._window.content.sections
        if row >= len(rows):
            return
        line = rows[row].line
        covering = self._window.sticky(rows)
        if covering is not None and row == 0:
            self._position.go_to(sections[covering].start)
        elif self._selection.ends is not None:
            self._selection.go_to(line)
        elif (at := sections.header_at(line)) is not None and self._folds.can_fold:
            self._position.focus = line
            self._folds.toggle(at)
        else:
            self._position.focus_on(line)
