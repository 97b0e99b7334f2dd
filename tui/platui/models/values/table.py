"""Tables as plain values: what a cell says and means, never how it is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, overload

if TYPE_CHECKING:
    from collections.abc import Callable

Role = str
"""What a text means: one of ROLES, mapped to colours by the theme."""

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
    """One cell: clean text and its role; `parts` where one text has several roles."""

    text: str
    role: Role = "text"
    parts: tuple[tuple[str, Role], ...] = ()
    """Pieces that make up `text`, each with its role; empty when one role is enough."""


BLANK = Cell("")

_KEPT: Final = 512
"""Lazy rows that are kept: a few windows full, so that one in sight stays the same object."""


@dataclass(frozen=True, slots=True)
class LineBelow:
    """One line under a row's cells, over the whole width: it belongs to no column."""

    left: Cell
    right: Cell = BLANK
    """What stands at the right edge; `left` gives way to it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row. Two rows with one key are the same object at two moments."""

    key: str
    cells: tuple[Cell, ...]
    sort: tuple[Any, ...] = ()
    """One comparable value a column, for sorting; empty: the cells' texts are compared."""
    search: str = ""
    """Lower-case text that a filter looks in; empty: the texts of the cells and the lines below."""
    muted: bool = False
    below: tuple[LineBelow, ...] = ()
    """Lines under the cells: part of the row, which has one cursor, one mark and one key."""
    heading: Cell | None = None
    """What is shown in place of the cells, over the whole width."""


class LazyRows(Sequence[Row]):
    """Rows that are made when they are looked at: of tens of thousands those in sight.

    They come filtered and in order: a table neither filters nor sorts them. Each takes one line:
    what one has `below` is not shown, since all would have to be made to know where one stands.
    """

    def __init__(
        self, count: int, make: Callable[[int], Row], index_of: Callable[[str], int | None]
    ) -> None:
        """`make` returns the row at a position, `index_of` the position of a key."""
        self._count = count
        self._make = lru_cache(_KEPT)(make)
        self._index_of = index_of

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

    def index_of(self, key: str) -> int | None:
        """Return the position of the row with this key; None where it is not among them."""
        return self._index_of(key)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table. Stored frames have its fields in this order: new ones come last."""

    key: str
    title: str = ""
    width: int = 0  # Cells when nothing is scarce; the flexible column takes what is left
    minimum: int = 0  # Cells below which it is left out rather than squeezed; 0: `width`
    flexible: bool = False
    right: bool = False  # Numbers and ages: right-aligned
    priority: int = 0  # 0 stays always; the highest number leaves first when the table is narrow
    optional: bool = False  # Left out while no row says anything in it: not every platform fills it
    ends: bool = False
    """Cut at the beginning rather than at the end: paths and addresses are told apart by that."""
    middle: bool = False
    """Cut in the middle: of a path both where it begins and what it ends with are told."""
    fits: bool = False  # Gives what none of its rows needs to others that fit and are cut
    once: bool = False
    """Blank below a row that says the same, while all rows are shown in the order given."""


SortKey = tuple[str, bool]  # Column key, and whether it descends
