"""The parts of a form: how a row is drawn, the keys it shows, the line to type on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.message import Message
from textual.widgets import Input

from platui.present.chrome import KeyHint
from platui.present.form_rows import FormRow, Takes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from platui.present.chrome import Pieces


MARGIN: Final = 3  # Cells left of the labels: the sign of the cursor stands there
_LABELS: Final = (14, 30)  # The least and the most cells for labels
_GAP: Final = 2


def label_width(rows: Sequence[FormRow], width: int) -> int:
    """Return the cells that labels have, and the gap behind them, in a form so wide."""
    least, most = _LABELS
    longest = max((cell_len(row.label) for row in rows if row.field), default=0)
    return min(max(least, longest), most, max(least, width // 3)) + _GAP


def problem_pieces(problem: str, labels: int) -> Pieces:
    """Return a line of what is wrong with the row above."""
    return ((" " * (MARGIN + labels), "text"), (problem, "failed"))


def row_pieces(row: FormRow, labels: int, *, here: bool) -> tuple[Pieces, Pieces]:
    """Return what a row shows at its left, and at its right edge; `labels` are cells."""
    label = row.label
    if cell_len(label) > labels - 1:
        label = f"{label[: labels - _GAP]}…"
    label += " " * (labels - cell_len(label))
    if not row.label:
        label = ""
    lead = " › " if here else " " * MARGIN
    role = "strong" if here else "muted"
    right = (("  ", "text"), (row.note, "muted"), (" ", "text")) if row.note else ()
    return ((lead, "accent"), (label, role), (row.value, row.role)), right


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

    is_key_of_secret = False  # Whether a value that is pasted here is a secret

    def _on_paste(self, event: events.Paste) -> None:
        secret = self.is_key_of_secret and "=" in event.text
        if secret or len(event.text.splitlines()) > 1:
            event.stop()
            event.prevent_default()
            self.post_message(self.PastedLines(event.text))
        # One line is left to Input: Textual calls its handler too, after this one.
