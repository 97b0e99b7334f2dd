"""Lay out the rows of a form as lines, with each problem below its row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len

from platui.ui.widgets.detail_lines import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.chrome import Pieces
    from platui.present.form_rows import FormRow


MARGIN: Final = 3  # Cells left of the labels, for the cursor sign
_LABELS: Final = (14, 30)  # Minimum and maximum cells of the label column
_GAP: Final = 2


class FormLine(NamedTuple):
    left: Pieces = ()
    right: Pieces = ()
    is_current: bool = False  # Whether the cursor is on it


class FormLines:
    def __init__(self) -> None:
        self._rows: Sequence[FormRow] = ()
        self.labels = 0  # Cells of the label column, with its gap
        self._lines: list[tuple[int, str]] = []  # Row index and problem text of each line

    def __len__(self) -> int:
        return len(self._lines)

    def lay_out(self, rows: Sequence[FormRow], width: int) -> None:
        self._rows = rows
        least, most = _LABELS
        longest = max((cell_len(row.label) for row in rows if row.field), default=0)
        self.labels = min(max(least, longest), most, max(least, width // 3)) + _GAP
        room = max(1, width - MARGIN - self.labels - 1)
        self._lines = []
        for at, row in enumerate(rows):
            self._lines.append((at, ""))
            if row.problem:
                self._lines += [(at, line) for line in wrapped(row.problem, room)]

    def of_row(self, at: int) -> Sequence[int]:
        return [y for y, (row, _) in enumerate(self._lines) if row == at]

    def line(self, number: int, cursor: int) -> FormLine:
        """Return a line with the cursor on a row; a blank line after the last."""
        if number >= len(self._lines):
            return FormLine()
        at, problem = self._lines[number]
        if problem:
            return FormLine(((" " * (MARGIN + self.labels), "text"), (problem, "failed")))
        row = self._rows[at]
        is_current = at == cursor and bool(row.field)
        return FormLine(*_pieces(row, self.labels, is_current=is_current), is_current=is_current)


def _pieces(row: FormRow, labels: int, *, is_current: bool) -> tuple[Pieces, Pieces]:
    """Return the left and right text of a row; `labels` are cells."""
    label = row.label
    if cell_len(label) > labels - 1:
        label = f"{label[: labels - _GAP]}…"
    if label:
        label += " " * (labels - cell_len(label))
    lead = " › " if is_current else " " * MARGIN
    role = "strong" if is_current else "muted"
    right = (("  ", "text"), (row.note, "muted"), (" ", "text")) if row.note else ()
    return ((lead, "accent"), (label, role), (row.value, row.role)), right
