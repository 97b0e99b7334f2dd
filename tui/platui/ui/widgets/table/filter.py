"""Which rows a filter leaves, and their order: by one column, stable, the blank ones last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.table import Row

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filter:
    """Words that a row must hold, and words that it must not, without regard to case."""

    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Filter:
        """Return the filter that a text means: every word counts, a leading `!` negates one."""
        words = text.lower().split()
        return cls(
            wanted=tuple(word for word in words if not word.startswith("!")),
            # A lone "!" is somebody still typing: it hides nothing.
            unwanted=tuple(word[1:] for word in words if word.startswith("!") and word != "!"),
        )

    def __bool__(self) -> bool:
        return bool(self.wanted or self.unwanted)

    def select(self, found: Iterable[tuple[str, T]]) -> list[tuple[str, T]]:
        kept = list(found)
        # Word by word: a plain loop over a hundred thousand texts is a matter of milliseconds.
        for word in self.wanted:
            kept = [pair for pair in kept if word in pair[0]]
        for word in self.unwanted:
            kept = [pair for pair in kept if word not in pair[0]]
        return kept


def sort_value(row: Row, column: int) -> Any:
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
