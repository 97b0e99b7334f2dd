"""CSV (RFC 4180) without formulas; header lines start with a cell `#`, which readers can skip."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.models.values.access import CAVEATS
from platui.report.export.sheet import RowFormat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.report.export.sheet import Row, Sheet, Value

_SIGNS: Final = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""First characters of formulas, including full-width forms used in East Asia."""

# Also after a semicolon, which separates cells in some locales.
_FORMULA: Final = re.compile(rf"(^|;)(\s*)(?=[{_SIGNS}])")

_PLAIN: Final = re.compile(r"[\w./:()][\w.@/:()+-]*(?: [\w.@/:()+-]+)*")
"""Texts that need no quotes and are no formula, which are nearly all."""

_KEPT: Final = 32_768  # Cached cells: places, people and levels repeat


def heading(sheet: Sheet) -> Iterator[str]:
    for text in (sheet.title, *CAVEATS):
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
