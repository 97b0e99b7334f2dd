"""The board: fetched and followed, its shown rows and their items, actions that wait for these."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.connection import ConnectionState
from platui.models.values.triage_headings import QUIET, REST
from platui.present.chrome import Age
from platui.service import resources
from platui.ui.messages import OpenWatchChooser
from platui.ui.screens.parts.body import MAIN
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import SavedView
    from platui.models.values.triage_board import Board, BoardItem, SavedBoard
    from platui.models.wire import Project
    from platui.present.tables.triage_board import BoardRows
    from platui.present.triage.labels import Names
    from platui.ui.screens.triage.body import TriageBody

SEARCHED_FOR: Final = 10.0  # Most seconds to wait for causes
_CHOICE: Final = "choice"
_HEAVY: Final = (
    "platui.service.triage.state", "platui.service.triage.rows", "platui.store.saved_boards",
    "platui.present.tables.triage_board", "platui.present.triage.summary",
)  # fmt: skip  # Imported in a thread after the first frame: a key must not wait for them


class _Pending(NamedTuple):
    key: str  # Of the row
    do: Callable[[], Any]
    opens: bool  # Whether it opens a view or a dialog


class PendingActions:
    """Key actions on cached rows, run once the incidents of their rows are known."""

    def __init__(self, body: TriageBody) -> None:
        self._body = body
        self._waiting: list[_Pending] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def must_wait(self) -> bool:
        body = self._body
        key = body.table.cursor_key if body.is_whole else None
        return key is not None and body.saved_view is not None and not body.shown.is_known(key)

    def wait(self, do: Callable[[], Any], *, opens: bool = True) -> bool:
        """Return whether an action must wait; it runs once its row is known.

        One that `opens` something is dropped when the user leaves the view.
        """
        key = self._body.table.cursor_key
        if key is None or not self.must_wait:
            return False
        self._waiting.append(_Pending(key, do, opens))
        self._body.host.while_shown(self._leave)
        self._body.draw_summary()
        return True

    def _leave(self) -> None:
        self._waiting = [one for one in self._waiting if not one.opens]

    def run_known(self) -> None:
        """Run the actions whose rows are known; report those whose rows are gone."""
        body = self._body
        waiting, self._waiting = self._waiting, []
        due = [one for one in waiting if body.shown.is_known(one.key)]
        if body.saved_view is None and len(due) < len(waiting):
            body.host.show_hint("That row no longer exists: its action was canceled.")
        elif body.saved_view is not None:
            self._waiting = [one for one in waiting if one not in due]
        if due:
            body.run_worker(work(self._run, due), group="pending")

    async def _run(self, due: Sequence[_Pending]) -> None:
        table = self._body.table
        before = table.cursor_key
        for one in due:
            if table.move_to(one.key) and isawaitable(done := one.do()):
                await done
        if before is not None and before != due[-1].key:
            table.move_to(before)


class ShownBoard:
    """Fetches the board, or projects to choose from, and maps rows to items."""

    def __init__(self, body: TriageBody, saved_view: SavedView | None) -> None:
        self._body = body
        self._service = body.service
        self.board: Board | None = None  # At first the cached one
        self.is_recalled = False  # Whether it is the cached one
        self._visible: tuple[Board, bool, Board] | None = None  # A board, and its visible part
        self.drawn: BoardRows | None = None  # The rows drawn last
        self._named: tuple[tuple[tuple[int, str], ...], Names] | None = None
        self.incoming: Board | None = None  # The newest board, while cached rows know more
        self._incoming_at: float | None = None  # Monotonic seconds
        self.watches = True
        self.choice: int | None = None  # Number of projects to choose from
        self._has_asked = False  # Whether the user was asked to choose
        self._kept: SavedBoard | None = None  # The cached board
        self._kept_at = (
            None if saved_view is None else datetime.fromtimestamp(saved_view.saved_at, UTC)
        )

    def items_of(self, key: str | None) -> Sequence[BoardItem]:
        return () if self.drawn is None or key is None else self.drawn.items.get(key, ())

    def every_item(self) -> Iterable[tuple[str, Sequence[BoardItem]]]:
        return () if self.drawn is None else self.drawn.items.items()

    def is_known(self, key: str) -> bool:
        """Return whether the items of a row are known; separators have none."""
        return key in {QUIET, REST} or bool(self.items_of(key))

    @property
    def causes(self) -> frozenset[str]:
        return frozenset() if self.drawn is None else self.drawn.causes

    @property
    def names(self) -> Names:
        from platui.present.triage.labels import Names  # noqa: PLC0415  (on first use)

        known = self.board.names if self.board is not None else ()
        if self._named is None or self._named[0] is not known:
            self._named = (known, Names(known))
        return self._named[1]

    def name_of(self, project: ProjectRef) -> str:
        names = self.names
        return names.path(project) or names.label(project)

    @property
    def hides_branches(self) -> bool:
        return self._service.triage_state.memory.value.hides_branches

    def visible(self, board: Board) -> Board:
        """Return the visible part of a board: all, or default branches only."""
        hides = self.hides_branches
        if self._visible is None or self._visible[0] is not board or self._visible[1] != hides:
            from platui.analysis.triage.board import on_default_branches  # noqa: PLC0415  (as above)

            part = on_default_branches(board, self._service.clock.now()) if hides else board
            self._visible = (board, hides, part)
        return self._visible[2]

    @property
    def is_all_successful(self) -> bool:
        """Return whether every watched project is known, and nothing is shown."""
        board = self.board
        if board is None or board.items or not board.known:
            return False
        return board.has_answered

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
        if body.saved_view is not None and self.board is None:
            # Cached rows can be acted on once their board is loaded.
            self._kept = await asyncio.to_thread(self._service.local_state.kept_board)
            self._show_kept()
        if body.host.is_shown:
            body.feeds.follow(MAIN, board, self._take)

    def _show_kept(self) -> None:
        from platui.service.triage.rows import restored_board  # noqa: PLC0415  (on first use)

        body, saved_view = self._body, self._body.saved_view
        if self._kept is None or saved_view is None or not saved_view.rows or not self.watches:
            return
        marks, now = self._service.triage_state.memory.value.marks, self._service.clock.now()
        self.board, self.is_recalled = restored_board(self._kept, marks, now), True
        body.draw()
        body.pending.run_known()

    def _memory_changed(self) -> None:
        self._check_watched()
        if self.is_recalled:
            self._show_kept()
        if self._visible is not None and self._visible[1] != self.hides_branches:
            self._body.draw()

    def _check_watched(self) -> None:
        body = self._body
        watches = not self._service.triage_state.memory.value.watched.is_empty
        if watches != self.watches:
            self.watches = watches
            body.age, body.error = Age(), None
            body.draw()
            body.host.update_header()
        if watches:
            body.feeds.drop(_CHOICE)
        elif body.feeds.get(_CHOICE) is None:
            from platui.models.values.queries import ProjectsQuery  # noqa: PLC0415  (as above)

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
        is_in_front = self._body.app.screen is self._body.host
        if self.choice and not is_chosen and not self._has_asked and is_in_front:
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
        before = self.board if self.incoming is None and not self.is_recalled else None
        self.incoming = None
        self.board, self.is_recalled = board, False
        if not self.watches:
            return
        if before is not None and board == replace(before, fetched_at=board.fetched_at):
            body.host.update_header()
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
        if board.answered and board.has_answered:
            return True
        now = self._service.clock.monotonic()
        self._incoming_at = now if self._incoming_at is None else self._incoming_at
        # Some projects may never answer, and none does without a connection.
        return bool(board.loaded and board.error) and now - self._incoming_at >= SEARCHED_FOR

    def update_age(self) -> None:
        if self.board is None or not self.watches or self.is_recalled:
            return
        from platui.present.triage.summary import board_age  # noqa: PLC0415  (on first use)

        body, answers = self._body, self._service.line.value.state is ConnectionState.ONLINE
        body.age = board_age(self.board, body.now, self._kept_at, answered=answers)
