"""A table as GitHub-flavoured Markdown, in which nothing is markup but the table's own."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.core.markdown import plain
from platui.report.export.sheet import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.report.export.sheet import Row, Sheet, Value

_KEPT: Final = 32_768
"""Texts that are kept as cells: places, people and levels come again and again."""


def heading(sheet: Sheet) -> Iterator[str]:
    """Yield the lines above the table."""
    yield f"# {_text(sheet.title)}\n\n"
    for note in sheet.notes:
        yield f"> {_text(note)}  \n"
    yield "\n"
    for name, value in sheet.facts:
        yield f"- {_text(name)}: {_cell(value)}\n"
    yield "\n"


def names(sheet: Sheet) -> Iterator[str]:
    """Yield the lines that a table begins with."""
    yield FORM.line(sheet.columns, sheet.columns)
    yield f"|{' --- |' * len(sheet.columns)}\n"


def _part(_: Sequence[str], values: Row) -> str:
    return " | ".join(map(_cell, values))


FORM: Final = Form("| ", " | ", " |\n", _part)
"""Null is an empty cell."""


def _cell(value: Value) -> str:
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


_text = lru_cache(maxsize=_KEPT)(plain)
