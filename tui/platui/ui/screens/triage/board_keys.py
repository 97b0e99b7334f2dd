"""Keys of the whole board: handoff, and wrapping of errors."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.models.values.connection import ConnectionState
from platui.ui.controller import Controller, command
from platui.ui.messages import CopyText
from platui.ui.screens.triage.body import TriageBody, error_width

if TYPE_CHECKING:
    from collections.abc import Sequence


class HandOff(Controller[TriageBody]):
    """Exports the board for a colleague."""

    @command("e", "triage.hand_off", "Handoff")
    async def hand_off(self) -> None:
        # No first frame needs these.
        """Copy the board as Markdown, and save it to a file."""
        from platui.present.triage.handoff import handoff, handoff_name  # noqa: PLC0415
        from platui.present.triage.handoff_lines import HandoffFacts  # noqa: PLC0415
        from platui.present.triage.labels import Names  # noqa: PLC0415
        from platui.ui.dialogs.save import handoff_dialog  # noqa: PLC0415

        board, service = self.body.shown.board, self.body.service
        profile, line = service.profile, service.line.value
        if board is None:
            return
        facts = HandoffFacts(
            profile.name,
            profile.url,
            Names(board.names),
            service.clock.now(),
            self.body.utc,
            line.since if line.state is ConnectionState.OFFLINE else None,
        )
        memory = service.triage_state.memory.value
        # There may be hundreds of incidents.
        text = await asyncio.to_thread(handoff, board, memory, facts)
        self.screen.post_message(CopyText(text, "Handoff"))
        await self.screen.app.push_screen(handoff_dialog(text, handoff_name(facts)))

    def disabled_reason(self, _command: str) -> str:
        board = self.body.shown.board
        if board is not None and board.known:
            return ""
        return "Nothing to hand off: no project is loaded yet."


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
        from platui.present.tables.triage_board import is_cut  # noqa: PLC0415  (imported with the rows)

        drawn, table = self.body.shown.drawn, self.body.table
        if drawn is None:
            return False
        row = next((row for row in drawn.rows if row.key == table.cursor_key), None)
        return row is not None and is_cut(row, error_width(table))
