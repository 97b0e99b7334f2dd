"""Writing a table into a file, some rows at a time."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.models.values.exports import ExportFormat
from platui.report.export import csv_text, json_lines, markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from platui.report.export.sheet import Sheet, Value

_AT_ONCE: Final = 512
"""Rows that are held before they are written: a few milliseconds."""


def write_sheet(
    sheet: Sheet,
    form: ExportFormat,
    file: TextIO,
    *,
    has_header: bool = True,
    tell: Callable[[float], bool] = lambda _: True,
) -> bool:
    """Write a table; in a thread, where it is long. Memory is that of some hundred rows.

    Args:
        sheet: the table.
        form: CSV, JSON lines or Markdown.
        file: of UTF-8, that leaves line feeds as they are (`newline=""`).
        has_header: whether it is said above the rows what they are, and what the report is not.
            Programs that read CSV and know no comments are given none. The names of columns
            are there in any case.
        tell: takes the share that is written; False: enough, and what is written is a part.

    Returns:
        Whether it was let come to its end.

    Raises:
        OSError: the file does not take it.
    """
    file.write("".join(_before(sheet, form, has_header=has_header)))
    line = _line(sheet, form)
    rows = sheet.rows()
    written = 0
    while True:
        if not tell(written / max(1, sheet.count)):
            return False
        lines = [line(row) for row in islice(rows, _AT_ONCE)]
        if not lines:
            return True
        file.write("".join(lines))
        written += len(lines)


def _before(sheet: Sheet, form: ExportFormat, *, has_header: bool) -> Iterator[str]:
    match form:
        case ExportFormat.CSV:
            if has_header:
                yield from csv_text.heading(sheet)
            yield from csv_text.names(sheet)
        case ExportFormat.MARKDOWN:
            if has_header:
                yield from markdown.heading(sheet)
            yield from markdown.names(sheet)
        case ExportFormat.JSON_LINES:
            if has_header:
                yield json_lines.heading(sheet)


def _line(sheet: Sheet, form: ExportFormat) -> Callable[[tuple[Value, ...]], str]:
    match form:
        case ExportFormat.CSV:
            return csv_text.line
        case ExportFormat.MARKDOWN:
            return markdown.line
        case ExportFormat.JSON_LINES:
            return partial(json_lines.line, sheet.columns)
