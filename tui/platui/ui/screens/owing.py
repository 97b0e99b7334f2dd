"""Keys on rows that are kept of the last time, before it is known what those stand for."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from platui.ui.messages import Told
from platui.ui.screens.listing import ListScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable


class OwesKeys(ListScreen):
    """A view that does what was asked of such a row once it can, and to no other row.

    It stands behind the lists among the bases of a screen: Textual takes styles from the first
    one only.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._owed: list[tuple[str, Callable[[], Any]]] = []
        """Keys of rows with what was asked of them, in their order."""

    def is_known(self, key: str) -> bool:
        """Return whether it is known what a row stands for."""
        raise NotImplementedError

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
            self.run_worker(
                work(self._pay, due), group="owed", exclusive=False, exit_on_error=True,
                description="do what was asked of rows",
            )  # fmt: skip

    async def _pay(self, due: list[tuple[str, Callable[[], Any]]]) -> None:
        here = self.table.cursor_key
        for key, do in due:
            if self.table.move_to(key) and isawaitable(done := do()):
                await done
        if here is not None and here != due[-1][0]:
            self.table.move_to(here)
