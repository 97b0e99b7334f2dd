"""What the triage board shows: the one that was left, then what the platform tells of it now."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.connection import LineState
from platui.models.values.queries import ProjectsQuery
from platui.present.chrome import Age
from platui.service import resources
from platui.ui.keys_in_use import bind
from platui.ui.messages import WatchChoiceWanted
from platui.ui.screens.parts.followed import MAIN
from platui.ui.screens.triage_items import BoardList

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.values.triage_board import Board, KeptBoard
    from platui.models.wire import Project

LOOKED_FOR: Final = 10.0
"""Seconds after which the cursor stays on its incident, although causes are still looked for."""
_HEAVY: Final = (
    "platui.service.triage.book", "platui.service.triage.rows", "platui.store.kept_boards",
    "platui.present.tables.triage_board", "platui.present.triage.summary",
)  # fmt: skip
"""More than a key may wait for: imported in a thread, behind the first frame."""


class FollowsBoard(BoardList):
    """Has the board that is to be shown, and knows how much of it can be trusted.

    While nothing is watched it follows the projects that could be.
    """

    BINDINGS = [
        bind(
            "c",
            "watch.choose",
            "Watch list",
            "Choose among all projects which are watched",
            action="choose_watched",
        )
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.is_recalled = False  # Whether it is the one that was left
        self.coming: Board | None = None  # The newest one, while it knows less
        self._coming_at: float | None = None  # Monotonic second at which the first such one came
        self.watches = True  # Whether anything is watched at all
        self._has_asked = False  # Whether it was asked what is to be watched
        self.choice: int | None = None  # How many of them there are
        self._left: KeptBoard | None = None  # The kept board, while its rows are shown
        self._left_at = (
            None if self.kept is None else datetime.fromtimestamp(self.kept.saved_at, UTC)
        )
        """When the platform told that one."""

    def on_mount(self) -> None:
        """Lay out the rows of the last time."""
        if self.kept is not None and self.kept.columns:
            self.table.set_columns(self.kept.columns)

    def start_feeds(self) -> None:
        """Follow the board, once what knows of boards is imported."""
        self.in_background("feed-begin", self._begin)

    async def _begin(self) -> None:
        for name in _HEAVY:
            await asyncio.to_thread(import_module, name)
        book = self.service.triage_book
        await book.ready()
        if not self.is_shown:
            return
        board = self.feeds.main or self.service.watch(resources.triage.board(book))
        self.while_shown(book.memory.observe(lambda _: self._memory_changed()))
        self.feeds.drop("choice")  # what one could choose may be another by now
        self._look_whether_watched()
        await self._recall()
        if not self.is_shown:
            return
        self.feeds.follow(MAIN, board, self._show)

    async def _recall(self) -> None:
        """Show the board that was left: its rows stand there already, and can be worked with."""
        if self.kept is None or self.board is not None:
            return
        self._left = await asyncio.to_thread(self.service.local_state.kept_board)
        self._show_left()

    def _show_left(self) -> None:
        """Show the board that was left, with what is said of it now."""
        from platui.service.triage.rows import recalled  # noqa: PLC0415  (on first use)

        left, kept = self._left, self.kept
        if left is None or kept is None or not kept.rows or not self.watches:
            return
        marks, now = self.service.triage_book.memory.value.marks, self.service.clock.now()
        self.board, self.is_recalled = recalled(left, marks, now), True
        self.draw()
        self.pay_owed()

    def _memory_changed(self) -> None:
        self._look_whether_watched()
        if self.is_recalled:
            self._show_left()

    def _look_whether_watched(self) -> None:
        watched = self.service.triage_book.memory.value.watched
        watches = bool(watched.projects or watched.groups)
        if watches != self.watches:
            self.watches = watches
            self.age, self.error = Age(), None
            self.draw()
            self.tell_header()
        if watches:
            self.feeds.drop("choice")
        elif self.feeds.get("choice") is None:
            choice = self.service.watch(resources.projects.projects(ProjectsQuery()))
            self.feeds.follow("choice", choice, self._show_choice)

    def _show_choice(self, snapshot: Snapshot[Listing[Project]]) -> None:
        """Show how many projects one could watch; or why nobody tells, the first time of all."""
        if self.watches:
            return
        if snapshot.value is not None:
            self.choice = snapshot.value.total or len(snapshot.value.items)
        self.judge(snapshot)
        self.draw()
        self._ask_once()

    def _ask_once(self) -> None:
        """Ask who never chose what is watched, when there is something to choose."""
        is_chosen = self.service.triage_book.memory.value.watched.is_chosen
        if self.choice and not is_chosen and not self._has_asked and self.is_current:
            self._has_asked = True
            self.action_choose_watched()

    def action_choose_watched(self) -> None:
        """Choose among all projects which are watched."""
        self.post_message(WatchChoiceWanted(self.key_of("watch.choose")))

    def _show(self, board: Board) -> None:
        self.error = board.error
        if self.watches and not self._tells_more(board):
            # Of what is on the screen not all is known to be still so.
            self.coming = board
            self.draw_summary()
            self.tell_notice(empty=not self.table.total_count)
            self.tell_header()
            return
        self.board, self.coming, self.is_recalled = board, None, False
        if not self.watches:
            return
        if self.has_data():
            self.kept = None
        self.draw()
        self.tell_header()
        self.pay_owed()

    def _tells_more(self, board: Board) -> bool:
        """Return whether a board says as much as the rows that are kept of the last one."""
        if self.kept is None or not self.kept.rows:
            return True
        if not board.is_recalled:
            # The causes that these rows have are still being looked for.
            return False
        told, now = _told_on(board), self.service.clock.monotonic()
        if told and told == board.watched:
            return True
        self._coming_at = now if self._coming_at is None else self._coming_at
        # Of some project nobody may ever tell; and of none, where nobody is there.
        return bool(board.told and board.error) and now - self._coming_at >= LOOKED_FOR

    def tell_header(self) -> None:
        """Show how much of the board can be trusted now: also when the platform is there again."""
        if self.board is not None and self.watches and not self.is_recalled:
            from platui.present.triage.summary import board_age  # noqa: PLC0415  (on first use)

            answered = self.service.line.value.state is LineState.ONLINE
            self.age = board_age(
                self.board, self.service.clock.now(), self._left_at, answered=answered
            )
        super().tell_header()

    def has_data(self) -> bool:
        """Return whether anything is known of what is watched: now, or as it was left."""
        if self.board is None or not self.watches:
            return not self.watches
        return self.is_recalled or bool(self.told)

    @property
    def told(self) -> int:
        """Return of how many projects it is known how they stand, or that nobody will say."""
        return 0 if self.board is None else _told_on(self.board)


def _told_on(board: Board) -> int:
    """Return of how many projects it is known how they stand, or that nobody will say."""
    return board.known + len(board.refused)
