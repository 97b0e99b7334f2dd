"""The hand-off of the triage board by its key: copied, and saved."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.models.values.connection import LineState
from platui.ui.messages import CopyWanted
from platui.ui.screens.listing import ListScreen

if TYPE_CHECKING:
    from textual.binding import BindingType

    from platui.models.values.triage_board import Board


class HandsOff(ListScreen):
    """Tells whoever goes on what is red, since when, why, and whose it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "e",
            "hand_off",
            "Hand-off",
            id="triage.hand_off",
            tooltip="All of the board as Markdown: copied, and saved to a file",
        ),
    ]

    board: Board | None

    async def action_hand_off(self) -> None:
        """Copy the hand-off, and ask under which name it is saved."""
        # Imported here: no first frame needs them.
        from platui.present.handoff import handoff, handoff_name  # noqa: PLC0415
        from platui.present.handoff_words import HandoffFacts  # noqa: PLC0415
        from platui.present.triage_names import Names  # noqa: PLC0415
        from platui.ui.dialogs.handoff import HandoffDialog  # noqa: PLC0415

        board, profile, line = self.board, self.service.profile, self.service.line.value
        if board is None:
            return
        facts = HandoffFacts(
            profile.name,
            profile.url,
            Names(board.names),
            self.service.clock.now(),
            self.utc,
            line.since if line.state is LineState.OFFLINE else None,
        )
        memory = self.service.triage_book.memory.value
        # Of a bad night there may be hundreds of incidents.
        text = await asyncio.to_thread(handoff, board, memory, facts)
        self.post_message(CopyWanted(text, "Hand-off"))
        await self.app.push_screen(HandoffDialog(text, handoff_name(facts)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the key while there is no board."""
        if action == "hand_off":
            return True if self.board is not None and self.board.known else None
        return super().check_action(action, parameters)
