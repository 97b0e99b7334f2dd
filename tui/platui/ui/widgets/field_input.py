"""The line of a form that is typed on, and the keys for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.message import Message
from textual.widgets import Input

from platui.present.chrome import KeyHint
from platui.present.form_rows import FormRow, Takes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.suggester import Suggester

VALUE: Final = "value"  # The part of a field that stands right of its label
HIDDEN_KEY: Final = "hidden key"
"""The key of a secret that is to be: what follows its `=` is not typed on the same line."""
EMPTIED: Final = "emptied"  # What is chosen of a field that is to be typed from nothing

_TYPING: Final = (
    KeyHint("enter", "take it"),
    KeyHint("tab", "take it, next"),
    KeyHint("esc", "leave it as it was"),
)
_FILL: Final = KeyHint("type", "fills it in")
_OVER: Final = KeyHint("type", "replaces it")
_ON: Final = (KeyHint("↓ tab", "next"), KeyHint("end enter", "send"), KeyHint("esc", "leave"))
_TEXT: Final = (KeyHint("enter", "edit"), *_ON)
_HIDDEN: Final = (KeyHint("type", "fills it in, masked"), *_ON)


def form_hints(row: FormRow | None, *, is_typing: bool) -> Sequence[KeyHint]:
    """Return the keys where letters are text; nothing where they are keys."""
    if is_typing:
        return _TYPING
    match row:
        case FormRow(takes=Takes.TEXT, is_filled=is_filled):
            return (_OVER if is_filled else _FILL, *_TEXT)
        case FormRow(takes=Takes.HIDDEN):
            return _HIDDEN
    return ()


class FieldInput(Input):
    """One line to type on. What is not to stand on it as pasted is handed over, and not cut."""

    class PastedLines(Message):
        """Several lines were pasted, or what may be a secret."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self,
        field: str,
        part: str,
        text: str,
        *,
        masked: bool,
        live: bool,
        hint: str,
        suggester: Suggester | None,
    ) -> None:
        super().__init__(
            text, hint, password=masked, compact=True, select_on_focus=False, suggester=suggester
        )
        self.cursor_blink = False
        self.field = field
        self.part = part
        self.is_live = live and not masked
        """Whether what stands on it is told while it is typed."""

    def _on_paste(self, event: events.Paste) -> None:
        secret = self.part == HIDDEN_KEY and "=" in event.text
        if secret or len(event.text.splitlines()) > 1:
            event.stop()
            event.prevent_default()
            self.post_message(self.PastedLines(event.text))
        # One line is left to Input: Textual calls its handler too, after this one.
