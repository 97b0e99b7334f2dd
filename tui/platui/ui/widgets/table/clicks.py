"""Clicks on a table: on a row, again on the same row, on a column head."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual import events

    from platui.ui.widgets.table.view import TableView
    from platui.ui.widgets.table.widget import Table


class TableClicks:
    def __init__(self, table: Table, view: TableView) -> None:
        self._table = table
        self._view = view
        self._clicked: str | None = None  # The last clicked row, while the cursor is on it

    def take(self, event: events.Click, heads: int) -> None:
        """Move to the clicked row, open it at the second click, or post the clicked head."""
        table, view = self._table, self._view
        offset = event.get_content_offset(table)
        if offset is None:
            return
        line = view.top + offset.y - heads
        if offset.y < heads:
            if (column := table.column_at(offset.x)) is not None:
                event.stop()
                table.post_message(table.HeadClicked(table, column))
        elif line < view.lines.total:
            event.stop()
            was = (self._clicked, view.cursor_key)
            view.move_to(view.lines.index(line))
            table.settle()
            self._clicked = view.cursor_key
            table.post_message(table.RowClicked(table, event.time))
            if was == (view.cursor_key, view.cursor_key):
                table.action_open()

    def moved(self) -> None:
        if self._clicked != self._view.cursor_key:
            self._clicked = None
