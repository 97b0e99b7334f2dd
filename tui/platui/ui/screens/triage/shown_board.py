"""The board that is shown, its rows, and the incidents of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.triage_board import QUIET, REST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board, BoardItem
    from platui.present.tables.triage_board import BoardRows
    from platui.present.triage.names import Names


class ShownBoard:
    """Maps rows to items of the board; kept rows have none before the kept board is read."""

    def __init__(self) -> None:
        self.board: Board | None = None  # What the rows show; at first, the kept one
        self.is_recalled = False  # Whether it is the kept one
        self.drawn: BoardRows | None = None  # The rows as drawn last
        self._named: tuple[tuple[tuple[int, str], ...], Names] | None = None

    def items_of(self, key: str | None) -> Sequence[BoardItem]:
        return () if self.drawn is None or key is None else self.drawn.items.get(key, ())

    def every_item(self) -> Iterable[tuple[str, Sequence[BoardItem]]]:
        return () if self.drawn is None else self.drawn.items.items()

    def is_known(self, key: str) -> bool:
        """Return whether the items of a row are known; a line between rows has none."""
        return key in {QUIET, REST} or bool(self.items_of(key))

    @property
    def causes(self) -> frozenset[str]:
        return frozenset() if self.drawn is None else self.drawn.causes

    @property
    def names(self) -> Names:
        """Return the names of the projects; made once, as each of hundreds of rows asks."""
        from platui.present.triage.names import Names  # noqa: PLC0415  (on first use)

        known = self.board.names if self.board is not None else ()
        if self._named is None or self._named[0] is not known:
            self._named = (known, Names(known))
        return self._named[1]

    def name_of(self, project: ProjectRef) -> str:
        """Return a project's path; where that is not known, its label."""
        names = self.names
        return names.path(project) or names.label(project)

    @property
    def answered(self) -> int:
        return 0 if self.board is None else answered_projects(self.board)

    @property
    def is_all_successful(self) -> bool:
        """Return whether every watched project is known, and there is nothing to show."""
        board = self.board
        if board is None or board.items or not board.known:
            return False
        return self.answered == board.watched


def answered_projects(board: Board) -> int:
    return board.known + len(board.inaccessible)
