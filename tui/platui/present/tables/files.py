"""The table of a job's artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.present.counts import human_bytes
from platui.present.tables.spec import ColumnSpec, TableSpec

if TYPE_CHECKING:
    from platui.models.wire.jobs import Artifact

ARTIFACTS: Final[TableSpec[Artifact]] = TableSpec(
    key=lambda one: one.file_type,
    screen=("file_type", "filename", "file_format", "size"),
    columns=(
        ColumnSpec("file_type", "TYPE", width=12, minimum=5),
        ColumnSpec("filename", "FILE", width=30, minimum=10, flexible=True),
        ColumnSpec(
            "size",
            "SIZE",
            cell=lambda one, _: "" if one.size is None else human_bytes(one.size),
            width=10,
            minimum=8,
            right=True,
        ),
        ColumnSpec("file_format", "FORMAT", role="muted", width=6, minimum=4),
    ),
)

NUMBERED_ARTIFACTS: Final[TableSpec[tuple[int, Artifact]]] = ARTIFACTS.of(
    lambda numbered: numbered[1], key=lambda numbered: str(numbered[0])
)
# Keyed by index: a platform may list one type twice.
