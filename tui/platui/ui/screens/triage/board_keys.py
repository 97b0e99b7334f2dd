"""What the board shows: errors in full or on one line, all branches or default ones."""

from __future__ import annotations

from collections.abc import Sequence

from platui.ui.controller import Controller, command
from platui.ui.screens.triage.body import TriageBody, error_width


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
    @command("w", "triage.wrap", "Wrap")
    def toggle(self) -> None:
        """Show long errors in full, or cut them to one line."""
        self.body.wraps = not self.body.wraps
        self.body.draw()
        self.screen.footer_line.show_soon()

    def label(self, command: str) -> str:
        if command != "triage.wrap":
            return ""
        return "one line" if self.body.wraps else "whole error"

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if self.body.wraps or self._cuts():
            return names
        return [name for name in names if name != "triage.wrap"]

    def _cuts(self) -> bool:
        drawn, table = self.body.shown.drawn, self.body.table
        if drawn is None:
            return False
        from platui.present.tables.triage_board import is_cut  # noqa: PLC0415  (imported with the rows)

        row = next((row for row in drawn.rows if row.key == table.cursor_key), None)
        return row is not None and is_cut(row, error_width(table))
