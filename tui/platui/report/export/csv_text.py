"""CSV (RFC 4180) without formulas.

Header lines start with a cell `#`: spreadsheets show each sentence in one cell, and readers of CSV
can skip them (`comment="#"` in pandas, `comment.char` in R, `comment` in DuckDB; the prefix that
"CSV on the Web" assumes). For readers without comments: `write_sheet(…, has_header=False)`.

There is no byte order mark, which programs read as part of the first name. Lines end with a line
feed, which all spreadsheets accept.
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
"""First characters of formulas, including full-width forms used in East Asia.

Tab and line ends are also dangerous, but do not occur in clean text.
"""

# Also after a semicolon, which separates cells in some locales.
_FORMULA: Final = re.compile(rf"(^|;)(\s*)(?=[{_SIGNS}])")

_PLAIN: Final = re.compile(r"[\w./:()][\w.@/:()+-]*(?: [\w.@/:()+-]+)*")
"""Texts that need no quotes and are no formula, which are nearly all."""

_KEPT: Final = 32_768  # Cached cells: places, people and levels repeat


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
