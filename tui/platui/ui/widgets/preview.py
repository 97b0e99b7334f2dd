"""What will be sent, as lines that can be moved over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.message import Message

from platui.ui.widgets.moves import move_keys
from platui.ui.widgets.passage import Passage

if TYPE_CHECKING:
    from textual.binding import BindingType


class Preview(Passage, can_focus=True):
    """A passage with keys of its own."""

    DEFAULT_CSS = "Preview { width: 1fr; height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *move_keys("preview", "line"),
        Binding("escape", "leave", "Leave", id="preview.leave", tooltip="Back to the form"),
    ]

    @dataclass
    class Left(Message):
        """The reader goes back to where they came from."""

    def action_move(self, lines: int) -> None:
        """Move by lines."""
        self.page(lines)

    def action_top(self) -> None:
        """Go to the first line."""
        self.page(-len(self.text))

    def action_end(self) -> None:
        """Go to the last line."""
        self.page(len(self.text))

    def action_leave(self) -> None:
        """Tell that the reader is done here."""
        self.post_message(self.Left())
