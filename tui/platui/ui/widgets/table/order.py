"""The order of rows: by one column, stable, the blank ones last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.table import Row


def sort_value(row: Row, column: int) -> Any:
    """Return what a row is sorted by in a column: its sort value, or its text."""
    if column < len(row.sort):
        return row.sort[column]
    if column < len(row.cells):
        return row.cells[column].text.strip().lower()
    return None


def sorted_rows(rows: Sequence[Row], column: int, *, descending: bool) -> list[Row]:
    """Return the rows by one column; equal ones as they came, those without a value last."""
    values = [sort_value(row, column) for row in rows]
    valued: list[int] = []
    blank: list[int] = []
    for at, value in enumerate(values):
        (blank if value is None or value == "" else valued).append(at)
    try:
        valued.sort(key=values.__getitem__, reverse=descending)
    except TypeError:
        # Values of several kinds: an order that surprises is better than no table.
        valued.sort(key=lambda at: (type(values[at]).__name__, str(values[at])), reverse=descending)
    return [rows[at] for at in (*valued, *blank)]
