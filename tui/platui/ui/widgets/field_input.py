"""The line on which a field of a form is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events


class FieldInput(Input):
    """One line to type on. What is not to stand on it as pasted is handed over, and not cut."""

    class PastedLines(Message):
        """Several lines were pasted, or what may be a secret."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    is_key_of_secret = False
    """Whether a value that is pasted here is a secret."""

    def _on_paste(self, event: events.Paste) -> None:
        secret = self.is_key_of_secret and "=" in event.text
        if secret or len(event.text.splitlines()) > 1:
            event.stop()
            event.prevent_default()
            self.post_message(self.PastedLines(event.text))
        # One line is left to Input: Textual calls its handler too, after this one.
