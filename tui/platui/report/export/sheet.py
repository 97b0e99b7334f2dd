"""Exported tables with a heading."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Value = str | int | bool | None  # One cell; text is clean

Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class RowFormat:
    """How rows are written, one line each; common parts can be written once."""

    before: str  # Start of a line
    between: str  # Separator of cells
    after: str  # End of a line, with the line feed
    part: Callable[[Sequence[str], Row], str]  # Format adjacent cells: column names, values
    heading: Callable[[Sheet], Iterator[str]]
    names: Callable[[Sheet], Iterator[str]] = lambda _: iter(())
    """Format the first lines of the table."""

    def line(self, columns: Sequence[str], row: Row) -> str:
        return f"{self.before}{self.part(columns, row)}{self.after}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that is generated while it is written."""

    title: str
    facts: tuple[tuple[str, Value], ...]  # Origin, query and counts: names and values
    columns: tuple[str, ...]  # Clean text; they may come from the report
    count: int  # Number of rows
    lines: Callable[[RowFormat], Iterator[Sequence[str]]]
    """Format the rows in batches; an empty batch reports progress only."""

    def first(self, most: int) -> Sheet:
        def lines(form: RowFormat) -> Iterator[Sequence[str]]:
            left = most
            for some in self.lines(form):
                yield some[:left]
                left -= len(some[:left])
                if not left:
                    return

        return replace(self, lines=lines, count=min(most, self.count))
