"""What the board shows: errors in full, all branches, the incidents of a cause; or less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.ui.controller import Controller, command
from platui.ui.screens.triage.body import TriageBody, error_width

if TYPE_CHECKING:
    from platui.models.values.table import Row

_WHOLE: Final = "whole error"
_ONE_LINE: Final = f"{'one line':{len(_WHOLE)}}"  # as long: no other key moves
_DETAILS: Final = "details"
_EXPAND: Final = f"{'expand':{len(_DETAILS)}}"  # the same


class DefaultBranches(Controller[TriageBody]):
    @command("B", "triage.branches", "Default branches")
    async def toggle(self) -> None:
        """Show default branches only, or all branches."""
        await self.body.service.triage_state.hide_branches(not self.body.shown.hides_branches)

    def label(self, command: str) -> str:
        if command != "triage.branches" or self.body.shown.board is None:
            return ""
        return "all branches" if self.body.shown.hides_branches else ""


class WrapErrors(Controller[TriageBody]):
    _in_footer = (False, False)  # Whether it has a place, and does something now
    _searched: tuple[Sequence[Row], int] = ((), 0)  # Rows, and the cells of their errors
    _are_cut = False  # What was found

    @command("w", "triage.wrap", "Wrap")
    def toggle(self) -> None:
        """Show long errors in full, or cut them to one line."""
        self.body.wraps = not self.body.wraps
        self.body.draw()
        self.screen.footer_line.show_soon()

    def disabled_reason(self, command: str) -> str:
        if command != "triage.wrap" or self.body.wraps or self._cuts():
            return ""
        return "Nothing to wrap: each error fits on its line."

    def label(self, command: str) -> str:
        if command != "triage.wrap":
            return ""
        return _ONE_LINE if self.body.wraps else _WHOLE

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        return names if self._in_footer[0] else [name for name in names if name != "triage.wrap"]

    def catch_up(self) -> None:
        self.on_changed()

    def on_changed(self) -> None:
        has_place, is_useful = self._in_footer[0], self.body.wraps or self._cuts()
        # The place stays, so that no key moves with the rows.
        in_footer = has_place or is_useful, is_useful
        if in_footer != self._in_footer:
            self._in_footer = in_footer
            self.screen.footer_line.show_soon()

    def _cuts(self) -> bool:
        """Return whether the errors of a row are cut; searched once for the rows of a width."""
        drawn, width = self.body.shown.drawn, error_width(self.body.table)
        rows, searched_width = self._searched
        if drawn is not None and (drawn.rows is not rows or width != searched_width):
            from platui.present.tables.triage_board import is_cut  # noqa: PLC0415  (imported with the rows)

            self._searched = drawn.rows, width
            self._are_cut = any(is_cut(row, width) for row in drawn.rows)
        return self._are_cut


class CauseKeys(Controller[TriageBody]):
    _in_footer = (False, False)  # Whether the key that expands has a place, and can

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
        if body.table.cursor_key in body.expanded:
            return "Nothing to expand: all incidents of this cause are shown."
        return "Nothing to expand: select a cause with several incidents."

    def label(self, command: str) -> str:
        if command != "triage.expand":
            return ""
        leads_to_details = not self._can_expand and self.body.details.has_room
        return _DETAILS if leads_to_details else _EXPAND

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        return names if self._in_footer[0] else [name for name in names if name != "triage.expand"]

    def catch_up(self) -> None:
        self.on_changed()

    def on_changed(self) -> None:
        # The place stays, so that no key moves with the cursor.
        has_place = self._in_footer[0] or bool(self.body.shown.causes)
        if (in_footer := (has_place, self._can_expand)) != self._in_footer:
            self._in_footer = in_footer
            self.screen.footer_line.show_soon()
