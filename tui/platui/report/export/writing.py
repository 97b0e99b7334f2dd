"""Writing a table into a file, some rows at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.exports import ExportFormat
from platui.report.export import csv_text, json_lines, markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from platui.report.export.sheet import Sheet

_AT_ONCE: Final = 512
"""Rows that are held before they are written: a few milliseconds."""

_FORMS: Final = {
    ExportFormat.CSV: csv_text.FORM,
    ExportFormat.MARKDOWN: markdown.FORM,
    ExportFormat.JSON_LINES: json_lines.FORM,
}


def write_sheet(
    sheet: Sheet,
    form: ExportFormat,
    file: TextIO,
    *,
    has_header: bool = True,
    tell: Callable[[float], bool] = lambda _: True,
) -> bool:
    """Write a table; in a thread, where it is long. Memory is that of some thousand rows.

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
    waiting: list[str] = []
    written = 0
    if not tell(0):
        return False
    for lines in sheet.lines(_FORMS[form]):
        waiting += lines
        if not lines or len(waiting) >= _AT_ONCE:
            file.write("".join(waiting))
            written += len(waiting)
            waiting.clear()
            if not tell(written / max(1, sheet.count)):
                return False
    file.write("".join(waiting))
    return tell(1)


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
