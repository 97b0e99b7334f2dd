"""A table as CSV (RFC 4180), in which no cell is a formula.

What stands above the table is in rows of which the first cell is `#`: in a spreadsheet each
sentence is one cell beside it, whatever it has inside, and readers of CSV leave them out when told
so (`comment="#"` in pandas, `comment.char` in R, `comment` in DuckDB; it is the prefix that "CSV on
the Web" assumes). Those that know no comments are given none: `write_sheet(…, has_header=False)`.

There is no byte order mark, since programs read it as part of the first name. Lines end with a
line feed alone, which every spreadsheet takes, and every tool for lines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.report.export.sheet import RowFormat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.report.export.sheet import Row, Sheet, Value

_SIGNS: Final = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""What a cell begins with that may be taken for a formula, full-width forms too: East Asian
spreadsheets read those as the same. Tab and line ends, which are dangerous too, are no more in
clean text."""

# At the beginning, and behind a semicolon: where that parts cells, ours are parted there too.
_FORMULA: Final = re.compile(rf"(^|;)(\s*)(?=[{_SIGNS}])")

_PLAIN: Final = re.compile(r"[\w./:()][\w.@/:()+-]*(?: [\w.@/:()+-]+)*")
"""What needs no quotes and is no formula, as nearly all texts."""

_KEPT: Final = 32_768
"""Texts that are kept as cells: places, people and levels come again and again."""


def heading(sheet: Sheet) -> Iterator[str]:
    for text in (sheet.title, *sheet.notes):
        yield f"#,{_cell(text)}\n"
    for name, value in sheet.facts:
        yield f"#,{_cell(name)},{_cell(value)}\n"


def names(sheet: Sheet) -> Iterator[str]:
    yield line(sheet.columns)


def _part(_: Sequence[str], values: Row) -> str:
    return ",".join(map(_cell, values))


FORM: Final = RowFormat("", ",", "\n", _part, heading, names)  # Null is an empty cell


def line(row: Row) -> str:
    return FORM.line((), row)


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
