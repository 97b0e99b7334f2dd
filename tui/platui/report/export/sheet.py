"""Exported tables with a heading; CSV (RFC 4180) without formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from platui.core.dataclass import dataclass
from platui.models.values.access import CAVEATS

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


_SIGNS: Final = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""First characters of formulas, including full-width forms used in East Asia."""

# Also after a semicolon, which separates cells in some locales.
_FORMULA: Final = re.compile(rf"(^|;)(\s*)(?=[{_SIGNS}])")

_PLAIN: Final = re.compile(r"[\w./:()][\w.@/:()+-]*(?: [\w.@/:()+-]+)*")
"""Texts that need no quotes and are no formula, which are nearly all."""

_KEPT: Final = 32_768  # Cached cells: places, people and levels repeat


def _csv_heading(sheet: Sheet) -> Iterator[str]:
    for text in (sheet.title, *CAVEATS):
        yield f"#,{_cell(text)}\n"
    for name, value in sheet.facts:
        yield f"#,{_cell(name)},{_cell(value)}\n"


def _csv_names(sheet: Sheet) -> Iterator[str]:
    yield csv_line(sheet.columns)


def _csv_part(_: Sequence[str], values: Row) -> str:
    return ",".join(map(_cell, values))


CSV: Final = RowFormat("", ",", "\n", _csv_part, _csv_heading, _csv_names)  # Null is an empty cell


def csv_line(row: Row) -> str:
    return CSV.line((), row)


def _cell(value: Value) -> str:
    if isinstance(value, str):
        return _text_cell(value)
    if value is None:
        return ""
    return str(value).lower()  # a number, or True and False as JSON has them


@lru_cache(maxsize=_KEPT)
def _text_cell(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    quoted = _FORMULA.sub(r"\1\2'", text).replace('"', '""')
    return f'"{quoted}"'
