"""Parts of an access report, and what changed between two, written to a file of the user's."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from platui.models.values.reports import ExportContent, ExportRequest
from platui.report.export.sheets import (
    effective_sheet,
    members_sheet,
    memberships_sheet,
    people_sheet,
    places_sheet,
)
from platui.report.export.writing import write_sheet
from platui.service.files.whole_file import whole_file
from platui.service.in_thread import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO, TextIO

    from platui.models.values.access import AccessReport
    from platui.models.values.reports import ExportFormat
    from platui.report.export.sheet import Sheet
    from platui.report.open_report import OpenedReport


def sheet_of(report: AccessReport, order: ExportRequest) -> Sheet:
    """Return the table of a part of a report; some 30 ms where it searches.

    Raises TermError: the query cannot be read.
    """
    opened = cast("OpenedReport", report)  # the only kind there is: reports come from `report`
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


async def save_export(
    make: Callable[[], Sheet],
    form: ExportFormat,
    target: Path,
    tell: Callable[[float], None],
    *,
    replace: bool = False,
    has_header: bool = True,
) -> int:
    """Write a table to a file, in a thread; returns its rows. Cancelled, it leaves no file.

    `tell`: takes the share that is written, 0 to 1; called in the thread.
    Raises TermError: the query cannot be read. NameTakenError: there is a file of that name.
    FileWriteError: the disk does not take it.
    """

    def write(check: Callable[[], None]) -> int:
        def told(share: float) -> None:
            check()
            tell(share)

        sheet = make()
        with whole_file(target, replace=replace) as file, as_text(file) as text:
            write_sheet(sheet, form, text, has_header=has_header, tell=told)
        return sheet.count

    return await in_thread(write)


@contextmanager
def as_text(file: BinaryIO) -> Iterator[TextIO]:
    """Give a file as one of text for `write_sheet`; it stays open when the block ends."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        yield text
    finally:
        text.detach()
