"""Commits and files that changed between two commits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Row
from platui.models.wire import Commit, Comparison, FileDiff
from platui.present.counts import counted
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import clock

if TYPE_CHECKING:
    Change = Commit | FileDiff

_SHORT: Final = 8
_COMMIT: Final = "commit:"
_FILE: Final = "file:"


COMMITS: Final[TableSpec[Commit]] = TableSpec(
    key=lambda one: one.id,
    columns=(
        ColumnSpec("id", "COMMIT", cell=lambda one, _: Cell(clean(one.id[:_SHORT]), "accent"),
                   width=8),
        ColumnSpec("title", "TITLE", width=40, minimum=20, flexible=True, middle=True),
        ColumnSpec("author_name", "AUTHOR", role="muted", width=18, minimum=10, priority=1,
                   fits=True),
        ColumnSpec("created_at", "WHEN", cell=lambda one, at: clock(one.created_at, at.now,
                   utc=at.utc), role="muted", width=12, priority=2, fits=True),
        *map(ColumnSpec, ("author_email", "message")),
        ColumnSpec("parent_ids", value=lambda one, _: list(one.parent_ids)),
        ColumnSpec("web_url"),
    ),
)  # fmt: skip

CHANGED_FILES: Final[TableSpec[FileDiff]] = TableSpec(
    key=lambda one: one.new_path,
    columns=(
        ColumnSpec("change", "CHANGE", value=lambda one, _: kind_of(one), role="muted", width=8),
        ColumnSpec("new_path", "FILE", cell=lambda one, _: path_of(one), width=40),
        ColumnSpec("old_path"),
        ColumnSpec("lines", "LINES", name=None, cell=lambda one, _: size_of(one), role="muted",
                   width=18),
        ColumnSpec("added", value=lambda one, _: one.added),
        ColumnSpec("removed", value=lambda one, _: one.removed),
        ColumnSpec("is_binary"),
        ColumnSpec("is_left_out"),
        ColumnSpec("diff"),
    ),
)  # fmt: skip


def kind_of(file: FileDiff) -> str:
    if file.new_file or file.deleted_file:
        return "new" if file.new_file else "deleted"
    return "renamed" if file.renamed_file else "changed"


def path_of(file: FileDiff) -> str:
    old, new = clean(file.old_path), clean(file.new_path)
    return f"{old} → {new}" if file.renamed_file and old != new else new or old


def size_of(file: FileDiff) -> str:
    if file.is_binary or file.is_left_out:
        return "binary" if file.is_binary else "too large"
    return f"+{file.added} -{file.removed}"


def changes_of(comparison: Comparison) -> dict[str, Change]:
    """Return the commits, newest first, then the files, by the keys of their rows."""
    commits = enumerate(reversed(comparison.commits))
    files = enumerate(comparison.diffs)
    return {f"{_COMMIT}{at}": one for at, one in commits} | {
        f"{_FILE}{at}": one for at, one in files
    }


def change_rows(changes: Mapping[str, Change], at: Context) -> list[Row]:
    """Return a row for each change, and a heading above the files; slow if there are many."""
    commits = {key: one for key, one in changes.items() if isinstance(one, Commit)}
    files = {key: one for key, one in changes.items() if isinstance(one, FileDiff)}
    rows = [replace(COMMITS.row(one, at), key=key) for key, one in commits.items()]
    if files:
        text = f"── {counted(len(files), 'file')} ──"
        rows.append(Row("files", (), search=" ", muted=True, heading=Cell(text, "muted")))
    return [*rows, *(replace(_file_row(one, at), key=key) for key, one in files.items())]


def _file_row(file: FileDiff, at: Context) -> Row:
    row = CHANGED_FILES.row(file, at)
    return replace(row, cells=(*row.cells, BLANK), sort=())
