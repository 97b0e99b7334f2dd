"""The tables of requests and their cost, and of writes sent from this machine."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from platui.core.text import clean
from platui.models.values.table import Cell, cell_of
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import dated, in_zone

if TYPE_CHECKING:
    from platui.models.values.connection import RequestRecord
    from platui.models.values.write_states import AuditEntry


def _asked(one: RequestRecord, _at: Context) -> Cell:
    """Return the path with the project name last, since it is often longer than the column."""
    kind, _, rest = one.path.partition("/")
    project, _, endpoint = rest.partition("/")
    if kind != "projects" or not endpoint:
        return Cell(clean(one.path))
    named = clean(unquote(project).rpartition("/")[2])
    return cell_of([(clean(endpoint), "text"), (f"  {named}", "muted")])


def _status(one: RequestRecord, _at: Context) -> Cell:
    status = one.status
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Cell(str(status), "warning")
    return Cell("–" if status is None else str(status), "failed" if _failed(one) else "success")


def _failed(one: RequestRecord) -> bool:
    return one.status is None or one.status >= HTTPStatus.BAD_REQUEST


REQUESTS: Final[TableSpec[RequestRecord]] = TableSpec(
    key=lambda one: str(one.number),
    search=lambda one: (one.path, "failed" * _failed(one)),
    columns=(
        ColumnSpec(
            "at",
            "TIME",
            cell=lambda one, at: f"{in_zone(one.at, utc=at.utc):%H:%M:%S}",
            sort=lambda one, _: one.number,
            role="muted",
            width=8,
        ),
        ColumnSpec("method", "METHOD", width=6, priority=2),
        ColumnSpec(
            "path",
            "REQUEST",
            cell=_asked,
            sort=lambda one, _: clean(one.path),
            width=36,
            minimum=30,
            flexible=True,
        ),
        ColumnSpec("status", "STATUS", cell=_status, sort=lambda one, _: one.status, width=7),
        ColumnSpec(
            "ms",
            "MS",
            name="milliseconds",
            sort=lambda one, _: one.milliseconds,
            role="muted",
            width=6,
            right=True,
        ),
        ColumnSpec(
            "bytes",
            "BYTES",
            name="received",
            cell=lambda one, _: f"{one.received:,}",
            sort=lambda one, _: one.received,
            role="muted",
            width=8,
            right=True,
            priority=1,
        ),
        ColumnSpec("source", "SOURCE", role="muted", width=9),
        ColumnSpec(
            "urgency",
            "PRIORITY",
            value=lambda one, _: one.urgency.value,
            role="muted",
            width=10,
            priority=3,
        ),
    ),
)

AUDIT: Final[TableSpec[AuditEntry]] = TableSpec(
    key=lambda one: f"{one.at.isoformat()} {one.mark}",
    columns=(
        ColumnSpec("at", "WHEN", cell=lambda one, at: dated(one.at, utc=at.utc, seconds=True)),
        ColumnSpec("profile", "PROFILE", priority=1),
        ColumnSpec("operation", "OPERATION", minimum=12),
        ColumnSpec(
            "target", "TARGET", value=lambda one, _: unquote(one.target), minimum=24, ends=True
        ),
        ColumnSpec("result", "RESULT", minimum=20),
        ColumnSpec("write", "WRITE", value=lambda one, _: one.mark, priority=2),
    ),
)
