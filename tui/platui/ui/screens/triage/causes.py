"""Keys that expand and collapse causes with several incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.ui.controller import Controller, command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.ui.screens.triage.body import TriageBody


class CauseKeys(Controller["TriageBody"]):
    @property
    def _can_expand(self) -> bool:
        body = self.body
        return body.table.cursor_key in body.shown.causes - body.expanded

    def _show_expanded(self, keys: frozenset[str]) -> None:
        body = self.body
        body.expanded, body.is_expanding = keys, True
        body.draw()
        body.is_expanding = False
        self.screen.refresh_bindings()

    @command("right", "triage.expand", "Expand")
    def expand(self) -> None:
        """Show each incident of this cause, or go to the details."""
        body = self.body
        if body.context.defers(self.expand):
            return
        key = body.table.cursor_key
        if key is not None and self._can_expand:
            self._show_expanded(body.expanded | {key})
        else:
            body.details.focus()

    @command("left", "triage.collapse", "Collapse")
    def collapse(self) -> None:
        """Show the incidents of this cause as one row."""
        body, expanded = self.body, self.body.expanded
        key, drawn = body.table.cursor_key, body.shown.drawn
        if key is None or drawn is None:
            return
        cause = key if key in expanded else drawn.causes_of.get(key)
        if cause in expanded:
            self._show_expanded(expanded - {cause})
            body.table.move_to(cause)

    @command("x", "triage.expand_all", "Expand all")
    def change_all(self) -> None:
        """Show each incident of every cause, or one row per cause."""
        all_keys, expanded = self.body.shown.causes, self.body.expanded
        self._show_expanded(frozenset() if all_keys <= expanded else expanded | all_keys)

    def disabled_reason(self, command: str) -> str:
        body = self.body
        if command == "triage.expand_all":
            return "" if body.shown.causes else "Nothing to expand: no cause has several incidents."
        leads_in = body.shown.drawn is not None and (self._can_expand or body.details.has_room)
        if command == "triage.collapse" or leads_in or body.pending.must_wait:
            return ""
        return "Nothing to expand: select a cause with several incidents."

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if self._can_expand:
            return names
        return [name for name in names if name != "triage.expand"]
