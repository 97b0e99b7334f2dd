"""The key that unlocks writes: on lists, never in a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.ui.messages import UnlockWanted
from platui.ui.screens.base import PlaceScreen

if TYPE_CHECKING:
    from textual.binding import BindingType


class UnlocksWrites(PlaceScreen):
    """A view from which something can be written."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "U",
            "unlock",
            "Unlock",
            id="write.unlock",
            show=False,
            tooltip="Let writes through for 15 minutes, or lock them again",
        ),
    ]

    def action_unlock(self) -> None:
        """Unlock writes, or lock them again."""
        self.post_message(UnlockWanted())
