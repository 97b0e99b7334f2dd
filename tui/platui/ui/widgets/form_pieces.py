"""What a line of a form shows: the sign of the cursor, the label, the value, and the note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.chrome import Pieces
    from platui.present.form_rows import FormRow

MARGIN: Final = 3
"""Cells left of the labels: the sign of the cursor stands there."""
_LABELS: Final = (14, 30)
"""The least and the most cells for labels."""
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
    """Return what a row shows on its left, and at its right edge.

    Args:
        row: the row.
        labels: cells for the label, and the gap behind it.
        here: whether the cursor is on it.
    """
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
