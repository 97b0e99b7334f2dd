"""What is exported: a table, and what has to be said above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Value = str | int | bool | None
"""One cell; text is clean."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that is made while it is written."""

    title: str
    facts: tuple[tuple[str, Value], ...]
    """What it is from, what was asked for, how many rows there are: names and values."""
    notes: tuple[str, ...]
    """What the report is not, a sentence each."""
    columns: tuple[str, ...]
    """Clean text; they may come from the report."""
    count: int
    """Rows, known beforehand."""
    rows: Callable[[], Iterator[tuple[Value, ...]]]
    """Makes the rows, each as long as `columns`."""
