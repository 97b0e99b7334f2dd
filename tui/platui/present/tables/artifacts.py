"""The files of an archive of artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.present.counts import human_bytes
from platui.present.tables.spec import ColumnSpec, TableSpec

if TYPE_CHECKING:
    from platui.models.values.files import ArchiveEntry

ARCHIVE_FILES: Final[TableSpec[ArchiveEntry]] = TableSpec(
    key=lambda one: one.name,
    columns=(
        ColumnSpec("name", "FILE", width=50, minimum=20, flexible=True, middle=True),
        ColumnSpec("size", "SIZE", value=lambda one, _: one.size, right=True, width=12,
                   cell=lambda one, _: human_bytes(one.size), sort=lambda one, _: one.size),
    ),
)  # fmt: skip
