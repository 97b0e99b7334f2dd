"""Which keys a row of a form tells of: those of its letters, where they are text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.present.chrome import KeyHint
from platui.present.form_rows import FormRow, Takes

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPING: Final = (
    KeyHint("enter", "take it"),
    KeyHint("tab", "take it, next"),
    KeyHint("esc", "leave it as it was"),
)
_FILL: Final = KeyHint("type", "fills it in")
_OVER: Final = KeyHint("type", "replaces it")
_TEXT: Final = (
    KeyHint("enter", "edit"),
    KeyHint("↓ tab", "next"),
    KeyHint("end enter", "send"),
    KeyHint("esc", "leave"),
)
_HIDDEN: Final = (
    KeyHint("type", "fills it in, masked"),
    KeyHint("↓ tab", "next"),
    KeyHint("end enter", "send"),
    KeyHint("esc", "leave"),
)


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
