"""Tables as plain values: texts and roles, independent of rendering."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, overload

from platui.core.dataclass import dataclass

Role = str  # The meaning of a text: one of ROLES, mapped to colours by the theme

ROLES = frozenset(
    {
        "text",
        "muted",
        "accent",
        "strong",
        "success",
        "failed",
        "running",
        "pending",
        "canceled",
        "skipped",
        "manual",
        "warning",
    },
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: clean text and its role, or `parts` with several roles."""

    text: str
    role: Role = "text"
    parts: tuple[tuple[str, Role], ...] = ()  # Pieces of `text` with their roles; empty: one role


BLANK = Cell("")


def cell_of(parts: Iterable[tuple[str, Role]], role: Role = "text") -> Cell:
    """Return a cell of pieces with their own roles; `role` is the one of the whole cell."""
    pieces = tuple(parts)
    return Cell("".join(text for text, _ in pieces), role, pieces)


_KEPT: Final = 512  # Cached lazy rows: a few screens, so that visible rows stay the same object


@dataclass(frozen=True, slots=True)
class LineBelow:
    """A full-width line below the cells of a row."""

    left: Cell
    right: Cell = BLANK  # Right-aligned text; `left` is shortened first


@dataclass(frozen=True, slots=True)
class Row:
    """One row; rows with the same key are the same object over time."""

    key: str
    cells: tuple[Cell, ...]
    sort: tuple[Any, ...] = ()  # One comparable value per column; empty: compare the texts of cells
    search: str = ""  # Lower-case text for the filter; empty: the texts of cells and lines below
    muted: bool = False
    below: tuple[LineBelow, ...] = ()
    """Lines below the cells; they share the row's cursor, mark and key."""
    heading: Cell | None = None  # A full-width heading shown instead of the cells
    title: Cell | None = None  # Shown instead of the cells after the first one


class LazyRows(Sequence[Row]):
    """Rows created on access, filtered and sorted already, of one line each."""

    def __init__(
        self, count: int, make: Callable[[int], Row], index_of: Callable[[str], int | None]
    ) -> None:
        """Take functions that return the row at a position and the position of a key."""
        self._count = count
        self._make = lru_cache(_KEPT)(make)
        self.index_of = index_of

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        if isinstance(at, slice):
            return [self._make(place) for place in range(*at.indices(self._count))]
        place = at + self._count if at < 0 else at
        if not 0 <= place < self._count:
            raise IndexError(at)
        return self._make(place)

    def arranged(self, order: Sequence[int]) -> LazyRows:
        """Return the same rows in another order of their positions."""
        places = array("I", order)
        for at, place in enumerate(order):
            places[place] = at

        def index_of(key: str) -> int | None:
            place = self.index_of(key)
            return None if place is None else places[place]

        return LazyRows(len(order), lambda at: self[order[at]], index_of)


def keyed_rows(keys: Sequence[str], cells: Callable[[int], tuple[Cell, ...]]) -> LazyRows:
    """Return rows with these keys; `cells` returns the cells of the row at a position."""
    places = {key: at for at, key in enumerate(keys)}
    return LazyRows(len(keys), lambda at: Row(keys[at], cells(at)), places.get)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table. Saved views have these fields in this order: append only."""

    key: str
    title: str = ""
    width: int = 0  # Preferred cells; the flexible column takes the rest
    minimum: int = 0  # Fewer cells hide the column; 0: `width`
    flexible: bool = False
    right: bool = False  # Numbers and ages: right-aligned
    priority: int = 0  # 0: always shown; the highest is hidden first
    optional: bool = False  # Hidden while all its cells are empty
    ends: bool = False  # Truncate at the beginning: paths and addresses differ at the end
    middle: bool = False  # Truncate in the middle: for paths with a relevant beginning and end
    fits: bool = False  # Gives unused width to other truncated columns
    once: bool = False  # Blank cells equal to the one above, in the default order without a filter
    whole: bool = False  # Never cut, as ids and statuses: as wide as its longest text


SortKey = tuple[str, bool]  # Column key, and whether it descends
