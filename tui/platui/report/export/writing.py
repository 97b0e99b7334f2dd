"""Write a table to a file in batches: CSV, GitHub-flavoured Markdown, JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TextIO

from platui.core.markdown import plain
from platui.models.values.access import CAVEATS
from platui.models.values.reports import ExportFormat
from platui.report.export.sheet import CSV, Row, RowFormat, Sheet, Value

_AT_ONCE: Final = 512  # Rows per write: a few milliseconds

_KEPT: Final = 32_768  # Cached cells: places, people and levels repeat


def _markdown_heading(sheet: Sheet) -> Iterator[str]:
    yield f"# {_markdown_text(sheet.title)}\n\n"
    for note in CAVEATS:
        yield f"> {_markdown_text(note)}  \n"
    yield "\n"
    for name, value in sheet.facts:
        yield f"- {_markdown_text(name)}: {_markdown_cell(value)}\n"
    yield "\n"


def _markdown_names(sheet: Sheet) -> Iterator[str]:
    yield MARKDOWN.line(sheet.columns, sheet.columns)
    yield f"|{' --- |' * len(sheet.columns)}\n"


def _markdown_part(_: Sequence[str], values: Row) -> str:
    return " | ".join(map(_markdown_cell, values))


MARKDOWN: Final = RowFormat("| ", " | ", " |\n", _markdown_part, _markdown_heading, _markdown_names)
"""Null is an empty cell."""


def _markdown_cell(value: Value) -> str:
    if isinstance(value, str):
        return _markdown_text(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


_markdown_text = lru_cache(maxsize=_KEPT)(plain)


def _json_heading(sheet: Sheet) -> Iterator[str]:
    """Yield the line before the rows; its only key is `export`, which no row has."""
    said = {"title": sheet.title, "notes": list(CAVEATS), **dict(sheet.facts)}
    yield f"{_json_text({'export': said})}\n"


def _json_part(columns: Sequence[str], values: Row) -> str:
    return _json_text(dict(zip(columns, values, strict=True)))[1:-1]


_JSON_LINES: Final = RowFormat("{", ",", "}\n", _json_part, _json_heading)


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_FORMS: Final = {
    ExportFormat.CSV: CSV,
    ExportFormat.MARKDOWN: MARKDOWN,
    ExportFormat.JSON_LINES: _JSON_LINES,
}


def write_sheet(
    sheet: Sheet,
    form: ExportFormat,
    file: TextIO,
    *,
    has_header: bool = True,
    on_progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Write a table, possibly long, to a file with `newline=""`. Raises OSError: not writable."""
    written_as = _FORMS[form]
    head = written_as.heading(sheet) if has_header else ()
    file.write("".join((*head, *written_as.names(sheet))))
    waiting: list[str] = []
    written = 0
    on_progress(0)
    for lines in sheet.lines(written_as):
        waiting += lines
        if not lines or len(waiting) >= _AT_ONCE:
            file.write("".join(waiting))
            written += len(waiting)
            waiting.clear()
            on_progress(written / max(1, sheet.count))
    file.write("".join(waiting))
    on_progress(1)
