"""The last view of each profile with its rows: small JSON, read before other imports."""

from __future__ import annotations

from dataclasses import fields
from datetime import date, datetime
from itertools import starmap
from pathlib import Path
from typing import Any, Final

from platui.core.observers import OnNotice, ignore_notice
from platui.core.text import clean
from platui.models.values.routes import FIELD_TYPES, NAME_FIELDS, Route, SavedView
from platui.models.values.table import BLANK, Cell, Column, LineBelow, Row
from platui.store.document import CacheFiles
from platui.store.json_shape import expect_type, parse_seconds

MAX_ROWS: Final = 150  # More rows than any screen shows

_TOO_BIG: Final = 4_000_000  # Bytes above which a file is invalid

_PLAIN = (str, int, float, bool, type(None))


class SavedViews:
    def __init__(self, folder: Path, say: OnNotice = ignore_notice) -> None:
        self._files = CacheFiles(folder, "Saved view", 1, _TOO_BIG, say)

    def load(self, profile: str) -> SavedView | None:
        kept = self._files.load(profile, _view)
        return kept if kept is not None and kept.profile == profile else None

    def path(self, profile: str) -> Path:
        return self._files.path(profile)

    def save(self, kept: SavedView) -> None:
        self._files.save(kept.profile, _document(kept))


def _document(kept: SavedView) -> dict[str, Any]:
    keys = [row.key for row in kept.rows]
    at = keys.index(kept.cursor) if kept.cursor in keys else 0
    start = 0 if at < MAX_ROWS else min(at - MAX_ROWS // 2, len(keys) - MAX_ROWS)
    rows = kept.rows[start : start + MAX_ROWS]
    sorts = [_written_sort(row.sort) for row in rows]
    if None in sorts:
        # A column is sorted by values or by texts, not by both.
        sorts = [[] for _ in rows]
    return {
        "profile": kept.profile,
        "place": written_route(kept.route),
        "columns": [[getattr(c, one.name) for one in fields(Column)] for c in kept.columns],
        "rows": [_written_row(row, sort) for row, sort in zip(rows, sorts, strict=True)],
        "cursor": kept.cursor,
        "saved_at": kept.saved_at,
        "extra": kept.extra,
    }


def written_route(route: Route) -> list[Any]:
    return [getattr(route, name) for name in FIELD_TYPES]


def read_route(values: Any) -> Route:
    """Return a written route. Raises one of SHAPE_ERRORS."""
    # Earlier versions wrote fewer fields.
    written = zip(FIELD_TYPES.items(), expect_type(values, list), strict=False)
    fields = {name: expect_type(value, *types) for (name, types), value in written}
    return Route(**fields | {name: clean(fields[name]) for name in NAME_FIELDS})


def _written_row(row: Row, sort: list[Any] | None) -> list[Any]:
    cells = [_written_cell(cell) for cell in row.cells]
    written = [row.key, cells, sort, row.search, row.muted]
    if row.below or row.title:
        sides = ([one.left] if one.right == BLANK else [one.left, one.right] for one in row.below)
        written.append([list(map(_written_cell, cells)) for cells in sides])
    if row.title:
        written.append(_written_cell(row.title))
    return written


def _written_cell(cell: Cell) -> list[Any]:
    if cell.parts:
        return [cell.text, cell.role, cell.parts]
    return [cell.text, cell.role] if cell.role != "text" else [cell.text]


def _written_sort(values: tuple[Any, ...]) -> list[Any] | None:
    """Return typed sort values as JSON; None: not serializable."""
    written: list[Any] = []
    for value in values:
        if isinstance(value, tuple):
            inner = _written_sort(value)
            if inner is None:
                return None
            written.append({"tuple": inner})
        elif isinstance(value, (datetime, date)):
            kind = "time" if isinstance(value, datetime) else "date"
            written.append({kind: value.isoformat()})
        elif type(value) in _PLAIN:
            written.append(value)
        else:
            return None
    return written


def _view(document: Any) -> SavedView:
    return SavedView(
        route=read_route(document["place"]),
        columns=tuple(starmap(_column, document["columns"])),
        rows=tuple(starmap(_row, document["rows"])),
        cursor=expect_type(document["cursor"], str),
        saved_at=parse_seconds(document["saved_at"]),
        profile=expect_type(document["profile"], str),
        extra={
            expect_type(key, str): expect_type(value, str)
            for key, value in document["extra"].items()
        },
    )


def _column(key: Any, title: Any, *others: Any) -> Column:
    # Other versions may have fewer or more fields.
    known = zip(fields(Column)[2:], others, strict=False)
    return Column(
        expect_type(key, str),
        clean(title),
        **{one.name: expect_type(value, type(one.default)) for one, value in known},
    )


def _row(
    key: Any,
    cells: Any,
    sort: Any,
    search: Any,
    muted: Any,
    below: Any = (),  # absent in most rows and in earlier versions
    title: Any = None,  # the same
) -> Row:
    return Row(
        expect_type(key, str),
        tuple(starmap(_cell, cells)),
        tuple(map(_read_sort_value, sort)),
        clean(search),
        muted is True,
        tuple(LineBelow(*starmap(_cell, sides)) for sides in expect_type(below, list, tuple)),
        title=None if title is None else _cell(*title),
    )


def _cell(text: Any, role: Any = "text", parts: Any = ()) -> Cell:
    # Cleaned again: the file may be edited, and its text goes to a terminal.
    return Cell(
        clean(text), clean(role), tuple((clean(piece), clean(meant)) for piece, meant in parts)
    )


def _read_sort_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return expect_type(value, *_PLAIN)
    ((kind, content),) = value.items()
    match kind:
        case "tuple":
            return tuple(map(_read_sort_value, content))
        case "time":
            return datetime.fromisoformat(content)
        case "date":
            return date.fromisoformat(content)
    raise ValueError(kind)
