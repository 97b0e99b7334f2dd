"""Post the changes of a table, and requests for more rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.ui.widgets.table.view import TableView
    from platui.ui.widgets.table.widget import Table

_AT_ONCE: Final = 6  # Maximum pages requested at once while a page key is held


class TableMessages:
    def __init__(self, table: Table, view: TableView) -> None:
        self._table = table
        self._view = view
        self._cursor: str | None = None
        self._window: tuple[str, ...] = ()
        self._marks: frozenset[str] = frozenset()
        self._end: tuple[int, str | None] = (0, None)  # Of the list, at the last request
        self._pages = 0  # Pages requested there

    def post(self) -> None:
        table, view = self._table, self._view
        if (cursor := view.cursor_key) != self._cursor:
            if (cursor is None) != (self._cursor is None):
                table.refresh_bindings()
            self._cursor = cursor
            table.post_message(table.CursorMoved(table, cursor))
        if (window := view.visible_keys) != self._window:
            self._window = window
            table.post_message(table.WindowChanged(table))
        if (marks := view.rows.marks) != self._marks:
            self._marks = marks
            table.post_message(table.MarksChanged(table, marks))
        self._request_more()

    def _request_more(self) -> None:
        """Request more rows near the end of an unfiltered list, once per end."""
        rows = self._view.rows
        if not self._view.height or rows.is_filtered or not self._view.is_near_end:
            return
        # A held key is faster than single pages: request twice as many each time.
        pages = min(max(1, 2 * self._view.pages - 1), _AT_ONCE)
        end = (rows.total, rows.last_key)
        if end != self._end or pages > self._pages:
            self._end, self._pages = end, pages
            if rows.total:
                self._table.post_message(self._table.MoreWanted(self._table, pages))

    def request_again(self) -> None:
        """Request more rows where that may have failed."""
        if not self._view.rows.is_filtered:
            self._table.post_message(self._table.MoreWanted(self._table, again=True))
