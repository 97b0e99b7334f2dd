"""Export parts of an access report, or changes between two, to a file."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from platui.models.values.reports import ExportContent, ExportFormat, ExportRequest
from platui.report.export.sheets import (
    changes_sheet,
    effective_sheet,
    members_sheet,
    memberships_sheet,
    people_sheet,
    places_sheet,
)
from platui.report.export.writing import write_sheet
from platui.service.cancellation import in_thread
from platui.service.files.whole_file import whole_file

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport
    from platui.report.export.sheet import Sheet
    from platui.report.open_report import OpenedReport


def sheet_of(report: AccessReport, order: ExportRequest) -> Sheet:
    """Return the table of a part of a report, or raise TermError for an invalid query."""
    opened = cast("OpenedReport", report)  # the only implementation
    match order.what:
        case ExportContent.PEOPLE:
            return people_sheet(opened, order.query, order.order)
        case ExportContent.MEMBERSHIPS:
            return memberships_sheet(opened, order.query, order.listed)
        case ExportContent.PLACES:
            return places_sheet(opened, order.query)
        case ExportContent.MEMBERS:
            return members_sheet(opened, order.place, order.listed)
        case ExportContent.EFFECTIVE:
            return effective_sheet(opened, order.place, order.listed)


sheet_of_changes = changes_sheet


async def save_export(
    make: Callable[[], Sheet],
    form: ExportFormat,
    target: Path,
    on_progress: Callable[[float], None] = lambda _: None,
    *,
    replace: bool = False,
    has_header: bool = True,
) -> int:
    """Write a table to a file (0600) in a thread, complete or not at all; return its rows."""

    def write(report: Callable[[float], None]) -> int:
        sheet = make()
        with whole_file(target, replace=replace) as file, as_text(file) as text:
            write_sheet(sheet, form, text, has_header=has_header, on_progress=report)
        return sheet.count

    return await in_thread(write, on_progress)


@contextmanager
def as_text(file: BinaryIO) -> Iterator[TextIO]:
    """Wrap a binary file as text for `write_sheet`; the file stays open."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        yield text
    finally:
        text.detach()
