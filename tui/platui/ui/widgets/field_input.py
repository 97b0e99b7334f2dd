"""The input of a form field, and its key hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Final

from textual.message import Message
from textual.widgets import Input

from platui.core.dataclass import dataclass
from platui.present.chrome import KeyHint
from platui.present.form_rows import FormRow, Takes

if TYPE_CHECKING:
    from textual import events
    from textual.suggester import Suggester

VALUE: Final = "value"  # The part of a field right of its label
HIDDEN_KEY: Final = "hidden key"
"""The key of a new secret; the value after its `=` is typed in a masked input."""
EMPTIED: Final = "emptied"  # The part of a field that is edited from an empty text

_TYPING: Final = (
    KeyHint("enter", "accept"),
    KeyHint("tab", "accept, next"),
    KeyHint("esc", "undo"),
)
_FILL: Final = KeyHint("type", "to fill in")
_OVER: Final = KeyHint("type", "to replace")
_ON: Final = (KeyHint("↓ tab", "next"), KeyHint("end, enter", "send"), KeyHint("esc", "leave"))
_TEXT: Final = (KeyHint("enter", "edit"), *_ON)
_SEARCH: Final = (KeyHint("type", "to search"), KeyHint("enter", "choose"), *_ON)
_HIDDEN: Final = (KeyHint("type", "to fill in, masked"), *_ON)


def form_hints(row: FormRow | None, *, is_typing: bool) -> Sequence[KeyHint]:
    if is_typing:
        return _TYPING
    if row is None or row.takes is Takes.KEYS:
        return ()
    if row.takes is Takes.HIDDEN:
        return _HIDDEN
    if row.takes is Takes.SEARCH:
        return _SEARCH
    return (_OVER if row.is_filled else _FILL, *_TEXT)


class FieldInput(Input):
    """A one-line input; several pasted lines and secrets are posted as a message."""

    @dataclass
    class PastedLines(Message):
        """Several lines, or a possible secret, were pasted: the repr leaves them out."""

        text: str = field(repr=False)

    def __init__(
        self,
        field: str,
        part: str,
        text: str = "",
        *,
        masked: bool = False,
        live: bool = False,
        hint: str = "",
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__(
            text, hint, password=masked, compact=True, select_on_focus=False, suggester=suggester
        )
        self.cursor_blink = False
        self.field = field
        self.part = part
        self.is_live = live and not masked  # Whether each change is posted

    def _on_paste(self, event: events.Paste) -> None:
        secret = self.part == HIDDEN_KEY and "=" in event.text
        if secret or len(event.text.splitlines()) > 1:
            event.stop()
            event.prevent_default()
            self.post_message(self.PastedLines(event.text))
        # Textual then calls the handler of Input, which takes a single line.
