"""The cursor of a form, and the lines of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from platui.core.named_tuple import NamedTuple
from platui.ui.widgets.detail_lines import wrapped

if TYPE_CHECKING:
    from platui.present.chrome import Pieces
    from platui.present.form_rows import FormRow

MARGIN: Final = 3  # Cells left of the labels, for the cursor sign
_LABELS: Final = (14, 30)  # Minimum and maximum cells of the label column
_GAP: Final = 2


class FormLine(NamedTuple):
    left: Pieces = ()
    right: Pieces = ()
    is_current: bool = False  # Whether the cursor is on it


class FormCursor:
    """Moves from field to field, skipping rows without one; each problem is below its row."""

    def __init__(self, at: int, end: str) -> None:
        """Start at a row; `end` is the field of the End key (empty: the last field)."""
        self.at = at
        self.rows: Sequence[FormRow] = ()
        self.labels = 0  # Cells of the label column, with its gap
        self.lines: list[tuple[int, str]] = []  # Row index and problem text of each line
        self._end = end
        self._is_led = False  # Whether the last move was automatic

    @property
    def row(self) -> FormRow | None:
        return self.rows[self.at] if self.at < len(self.rows) else None

    @property
    def field(self) -> str:
        return "" if self.row is None else self.row.field

    @property
    def is_last(self) -> bool:
        return not any(row.field for row in self.rows[self.at + 1 :])

    def set_rows(self, rows: Sequence[FormRow]) -> None:
        """Replace the rows; the cursor stays on its field, or moves to the nearest."""
        field, self.rows = self.field, rows
        if self._fields:
            at = self.at
            self.at = min(self._fields, key=lambda y: (rows[y].field != field, abs(y - at)))

    def go_to(self, field: str, *, is_automatic: bool = False) -> bool:
        """Move to a field; return whether the cursor moved."""
        self._is_led = is_automatic
        at = next((at for at, row in enumerate(self.rows) if row.field == field), self.at)
        before, self.at = self.at, at
        return at != before

    def step(self, by: int, *, is_automatic: bool = False) -> bool:
        self._is_led = is_automatic
        fields = self._fields
        if self.at not in fields:
            return False
        index = min(max(0, fields.index(self.at) + by), len(fields) - 1)
        self.at = fields[index]
        return True

    def go_to_end(self) -> bool:
        if self._end and self.field != self._end:
            return self.go_to(self._end)
        return self.step(len(self.rows))

    def clear_automatic(self) -> bool:
        """Return whether the last move was automatic, and reset that."""
        is_automatic, self._is_led = self._is_led, False
        return is_automatic

    @property
    def _fields(self) -> list[int]:
        return [at for at, row in enumerate(self.rows) if row.field]

    def lay_out(self, width: int) -> None:
        least, most = _LABELS
        longest = max((cell_len(row.label) for row in self.rows if row.field), default=0)
        self.labels = min(max(least, longest), most, max(least, width // 3)) + _GAP
        room = max(1, width - MARGIN - self.labels - 1)
        self.lines = []
        for at, row in enumerate(self.rows):
            problem = wrapped(row.problem, room) if row.problem else ()
            self.lines += [(at, ""), *((at, line) for line in problem)]

    @property
    def lines_of_row(self) -> Sequence[int]:
        return [y for y, (at, _) in enumerate(self.lines) if at == self.at]

    def line(self, number: int) -> FormLine:
        """Return a line; a blank line after the last."""
        if number >= len(self.lines):
            return FormLine()
        at, problem = self.lines[number]
        if problem:
            return FormLine(((" " * (MARGIN + self.labels), "text"), (problem, "failed")))
        row = self.rows[at]
        is_current = at == self.at and bool(row.field)
        label = row.label
        if cell_len(label) > self.labels - 1:
            label = f"{label[: self.labels - _GAP]}…"
        if label:
            label += " " * (self.labels - cell_len(label))
        lead = " › " if is_current else " " * MARGIN
        role = "strong" if is_current else "muted"
        right = (("  ", "text"), (row.note, "muted"), (" ", "text")) if row.note else ()
        return FormLine(((lead, "accent"), (label, role), (row.value, row.role)), right, is_current)
