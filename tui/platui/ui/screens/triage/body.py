"""The triage board: a row per cause, and late, running and recovered pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.ui.error_display import page
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.triage.board_follower import BoardFollower
from platui.ui.screens.triage.causes import ExpandedCauses
from platui.ui.screens.triage.context import TriageContext
from platui.ui.screens.triage.incident_cursor import IncidentCursor
from platui.ui.screens.triage.shown_board import PendingActions, ShownBoard
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.table import Column, Row
    from platui.present.chrome import Pieces

_WIDE: Final = 100
_PENDING: Final = "pending: runs once this row is loaded"
_EDGES: Final = 5  # Cells of mark, scrollbar and indent in a line below a row


class TriageBody(ListBody):
    CONTEXT = TriageContext
    NOUN = "watched projects"
    HAS_HEADER = False
    FAILED_FILTER = "broken"
    context: TriageContext

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.shown = ShownBoard()
        self.follower = BoardFollower(self, self.saved_view)
        self.causes = ExpandedCauses(self, self.saved_view)
        self.cursor = IncidentCursor(self)
        self.pending = PendingActions(self)
        self.wraps = False

    def ready(self) -> None:
        if self.saved_view is not None and self.saved_view.columns:
            self.table.set_columns(self.saved_view.columns)
        super().ready()

    def start_feeds(self) -> None:
        self.in_background("feed-begin", self.follower.begin)

    def show_header(self) -> None:
        """Update the age of the board, also after a reconnect."""
        self.follower.update_age()
        super().show_header()

    def has_data(self) -> bool:
        """Return whether any state of the watched projects is known, live or cached."""
        shown, watches = self.shown, self.follower.watches
        if shown.board is None or not watches:
            return not watches
        return shown.is_recalled or bool(shown.answered)

    def rows(self) -> Sequence[Row]:
        from platui.present.tables.triage_board import BoardRows, board_rows  # noqa: PLC0415  (on first use)

        board = self.shown.board
        if board is None:
            drawn = BoardRows()
        else:
            drawn = board_rows(board, self.causes.keys, self.now, utc=self.utc)
            self.table.set_columns(drawn.columns)
        self.shown.drawn = drawn
        if not self.wraps:
            return drawn.rows
        from platui.present.tables.triage_board import wrapped_rows  # noqa: PLC0415  (as above)

        return wrapped_rows(drawn.rows, error_width(self.table))

    def columns(self) -> tuple[Column, ...]:
        if self.shown.drawn is not None:
            return self.shown.drawn.columns
        return () if self.saved_view is None else self.saved_view.columns

    def draw(self) -> None:
        """Draw the rows; the cursor stays on its incident."""
        if self.is_whole:
            before = self.cursor.before_draw()
            super().draw()
            self.cursor.after_draw(before)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show rows; none of them moves while the user works here."""
        stays = self.cursor.keeps_position(rows)
        self.table.show(rows, stays=stays, anchored=self.cursor.is_anchored)

    def draw_summary(self) -> None:
        board, follower = self.shown.board, self.follower
        if self.pending and board is None:
            self.host.summarize([(_PENDING, "accent")])
        if board is None or not follower.watches or not self.has_data():
            return
        from platui.present.triage import summary as present  # noqa: PLC0415  (on first use)

        width = self.host.size.width
        wide = width >= _WIDE
        # The filter comes first: long lines are cut at their end.
        pieces = [*filter_pieces(self), *present.summary_pieces(board.counts, wide=wide)]
        # With cached rows, show the progress of the board being fetched.
        now = follower.incoming if self.shown.is_recalled else board
        cost = present.cost_pieces(now, wide=wide) if now is not None else []
        self.host.summarize(pieces, present.fit_cost(pieces, cost, width))

    def notice(self, *, empty: bool) -> Pieces:
        board = self.shown.board
        is_on_page = (
            empty and not self.shown.is_all_successful
        )  # Whether the page shows why it is empty
        line = super().notice(empty=is_on_page)
        if not line and board is not None and not is_on_page:
            from platui.present.triage.summary import refused_pieces  # noqa: PLC0415  (on first use)

            line = refused_pieces(board)
        if not line and board is not None and board.problem:
            line = ((f" {board.problem}", "warning"),)
        return line

    def page(self) -> tuple[str, str]:
        board, is_all_successful = self.shown.board, self.shown.is_all_successful
        if self.follower.watches and (board is None or self.table.total_count):
            return super().page()
        from platui.present.triage import summary as present  # noqa: PLC0415  (on first use)

        keyed = self.host.keyed
        if self.error is not None and not is_all_successful:
            return page(self.error, self.host.key_of), "muted"
        if not self.follower.watches:
            words = present.nothing_watched(self.follower.choice, self.service.profile.name)
            return keyed(words), "muted"
        if board is not None and present.all_refused(board):
            return keyed(present.refused_page(board)), "muted"
        if board is not None and is_all_successful:
            keys, now = keyed(present.NO_FAILURES_KEYS), self.now
            return present.no_failures_page(board, now, keys, utc=self.utc), "success"
        return super().page()

    @on(Table.CursorMoved, "#table")
    def _other_row(self) -> None:
        self.host.footer_line.show_soon()


def error_width(table: Table) -> int:
    return table.size.width - _EDGES
