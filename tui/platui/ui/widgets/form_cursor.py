"""Which field of a form the keys are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.form_rows import FormRow


class FormCursor:
    """Goes from field to field; rows without one are passed over."""

    def __init__(self, at: int, end: str) -> None:
        """Take the row to begin at, and the field of the end; empty: the end is the last one."""
        self.at = at
        self.rows: Sequence[FormRow] = ()
        self._end = end
        self._is_led = False  # Whether it went on by itself, and no key came since

    @property
    def row(self) -> FormRow | None:
        return self.rows[self.at] if self.at < len(self.rows) else None

    @property
    def field(self) -> str:
        return "" if self.row is None else self.row.field

    @property
    def is_last(self) -> bool:
        return not any(row.field for row in self.rows[self.at + 1 :])

    def take(self, rows: Sequence[FormRow]) -> None:
        field, self.rows = self.field, rows
        places = self._places
        if field in {rows[at].field for at in places}:
            self.at = next(at for at in places if rows[at].field == field)
        elif places:
            self.at = min(places, key=lambda at: abs(at - self.at))

    def go_to(self, field: str, *, is_automatic: bool = False) -> bool:
        """Go to a field; return whether that is another one."""
        self._is_led = is_automatic
        at = next((at for at, row in enumerate(self.rows) if row.field == field), self.at)
        before, self.at = self.at, at
        return at != before

    def step(self, by: int, *, is_automatic: bool = False) -> bool:
        self._is_led = is_automatic
        places = self._places
        if self.at not in places:
            return False
        index = min(max(0, places.index(self.at) + by), len(places) - 1)
        self.at = places[index]
        return True

    def go_to_end(self) -> bool:
        """Go to the field of the end; from there, to the last one."""
        if self._end and self.field != self._end:
            return self.go_to(self._end)
        return self.step(len(self.rows))

    def clear_automatic(self) -> bool:
        """Go by keys from now on; return whether it went on by itself."""
        is_automatic, self._is_led = self._is_led, False
        return is_automatic

    @property
    def _places(self) -> list[int]:
        return [at for at, row in enumerate(self.rows) if row.field]
