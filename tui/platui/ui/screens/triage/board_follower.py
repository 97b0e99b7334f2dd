"""Fetch and follow the board: the cached one first, then live data."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Final

from platui.models.values.connection import ConnectionState
from platui.models.values.queries import ProjectsQuery
from platui.present.chrome import Age
from platui.service import resources
from platui.ui.messages import OpenWatchChooser
from platui.ui.screens.parts.body import MAIN
from platui.ui.screens.triage.shown_board import answered_projects

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.values.routes import SavedView
    from platui.models.values.triage_board import Board, SavedBoard
    from platui.models.wire import Project
    from platui.ui.screens.triage.body import TriageBody

SEARCHED_FOR: Final = 10.0  # Most seconds to wait for causes
_CHOICE: Final = "choice"
_HEAVY: Final = (
    "platui.service.triage.state", "platui.service.triage.rows", "platui.store.saved_boards",
    "platui.present.tables.triage_board", "platui.present.triage.summary",
)  # fmt: skip  # Imported in a thread after the first frame: a key must not wait for them


class BoardFollower:
    """Fetches the board, and tracks its age; nothing watched: the projects to choose from."""

    def __init__(self, body: TriageBody, saved_view: SavedView | None) -> None:
        self._body = body
        self._service = body.service
        self.incoming: Board | None = None  # The newest board, while cached rows know more
        self._incoming_at: float | None = None  # Monotonic seconds
        self.watches = True
        self.choice: int | None = None  # Number of projects to choose from
        self._has_asked = False  # Whether the user was asked to choose
        self._kept: SavedBoard | None = None  # The cached board
        self._kept_at = (
            None if saved_view is None else datetime.fromtimestamp(saved_view.saved_at, UTC)
        )

    async def begin(self) -> None:
        for name in _HEAVY:
            await asyncio.to_thread(import_module, name)
        body, book = self._body, self._service.triage_state
        await book.ready()
        if not body.host.is_shown:
            return
        board = body.feeds.main or self._service.watch(resources.triage.board(book))
        body.host.while_shown(book.memory.observe(lambda _: self._memory_changed()))
        body.feeds.drop(_CHOICE)  # the choice may have changed
        self._check_watched()
        await self._recall()
        if not body.host.is_shown:
            return
        body.feeds.follow(MAIN, board, self._take)

    async def _recall(self) -> None:
        """Load the cached board: its rows can be acted on then."""
        if self._body.saved_view is None or self._body.shown.board is not None:
            return
        self._kept = await asyncio.to_thread(self._service.local_state.kept_board)
        self._show_kept()

    def _show_kept(self) -> None:
        from platui.service.triage.rows import restored_board  # noqa: PLC0415  (on first use)

        body, saved_view = self._body, self._body.saved_view
        if self._kept is None or saved_view is None or not saved_view.rows or not self.watches:
            return
        marks, now = self._service.triage_state.memory.value.marks, self._service.clock.now()
        body.shown.board, body.shown.is_recalled = restored_board(self._kept, marks, now), True
        body.draw()
        body.pending.run_known()

    def _memory_changed(self) -> None:
        self._check_watched()
        if self._body.shown.is_recalled:
            self._show_kept()

    def _check_watched(self) -> None:
        body = self._body
        watched = self._service.triage_state.memory.value.watched
        watches = bool(watched.projects or watched.groups)
        if watches != self.watches:
            self.watches = watches
            body.age, body.error = Age(), None
            body.draw()
            body.host.update_header()
        if watches:
            body.feeds.drop(_CHOICE)
        elif body.feeds.get(_CHOICE) is None:
            choice = self._service.watch(resources.projects.projects(ProjectsQuery()))
            body.feeds.follow(_CHOICE, choice, self._take_choice)

    def _take_choice(self, snapshot: Snapshot[Listing[Project]]) -> None:
        if self.watches:
            return
        if snapshot.value is not None:
            self.choice = snapshot.value.total or len(snapshot.value.items)
        self._body.judge(snapshot)
        self._body.draw()
        is_chosen = self._service.triage_state.memory.value.watched.is_chosen
        if self.choice and not is_chosen and not self._has_asked and self._body.host.is_current:
            self._has_asked = True
            self.choose_watched()

    def choose_watched(self) -> None:
        self._body.host.post_message(OpenWatchChooser(self._body.host.key_of("watch.choose")))

    def _take(self, board: Board) -> None:
        body = self._body
        body.error = board.error
        if self.watches and not self._knows_more(board):
            # Some shown rows are not confirmed yet.
            self.incoming = board
            body.draw_summary()
            body.host.update_notice(empty=not body.table.total_count)
            body.host.update_header()
            return
        self.incoming = None
        body.shown.board, body.shown.is_recalled = board, False
        if not self.watches:
            return
        if body.has_data():
            body.saved_view = None
        body.draw()
        body.host.update_header()
        body.pending.run_known()

    def _knows_more(self, board: Board) -> bool:
        """Return whether a board knows as much as the cached rows."""
        if self._body.saved_view is None or not self._body.saved_view.rows:
            return True
        if not board.is_cache_read:
            # The causes of the cached rows are not found yet.
            return False
        answered, now = answered_projects(board), self._service.clock.monotonic()
        if answered and answered == board.watched:
            return True
        self._incoming_at = now if self._incoming_at is None else self._incoming_at
        # Some projects may never answer, and none does without a connection.
        return bool(board.loaded and board.error) and now - self._incoming_at >= SEARCHED_FOR

    def update_age(self) -> None:
        body, shown = self._body, self._body.shown
        if shown.board is None or not self.watches or shown.is_recalled:
            return
        from platui.present.triage.summary import board_age  # noqa: PLC0415  (on first use)

        answers = self._service.line.value.state is ConnectionState.ONLINE
        body.age = board_age(
            shown.board, self._service.clock.now(), self._kept_at, answered=answers
        )
