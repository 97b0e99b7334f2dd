"""Expand and collapse causes with several incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.ui.controller import Controller, command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models.values.routes import SavedView
    from platui.ui.screens.triage.body import TriageBody

_OPENED: Final = "opened"  # Saved keys of expanded causes, one per line


class ExpandedCauses:
    def __init__(self, body: TriageBody, saved_view: SavedView | None) -> None:
        self._body = body
        lines = saved_view.extra.get(_OPENED, "") if saved_view is not None else ""
        self.keys = frozenset(lines.splitlines())
        self.is_changing = False  # During a change by the user

    @property
    def saved_keys(self) -> Mapping[str, str]:
        return {_OPENED: "\n".join(sorted(self.keys))}

    @property
    def can_expand(self) -> bool:
        return self._body.table.cursor_key in self._body.shown.causes - self.keys

    def change(self, keys: frozenset[str]) -> None:
        self.keys, self.is_changing = keys, True
        self._body.draw()
        self.is_changing = False
        self._body.host.refresh_bindings()


class CauseKeys(Controller["TriageBody"]):
    @command("right", "triage.expand", "Expand")
    def expand(self) -> None:
        """Show each incident of this cause, or go to the details."""
        body = self.body
        if body.context.defers(self.expand):
            return
        key = body.table.cursor_key
        if key is not None and body.causes.can_expand:
            body.causes.change(body.causes.keys | {key})
        else:
            body.details.focus()

    @command("left", "triage.collapse", "Collapse")
    def collapse(self) -> None:
        """Show the incidents of this cause as one row."""
        body, expanded = self.body, self.body.causes.keys
        key, drawn = body.table.cursor_key, body.shown.drawn
        if key is None or drawn is None:
            return
        cause = key if key in expanded else drawn.causes_of.get(key)
        if cause in expanded:
            body.causes.change(expanded - {cause})
            body.table.move_to(cause)

    @command("x", "triage.expand_all", "Expand all")
    def change_all(self) -> None:
        """Show each incident of every cause, or one row per cause."""
        all_keys, expanded = self.body.shown.causes, self.body.causes.keys
        self.body.causes.change(frozenset() if all_keys <= expanded else expanded | all_keys)

    def disabled_reason(self, command: str) -> str:
        body = self.body
        if command == "triage.expand_all":
            return "" if body.shown.causes else "Nothing to expand: no cause has several incidents."
        leads_in = body.shown.drawn is not None and (
            body.causes.can_expand or body.details.has_room
        )
        if command == "triage.collapse" or leads_in or body.pending.must_wait:
            return ""
        return "Nothing to expand: select a cause with several incidents."

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if self.body.causes.can_expand:
            return names
        return [name for name in names if name != "triage.expand"]
