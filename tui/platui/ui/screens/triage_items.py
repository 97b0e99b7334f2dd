"""The rows of the triage board: what they stand for, also before that is known."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from platui.models.values.triage_board import QUIET, REST
from platui.ui.messages import Told
from platui.ui.screens.listing import ListScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board, BoardItem
    from platui.present.tables.triage_board import BoardRows
    from platui.present.triage.names import Names


class BoardList(ListScreen):
    """A list whose rows stand for items of the triage board.

    What is asked of a row that is kept of the last time is done once it is known what it stands
    for. It comes after the lists among the bases of a screen: Textual takes styles from the first.
    """

    _named: tuple[tuple[tuple[int, str], ...], Names] | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.board: Board | None = None  # What the rows show; at first, the kept one
        self.drawn: BoardRows | None = None  # The rows, and what each stands for
        self._owed: list[tuple[str, Callable[[], Any]]] = []  # Rows and their pending actions

    def items_of(self, key: str | None) -> Sequence[BoardItem]:
        """Return what a row stands for."""
        return () if self.drawn is None or key is None else self.drawn.items.get(key, ())

    def every_item(self) -> Iterable[tuple[str, Sequence[BoardItem]]]:
        """Return each row's key, and what it stands for."""
        return () if self.drawn is None else self.drawn.items.items()

    def item_of(self, key: str | None) -> BoardItem | None:
        """Return the first of what a row stands for."""
        items = self.items_of(key)
        return items[0] if items else None

    @property
    def names(self) -> Names:
        """Return what projects are called; made once, as each of hundreds of rows asks."""
        from platui.present.triage.names import Names  # noqa: PLC0415  (on first use)

        known = self.board.names if self.board is not None else ()
        if self._named is None or self._named[0] is not known:
            self._named = (known, Names(known))
        return self._named[1]

    def name_of(self, project: ProjectRef) -> str:
        """Return a project's path; where that is not known, what it is called."""
        names = self.names
        return names.path(project) or names.label(project)

    def is_known(self, key: str) -> bool:
        """Return whether it is known what a row stands for; a line between rows is none."""
        return key in {QUIET, REST} or bool(self.items_of(key))

    def chosen_items(self) -> Sequence[BoardItem]:
        """Return what the row under the cursor stands for, or the marked rows, each once."""
        from platui.present.triage.names import item_key  # noqa: PLC0415  (with the rows)

        found = [item for key in self.chosen() for item in self.items_of(key)]
        return list({item_key(item): item for item in found}.values())

    @property
    def is_owing(self) -> bool:
        """Return whether what was asked of a row waits for it."""
        return bool(self._owed)

    def would_owe(self) -> bool:
        """Return whether a key would have to wait for what the row under the cursor stands for."""
        key = self.table.cursor_key if self.is_whole else None
        return key is not None and self.kept is not None and not self.is_known(key)

    def owes(self, do: Callable[[], Any]) -> bool:
        """Return whether something has to wait for what the row stands for; it is done then."""
        key = self.table.cursor_key
        if key is None or not self.would_owe():
            return False
        self._owed.append((key, do))
        self.draw_summary()
        return True

    def pay_owed(self) -> None:
        """Do what was asked of rows that are known now; of those that are gone it is said."""
        owed, self._owed = self._owed, []
        due = [one for one in owed if self.is_known(one[0])]
        if self.kept is None and len(due) < len(owed):
            self.post_message(Told("That row is not there any more: nothing was done to it."))
        elif self.kept is not None:
            self._owed = [one for one in owed if one not in due]
        if due:
            self.run_worker(work(self._pay, due), group="owed")

    async def _pay(self, due: list[tuple[str, Callable[[], Any]]]) -> None:
        here = self.table.cursor_key
        for key, do in due:
            if self.table.move_to(key) and isawaitable(done := do()):
                await done
        if here is not None and here != due[-1][0]:
            self.table.move_to(here)
