"""The rows of a table: sorting, filter and marks, independent of the screen."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final

from rich.cells import cell_len

from platui.models.values.table import BLANK, Cell, Column, LazyRows, Row, SortKey
from platui.present.tables.column_widths import NO_NEEDS
from platui.ui.widgets.table.filter import Filter, sorted_rows

_MOST_MEASURED: Final = 1000  # Rows; column widths are not measured in longer tables


class RowLines:
    """The screen lines of rows, from 0. Immutable."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._ends = ends
        self.total = ends[-1] if ends else 0

    def first(self, index: int) -> int:
        return self._ends[index - 1] if index else 0

    def end(self, index: int) -> int:
        return self._ends[index] if self._ends else 0

    def index(self, line: int) -> int:
        """Return the row of a line; of a line outside, the nearest row."""
        return bisect_right(self._ends, max(0, min(line, self.total - 1)))


class TableRows:
    """All rows and the shown ones; an unchanged row keeps its identity."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns: tuple[Column, ...] = tuple(columns)
        self.blank: frozenset[int] = frozenset()  # Optional columns without text in any row
        self.needs: Mapping[int, int] = NO_NEEDS  # Column -> cells of its widest text
        self.shown: Sequence[Row] = []
        self.lines = RowLines(())
        self.sort: SortKey | None = None
        self.filter_text = ""
        self._filter = Filter()
        self._source: LazyRows | None = None
        self._by_key: dict[str, Row] = {}
        self._samples: dict[int, str] = {}  # Optional column -> key of a row with text in it
        self._ordered: list[Row] = []
        self._repeats: dict[str, tuple[Cell, ...]] = {}
        """Key -> cells of rows in which values repeated from the row above are blank."""
        self._headings = 0  # Number of headings, including hidden ones
        self._has_blocks = False  # Whether any row has lines below it, including hidden rows
        self._keys: list[str] | None = None
        self._haystacks: list[tuple[str, Row]] | None = None
        self.marks: frozenset[str] = frozenset()

    @property
    def keys(self) -> list[str]:
        if self._keys is None:
            self._keys = [row.key for row in self.shown]
        return self._keys

    @property
    def total(self) -> int:
        return len(self._by_key if self._source is None else self._source)

    @property
    def counts(self) -> tuple[int, int]:
        """Return the number of shown rows and of all rows, without headings."""
        if not self._headings:
            return len(self.shown), self.total
        hidden = len(self._ordered) - len(self.shown)
        shown = _headings(self.shown) if hidden else self._headings
        return len(self.shown) - shown, self.total - self._headings

    @property
    def last_key(self) -> str | None:
        if self._source:
            return self._source[-1].key
        return next(reversed(self._by_key), None)

    @property
    def is_filtered(self) -> bool:
        return bool(self._filter)

    def cells_of(self, row: Row) -> tuple[Cell, ...]:
        return self._repeats.get(row.key, row.cells)

    def index_of(self, key: str) -> int | None:
        if self._source is not None:
            return self._source.index_of(key)
        try:
            return self.keys.index(key)
        except ValueError:
            return None

    def take(self, rows: Sequence[Row]) -> bool:
        if isinstance(rows, LazyRows):
            if rows is self._source:
                return False
            self._source, self._by_key = rows, {}
            self._order()
            return True
        before, had_source = self._by_key, self._source is not None
        self._source = None
        if not had_source and _are_same(before.values(), rows):
            return False
        # Of rows with the same key the last one counts.
        taken = {row.key: _unchanged(before.get(row.key), row) for row in rows}
        if not had_source and _are_same(before.values(), taken.values()):
            return False
        self._by_key = taken
        self.marks = self.marks.intersection(taken)
        self._order()
        return True

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Replace the columns; sorting by a removed column ends."""
        if tuple(columns) == self.columns:
            return
        self.columns = tuple(columns)
        self._samples.clear()
        if self.sort is not None and self._column(self.sort[0]) is None:
            self.sort = None
        self._order()

    def sort_by(self, sort: SortKey | None) -> None:
        """Sort by a column, or not at all. Raises KeyError for an unknown column."""
        if sort is not None and self._column(sort[0]) is None:
            raise KeyError(sort[0])
        self.sort = sort
        self._order()

    def set_filter(self, text: str) -> None:
        self.filter_text = text
        wanted = Filter.parse(text)
        if wanted != self._filter:
            self._filter = wanted
            self._show()

    def toggle_mark(self, key: str) -> None:
        if key in self._by_key or (self._source is not None and self.index_of(key) is not None):
            self.marks ^= {key}

    def mark(self, keys: Iterable[str]) -> None:
        self.marks = self.marks.union(key for key in keys if key in self._by_key)

    def _column(self, key: str) -> int | None:
        return next((at for at, column in enumerate(self.columns) if column.key == key), None)

    def _order(self) -> None:
        rows = list(self._by_key.values())
        self.blank = self._blank(rows)
        self.needs = self._needs(rows)
        column = None if self.sort is None else self._column(self.sort[0])
        if column is None or self.sort is None:
            self._ordered = rows
        else:
            self._ordered = sorted_rows(rows, column, descending=self.sort[1])
        self._headings = _headings(rows)
        self._has_blocks = _has_blocks(rows)
        self._haystacks = None
        self._show()

    def _blank(self, rows: Sequence[Row]) -> frozenset[int]:
        """Return the optional columns without text; none while there are no rows."""
        optional = [at for at, column in enumerate(self.columns) if column.optional and rows]
        return frozenset(at for at in optional if not self._has_text(at, rows))

    def _needs(self, rows: Sequence[Row]) -> Mapping[int, int]:
        """Return the widths of ids, and of columns that fit their texts if the table is short."""
        if not rows:
            return NO_NEEDS
        # Rows of a table whose columns have just changed may have fewer cells.
        ids = {
            at: max((len(row.cells[at].text) for row in rows if at < len(row.cells)), default=0)
            for at, column in enumerate(self.columns)
            if column.whole
        }
        fitting = [at for at, column in enumerate(self.columns) if column.fits]
        if len(rows) > _MOST_MEASURED:
            return ids or NO_NEEDS
        return ids | {
            at: max(
                [
                    cell_len(self.columns[at].title) + 1,
                    *(cell_len(row.cells[at].text) for row in rows if at < len(row.cells)),
                ]
            )
            for at in fitting
        }

    def _has_text(self, at: int, rows: Sequence[Row]) -> bool:
        # Usually the sample row still has text, so that no search is needed.
        sample = self._by_key.get(self._samples.get(at, ""))
        if sample is None or not _has_cell_text(sample, at):
            sample = next((row for row in rows if _has_cell_text(row, at)), None)
            self._samples[at] = sample.key if sample is not None else ""
        return sample is not None

    def _show(self) -> None:
        if self._source is not None:
            self.shown, self.lines = self._source, _plain_lines(self._source)
            return
        self.shown = self._ordered
        if self._filter:
            if self._haystacks is None:
                self._haystacks = [(_haystack(row), row) for row in self._ordered]
            self.shown = [row for _, row in self._filter.select(self._haystacks)]
        self.lines = (_block_lines if self._has_blocks else _plain_lines)(self.shown)
        self._repeats = dict(self._repeating())
        self._keys = None

    def _repeating(self) -> Iterator[tuple[str, tuple[Cell, ...]]]:
        once = {at for at, column in enumerate(self.columns) if column.once}
        if not once or self._filter or self.sort is not None:
            return
        for above, row in pairwise(self.shown):
            same = {at for at in once if row.cells[at : at + 1] == above.cells[at : at + 1]}
            if same:
                cells = tuple(BLANK if at in same else cell for at, cell in enumerate(row.cells))
                # Keep an equal tuple: its strip is cached.
                known = self._repeats.get(row.key)
                yield row.key, known if known == cells and known is not None else cells


def _plain_lines(rows: Sequence[Row]) -> RowLines:
    # Of 100,000 rows, a sum takes milliseconds.
    return RowLines(range(1, len(rows) + 1))


def _block_lines(rows: Iterable[Row]) -> RowLines:
    return RowLines(list(accumulate(1 + len(row.below) for row in rows)))


def _unchanged(old: Row | None, new: Row) -> Row:
    return old if old is not None and (old is new or old == new) else new


def _are_same(before: Collection[Row], rows: Collection[Row]) -> bool:
    return len(before) == len(rows) and all(map(operator.is_, before, rows))


def _headings(rows: Iterable[Row]) -> int:
    return sum(row.heading is not None for row in rows)


def _has_blocks(rows: Sequence[Row]) -> bool:
    # A plain loop takes half the time of any().
    for row in rows:  # noqa: SIM110
        if row.below:
            return True
    return False


def _has_cell_text(row: Row, at: int) -> bool:
    return at < len(row.cells) and row.cells[at].text != ""


def _haystack(row: Row) -> str:
    if row.search:
        return row.search
    texts = [cell.text for cell in row.cells]
    for line in row.below:
        texts += (line.left.text, line.right.text)
    return " ".join(texts).lower()
