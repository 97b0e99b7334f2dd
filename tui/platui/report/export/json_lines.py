"""A table as JSON lines: an object a row, and one that says what they are before them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.report.export.sheet import Sheet, Value


def heading(sheet: Sheet) -> str:
    """Return the line before the rows: its only name is `export`, which no row has."""
    said = {"title": sheet.title, "notes": list(sheet.notes), **dict(sheet.facts)}
    return _line({"export": said})


def line(columns: tuple[str, ...], row: tuple[Value, ...]) -> str:
    """Return a row."""
    return _line(dict(zip(columns, row, strict=True)))


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
