"""Filter and sort the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.models.values.table import Row

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filter:
    """Words that a row must and must not contain, ignoring case."""

    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Filter:
        """Parse a filter text: all words must match; a leading `!` excludes a word."""
        words = text.lower().split()
        return cls(
            wanted=tuple(word for word in words if not word.startswith("!")),
            # A lone "!" is incomplete: it hides nothing.
            unwanted=tuple(word[1:] for word in words if word.startswith("!") and word != "!"),
        )

    def __bool__(self) -> bool:
        return bool(self.wanted or self.unwanted)

    def select(self, rows: Iterable[tuple[str, T]]) -> list[tuple[str, T]]:
        matches = list(rows)
        # Word by word: a plain loop over 100,000 texts takes milliseconds.
        for word in self.wanted:
            matches = [pair for pair in matches if word in pair[0]]
        for word in self.unwanted:
            matches = [pair for pair in matches if word not in pair[0]]
        return matches


def sort_value(row: Row, column: int) -> Any:
    if column < len(row.sort):
        return row.sort[column]
    if column < len(row.cells):
        return row.cells[column].text.strip().lower()
    return None


def sorted_rows(rows: Sequence[Row], column: int, *, descending: bool) -> list[Row]:
    """Sort rows by a column, stable, with rows without a value last."""
    values = [sort_value(row, column) for row in rows]
    valued: list[int] = []
    blank: list[int] = []
    for at, value in enumerate(values):
        (blank if value is None or value == "" else valued).append(at)
    try:
        valued.sort(key=values.__getitem__, reverse=descending)
    except TypeError:
        # Values of several types: an odd order is better than an error.
        valued.sort(key=lambda at: (type(values[at]).__name__, str(values[at])), reverse=descending)
    return [rows[at] for at in (*valued, *blank)]
