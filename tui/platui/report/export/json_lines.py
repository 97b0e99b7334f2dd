"""A table as JSON lines: an object a row, and one that says what they are before them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from platui.report.export.sheet import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.report.export.sheet import Row, Sheet


def heading(sheet: Sheet) -> str:
    """Return the line before the rows: its only name is `export`, which no row has."""
    said = {"title": sheet.title, "notes": list(sheet.notes), **dict(sheet.facts)}
    return f"{_text({'export': said})}\n"


def _part(columns: Sequence[str], values: Row) -> str:
    return _text(dict(zip(columns, values, strict=True)))[1:-1]


FORM: Final = Form("{", ",", "}\n", _part)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
