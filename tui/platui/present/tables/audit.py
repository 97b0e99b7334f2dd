"""The table of writes sent from this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from platui.present.tables.spec import ColumnSpec, TableSpec
from platui.present.times import dated

if TYPE_CHECKING:
    from platui.models.values.write_states import AuditEntry

AUDIT: Final[TableSpec[AuditEntry]] = TableSpec(
    key=lambda one: f"{one.at.isoformat()} {one.mark}",
    columns=(
        ColumnSpec("at", "WHEN", cell=lambda one, at: dated(one.at, utc=at.utc, seconds=True)),
        ColumnSpec("profile", "PROFILE", priority=1),
        ColumnSpec("operation", "OPERATION", minimum=12),
        ColumnSpec(
            "target", "TARGET", cell=lambda one, _: unquote(one.target), minimum=24, ends=True
        ),
        ColumnSpec("result", "RESULT", minimum=20),
        ColumnSpec("write", "WRITE", value=lambda one, _: one.mark, priority=2),
    ),
)
