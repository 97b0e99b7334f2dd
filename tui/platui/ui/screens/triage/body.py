"""The body of the triage board: its rows, summary and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.models.values.previews import JOBS, LOG
from platui.ui.error_display import page
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.triage.board import PendingActions, ShownBoard
from platui.ui.screens.triage.context import OPENED, TriageContext
from platui.ui.screens.triage.incident_cursor import IncidentCursor
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from platui.models.values.table import Column, Row
    from platui.present.chrome import Pieces

_WIDE: Final = 100
_PENDING: Final = "pending: runs once this row is loaded"
_EDGES: Final = 5  # Cells of mark, scrollbar and indent in a line below a row


class TriageBody(ListBody):
    CONTEXT = TriageContext
    PREVIEWS = (LOG, JOBS)
    NOUN = "watched projects"
    HAS_HEADER = False
    STARTS_AT_TOP = True
    FAILED_FILTER = "broken"
    context: TriageContext

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.shown = ShownBoard(self, self.saved_view)
        opened = "" if self.saved_view is None else self.saved_view.extra.get(OPENED, "")
        self.expanded = frozenset(opened.splitlines())  # Keys of causes
        self.is_expanding = False  # During a change of these by the user
        self.cursor = IncidentCursor(self)
        self.pending = PendingActions(self)
        self._wrapped_at = 0  # The width of errors that are shown in full

    def ready(self) -> None:
        if self.saved_view is not None and self.saved_view.columns:
            self.table.set_columns(self.saved_view.columns)
        super().ready()

    def start_feeds(self) -> None:
        self.in_background("feed-begin", self.shown.begin)

    def show_header(self) -> None:
        """Update the age of the board, also after a reconnect."""
        self.shown.update_age()
        super().show_header()

    def has_data(self) -> bool:
        """Return whether any state of the watched projects is known, live or cached."""
        board, watches = self.shown.board, self.shown.watches
        if board is None or not watches:
            return not watches
        return self.shown.is_recalled or bool(board.answered or board.empty_groups)

    def rows(self) -> Sequence[Row]:
        from platui.present.tables import triage_board as tables  # noqa: PLC0415  (on first use)

        drawn, board = tables.BoardRows(), self.shown.board
        if board is not None:
            board, effects = self.shown.visible(board), self.service.write_effects.value
            drawn = tables.board_rows(board, self.expanded, self.now, effects=effects, utc=self.utc)
            self.table.set_columns(drawn.columns)
        self.shown.drawn = drawn
        if self.wraps:
            self._wrapped_at = error_width(self.table)
            return tables.wrapped_rows(drawn.rows, self._wrapped_at)
        return drawn.rows

    def columns(self) -> tuple[Column, ...]:
        if self.shown.drawn is not None:
            return self.shown.drawn.columns
        return () if self.saved_view is None else self.saved_view.columns

    def draw(self) -> None:
        if self.is_whole:
            self.cursor.keep_while(super().draw)

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.cursor.show(rows)

    def draw_summary(self) -> None:
        board, shown = self.shown.board, self.shown
        if self.pending and board is None:
            self.host.summarize([(_PENDING, "accent")])
        if board is None or not shown.watches or not self.has_data():
            return
        from platui.present.triage import summary as present  # noqa: PLC0415  (on first use)

        width = self.host.size.width
        wide = width >= _WIDE
        # The filter comes first: long lines are cut at their end.
        visible = shown.visible(board)
        missing = present.missing_projects(board)
        broken, *others = present.summary_pieces(visible.counts, wide=wide, missing=missing)
        key = self.host.key_of("triage.branches")
        words = present.hidden_branches(board.counts.rows - visible.counts.rows, key)
        pieces = [*filter_pieces(self), broken, *words, *others]
        # With cached rows, show the progress of the board being fetched.
        now = shown.incoming if shown.is_recalled else board
        cost = present.cost_pieces(now, wide=wide) if now is not None else []
        self.host.summarize(pieces, present.fit_cost(pieces, cost, width))

    def notice(self, *, empty: bool) -> Pieces:
        board = self.shown.board
        # Whether the page shows why it is empty.
        is_on_page = empty and not self.shown.is_all_successful
        line = super().notice(empty=is_on_page)
        if not line and board is not None and not is_on_page:
            from platui.present.triage.summary import refused_pieces  # noqa: PLC0415  (on first use)

            line = refused_pieces(board)
        if not line and board is not None and board.problem:
            line = ((f" {board.problem}", "warning"),)
        return line

    def page(self) -> tuple[str, str]:
        board, is_all_successful = self.shown.board, self.shown.is_all_successful
        if self.shown.watches and (board is None or self.table.total_count):
            return super().page()
        from platui.present.triage import summary as present  # noqa: PLC0415  (on first use)

        keyed = self.host.keyed
        if self.error is not None and not is_all_successful:
            return page(self.error, self.host.key_of), "muted"
        if not self.shown.watches:
            words = present.nothing_watched(self.shown.choice, self.service.profile.name)
            return keyed(words), "muted"
        if board is not None and present.all_refused(board):
            return keyed(present.refused_page(board)), "muted"
        if board is not None and board.items and not self.table.total_count:
            return keyed(present.all_hidden(len(board.items))), "success"
        if board is not None and is_all_successful:
            keys, now = keyed(present.NO_FAILURES_KEYS), self.now
            return present.no_failures_page(board, now, keys, utc=self.utc), "success"
        return super().page()

    @on(Table.LaidOut, "#table")
    def _laid_out(self) -> None:
        """Wrap errors again: details beside the board may have taken its place, or left it."""
        if self.wraps and self._wrapped_at != error_width(self.table):
            self.draw()

    @on(Table.CursorMoved, "#table")
    def _other_row(self) -> None:
        self.host.footer_line.show_soon()


def error_width(table: Table) -> int:
    return table.size.width - _EDGES
