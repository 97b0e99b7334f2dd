"""Requests as rows: what platui asked for, and what it cost."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import unquote

from platui.core.text import clean
from platui.models.values.table import Cell, Column, Row
from platui.present.times import in_zone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.models.values.connection import RequestRecord

REQUEST_COLUMNS = (
    Column("at", "TIME", 8),
    Column("method", "METHOD", 6, priority=2),
    Column("path", "REQUEST", 36, minimum=30, flexible=True),
    Column("status", "STATUS", 7),
    Column("ms", "MS", 6, right=True),
    Column("bytes", "BYTES", 8, right=True, priority=1),
    Column("source", "SOURCE", 9),
    Column("urgency", "FOR", 10, priority=3),
)


def request_rows(records: Iterable[RequestRecord], *, utc: bool) -> list[Row]:
    """Return a row a request, in the order given (newest first)."""
    return [_request_row(record, utc=utc) for record in records]


def _request_row(record: RequestRecord, *, utc: bool) -> Row:
    at = in_zone(record.at, utc=utc)
    status = "–" if record.status is None else str(record.status)
    cells = (
        Cell(f"{at:%H:%M:%S}", "muted"),
        Cell(clean(record.method)),
        _asked(record.path),
        Cell(status, _role(record.status)),
        Cell(str(record.milliseconds), "muted"),
        Cell(f"{record.received:,}", "muted"),
        Cell(clean(record.source), "muted"),
        Cell(record.urgency.value, "muted"),
    )
    found = [clean(record.path), *(cell.text for cell in cells)]
    if record.status is None or record.status >= HTTPStatus.BAD_REQUEST:
        found.append("failed")
    return Row(
        key=str(record.number),
        cells=cells,
        sort=(record.number, cells[1].text, clean(record.path), record.status, record.milliseconds,
              record.received, cells[6].text, cells[7].text),
        search=" ".join(found).lower(),
    )  # fmt: skip


def _asked(path: str) -> Cell:
    """Return what was asked for, then of which project.

    Every request of a project begins with its path, often longer than the column: cut at the end,
    all of them would look alike.
    """
    kind, _, rest = path.partition("/")
    project, _, asked = rest.partition("/")
    if kind != "projects" or not asked:
        return Cell(clean(path))
    named = clean(unquote(project).rpartition("/")[2])
    parts = ((clean(asked), "text"), (f"  {named}", "muted"))
    return Cell("".join(text for text, _ in parts), parts=parts)


def _role(status: int | None) -> str:
    if status is None or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "failed"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "warning"
    return "failed" if status >= HTTPStatus.BAD_REQUEST else "success"
