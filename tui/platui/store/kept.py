"""The last place of each profile, with its rows: what the first frame is painted from.

It is read before anything else is imported, so it is one small JSON file a profile.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final

from platui.core.paths import write_private
from platui.core.remarks import unheard
from platui.core.text import clean
from platui.models.values.places import KeptPlace, Place, View
from platui.models.values.table import BLANK, Cell, Column, Line, Row
from platui.store.document import leave_or_put_aside, refuse_newer
from platui.store.naming import file_stem
from platui.store.shape import WRONG_SHAPE, only

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from platui.core.remarks import Say

_WHAT: Final = "The page of the last visit"
_VERSION: Final = 1

MOST_ROWS: Final = 150
"""Rows that are kept: more than any screen shows at once."""

_TOO_BIG: Final = 4_000_000
"""Bytes above which a file is not one of ours."""

_PLAIN = (str, int, float, bool, type(None))


class KeptPlaces:
    """The last places, in a folder with one file a profile."""

    def __init__(self, folder: Path, say: Say = unheard) -> None:
        """Take where they are.

        Args:
            folder: where.
            say: takes what the user has to know of a file that cannot be read.
        """
        self._folder = folder
        self._say = say

    def load(self, profile: str) -> KeptPlace | None:
        """Return the last place of the profile; None where there is none that can be read."""
        path = self._path(profile)
        try:
            if path.stat().st_size > _TOO_BIG:
                raise ValueError(path)
            kept = _place(json.loads(path.read_bytes()))
        except OSError:
            return None
        except WRONG_SHAPE:
            # The screen starts without.
            leave_or_put_aside(path, _WHAT, _VERSION, self._say)
            return None
        return kept if kept.profile == profile else None

    def save(self, kept: KeptPlace) -> None:
        """Keep the place for its profile, in the stead of the one of before.

        Raises:
            OSError: the file cannot be written, or is of a newer platui.
        """
        path = self._path(kept.profile)
        refuse_newer(path, _VERSION)
        text = json.dumps(_document(kept), ensure_ascii=True, separators=(",", ":"))
        if len(text) > _TOO_BIG:  # of names that are longer than any screen
            return
        write_private(path, text.encode(), lasting=False)

    def _path(self, profile: str) -> Path:
        return self._folder / f"{file_stem(profile)}.json"


def _document(kept: KeptPlace) -> dict[str, Any]:
    rows = _around_cursor(kept.rows, kept.cursor)
    sorts = [_written_sort(row.sort) for row in rows]
    if None in sorts:
        # A column is compared by values or by texts, not by both: none then.
        sorts = [[] for _ in rows]
    place = kept.place
    return {
        "version": _VERSION,
        "profile": kept.profile,
        "place": [
            place.view.value,
            place.project,
            place.project_name,
            place.pipeline,
            place.job,
            place.job_name,
            place.path,
            place.ref,
        ],
        "columns": [
            [
                c.key,
                c.title,
                c.width,
                c.minimum,
                c.flexible,
                c.right,
                c.priority,
                c.optional,
                c.ends,
            ]
            for c in kept.columns
        ],
        "rows": [_written_row(row, sort) for row, sort in zip(rows, sorts, strict=True)],
        "cursor": kept.cursor,
        "saved_at": kept.saved_at,
        "extra": kept.extra,
    }


def _around_cursor(rows: Sequence[Row], cursor: str) -> Sequence[Row]:
    """Return the first rows, or those around the cursor where it is further down."""
    at = next((index for index, row in enumerate(rows) if row.key == cursor), 0)
    start = 0 if at < MOST_ROWS else min(at - MOST_ROWS // 2, len(rows) - MOST_ROWS)
    return rows[start : start + MOST_ROWS]


def _written_row(row: Row, sort: list[Any] | None) -> list[Any]:
    cells = [_written_cell(cell) for cell in row.cells]
    written = [row.key, cells, sort, row.search, row.muted]
    if row.below:
        written.append([_written_line(line) for line in row.below])
    return written


def _written_line(line: Line) -> list[Any]:
    sides = (line.left, line.right) if line.right != BLANK else (line.left,)
    return [_written_cell(cell) for cell in sides]


def _written_cell(cell: Cell) -> list[Any]:
    if cell.parts:
        return [cell.text, cell.role, cell.parts]
    return [cell.text, cell.role] if cell.role != "text" else [cell.text]


def _written_sort(values: tuple[Any, ...]) -> list[Any] | None:
    """Return sort values as JSON, each with its type; None where one has no spelling."""
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


def _place(document: Any) -> KeptPlace:
    """Return what the document says; a wrong shape raises one of the errors load knows."""
    if document["version"] != _VERSION:
        raise ValueError(document["version"])
    written = only(document["place"], list)
    # The first version wrote no path and ref of a file.
    path, ref = written[6:] or ("", "")
    view, project, project_name, pipeline, job, job_name = written[:6]
    return KeptPlace(
        place=Place(
            View(view),
            only(project, int, str, type(None)),
            clean(project_name),
            only(pipeline, int, type(None)),
            only(job, int, type(None)),
            clean(job_name),
            only(path, str),
            only(ref, str),
        ),
        columns=tuple(starmap(_column, document["columns"])),
        rows=tuple(starmap(_row, document["rows"])),
        cursor=only(document["cursor"], str),
        saved_at=float(document["saved_at"]),
        profile=only(document["profile"], str),
        extra={only(key, str): only(value, str) for key, value in document["extra"].items()},
    )


def _column(
    key: Any,
    title: Any,
    width: Any,
    minimum: Any,
    flexible: Any,
    right: Any,
    priority: Any,
    *others: Any,  # whether it is optional, and cut at its beginning; earlier versions wrote none
) -> Column:
    return Column(
        only(key, str),
        clean(title),
        only(width, int),
        only(minimum, int),
        only(flexible, bool),
        only(right, bool),
        only(priority, int),
        optional=others[:1] == (True,),
        ends=others[1:2] == (True,),
    )


def _row(
    key: Any,
    cells: Any,
    sort: Any,
    search: Any,
    muted: Any,
    below: Any = (),  # most rows have none, and earlier versions wrote none
) -> Row:
    return Row(
        only(key, str),
        tuple(starmap(_cell, cells)),
        _read_sort(sort),
        clean(search),
        muted is True,
        tuple(starmap(_line, only(below, list, tuple))),
    )


def _line(left: Any, *right: Any) -> Line:
    return Line(*(_cell(*cell) for cell in (left, *right)))


def _cell(text: Any, role: Any = "text", parts: Any = ()) -> Cell:
    # Cleaned again: the file may have been written by a hand, and its text goes to a terminal.
    return Cell(
        clean(text), clean(role), tuple((clean(piece), clean(meant)) for piece, meant in parts)
    )


def _read_sort(values: Any) -> tuple[Any, ...]:
    return tuple(_read_sort_value(value) for value in values)


def _read_sort_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return only(value, *_PLAIN)
    ((kind, content),) = value.items()
    match kind:
        case "tuple":
            return _read_sort(content)
        case "time":
            return datetime.fromisoformat(content)
        case "date":
            return date.fromisoformat(content)
    raise ValueError(kind)
