"""What is exported: a table, and what has to be said above it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Value = str | int | bool | None  # One cell; text is clean

Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class RowFormat:
    """How rows are written, a line each. What rows have in common can be written once for all."""

    before: str  # What a line begins with
    between: str  # What parts cells
    after: str  # What it ends with, the line feed included
    part: Callable[[Sequence[str], Row], str]
    """Writes cells that stand beside each other: the names of their columns, their values."""
    heading: Callable[[Sheet], Iterator[str]]
    """Writes what the rows are, and what the report is not."""
    names: Callable[[Sheet], Iterator[str]] = lambda _: iter(())
    """Writes the lines that a table begins with."""

    def line(self, columns: Sequence[str], row: Row) -> str:
        return f"{self.before}{self.part(columns, row)}{self.after}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that is made while it is written."""

    title: str
    facts: tuple[tuple[str, Value], ...]
    """What it is from, what was asked for, how many rows there are: names and values."""
    notes: tuple[str, ...]  # What the report is not, a sentence each
    columns: tuple[str, ...]  # Clean text; they may come from the report
    count: int  # Rows, known beforehand
    lines: Callable[[RowFormat], Iterator[Sequence[str]]]
    """Writes the rows, some at a time. None at a time says that it goes on."""

    def first(self, most: int) -> Sheet:
        def lines(form: RowFormat) -> Iterator[Sequence[str]]:
            left = most
            for some in self.lines(form):
                yield some[:left]
                left -= len(some[:left])
                if not left:
                    return

        return replace(self, lines=lines, count=min(most, self.count))
