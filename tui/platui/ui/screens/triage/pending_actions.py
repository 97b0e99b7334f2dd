"""Key actions on cached rows, run once the incidents of their rows are known."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.ui.screens.triage.body import TriageBody


class PendingActions:
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
