"""The cursor of a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.form_rows import FormRow


class FormCursor:
    """Moves from field to field, skipping rows without one."""

    def __init__(self, at: int, end: str) -> None:
        """Start at a row; `end` is the field of the End key (empty: the last field)."""
        self.at = at
        self.rows: Sequence[FormRow] = ()
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
        field, self.rows = self.field, rows
        fields = self._fields
        if field in {rows[at].field for at in fields}:
            self.at = next(at for at in fields if rows[at].field == field)
        elif fields:
            self.at = min(fields, key=lambda at: abs(at - self.at))

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
