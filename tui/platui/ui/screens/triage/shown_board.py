"""The shown board: its rows, their items, and the actions that wait for these."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from platui.models.values.triage_board import QUIET, REST
from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board, BoardItem
    from platui.present.tables.triage_board import BoardRows
    from platui.present.triage.labels import Names
    from platui.ui.screens.triage.body import TriageBody


class ShownBoard:
    """Maps rows to items of the board; rows of a cached list have none at first."""

    def __init__(self) -> None:
        self.board: Board | None = None  # At first the cached one
        self.is_recalled = False  # Whether it is the cached one
        self.drawn: BoardRows | None = None  # The rows drawn last
        self._named: tuple[tuple[tuple[int, str], ...], Names] | None = None

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
    def answered(self) -> int:
        return 0 if self.board is None else answered_projects(self.board)

    @property
    def is_all_successful(self) -> bool:
        """Return whether every watched project is known, and nothing is shown."""
        board = self.board
        if board is None or board.items or not board.known:
            return False
        return self.answered == board.watched


def answered_projects(board: Board) -> int:
    return board.known + len(board.inaccessible)


class PendingActions:
    """Key actions on cached rows, run once the incidents of their rows are known."""

    def __init__(self, body: TriageBody) -> None:
        self._body = body
        self._waiting: list[tuple[str, Callable[[], Any]]] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def must_wait(self) -> bool:
        body = self._body
        key = body.table.cursor_key if body.is_whole else None
        return key is not None and body.saved_view is not None and not body.shown.is_known(key)

    def wait(self, do: Callable[[], Any]) -> bool:
        """Return whether an action must wait; it runs once its row is known."""
        key = self._body.table.cursor_key
        if key is None or not self.must_wait:
            return False
        self._waiting.append((key, do))
        self._body.draw_summary()
        return True

    def run_known(self) -> None:
        """Run the actions whose rows are known; report those whose rows are gone."""
        body = self._body
        waiting, self._waiting = self._waiting, []
        due = [one for one in waiting if body.shown.is_known(one[0])]
        if body.saved_view is None and len(due) < len(waiting):
            body.host.show_hint("That row no longer exists: its action was canceled.")
        elif body.saved_view is not None:
            self._waiting = [one for one in waiting if one not in due]
        if due:
            body.run_worker(work(self._run, due), group="pending")

    async def _run(self, due: list[tuple[str, Callable[[], Any]]]) -> None:
        table = self._body.table
        before = table.cursor_key
        for key, do in due:
            if table.move_to(key) and isawaitable(done := do()):
                await done
        if before is not None and before != due[-1][0]:
            table.move_to(before)
