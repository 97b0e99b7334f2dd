"""`platui report export`: parts of a report, and what changed, for other programs and people."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from platui.report.export.writing import write_sheet
from platui.service.report_export import as_text

if TYPE_CHECKING:
    from platui.models.values.exports import ExportFormat
    from platui.report.export.sheet import Sheet


def print_sheet(sheet: Sheet, form: ExportFormat, *, has_header: bool) -> None:
    """Write a table to stdout, as UTF-8 whatever the locale says: it is for programs.

    Raises:
        BrokenPipeError: nobody reads any more.
    """
    sys.stdout.flush()
    with as_text(sys.stdout.buffer) as text:
        write_sheet(sheet, form, text, has_header=has_header)
