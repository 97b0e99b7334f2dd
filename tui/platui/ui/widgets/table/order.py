"""The order of rows: by one column, stable, the blank ones last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.models.values.table import Row


def sort_value(row: Row, column: int) -> Any:
    """Return what a row is sorted by in a column: its sort value, or its text."""
    if column < len(row.sort):
        return row.sort[column]
    if column < len(row.cells):
        return row.cells[column].text.strip().lower()
    return None


def sorted_rows(rows: Iterable[Row], column: int, *, descending: bool) -> list[Row]:
    """Return the rows by one column; equal ones as they came, those without a value last."""
    valued: list[tuple[Any, Row]] = []
    blank: list[Row] = []
    for row in rows:
        value = sort_value(row, column)
        if value is None or value == "":
            blank.append(row)
        else:
            valued.append((value, row))
    try:
        valued.sort(key=_value, reverse=descending)
    except TypeError:
        # Values of several kinds: an order that surprises is better than no table.
        valued.sort(key=_text, reverse=descending)
    return [row for _, row in valued] + blank


def _value(pair: tuple[Any, Row]) -> Any:
    return pair[0]


def _text(pair: tuple[Any, Row]) -> tuple[str, str]:
    return type(pair[0]).__name__, str(pair[0])
