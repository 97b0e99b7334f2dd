"""The shown board, its rows, and the items of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.triage_board import QUIET, REST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board, BoardItem
    from platui.present.tables.triage_board import BoardRows
    from platui.present.triage.labels import Names


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
