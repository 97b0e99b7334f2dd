"""The last triage board of each profile, to interpret the rows of the first frame."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from itertools import starmap
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from platui.core.observers import OnNotice, ignore_notice
from platui.core.text import clean
from platui.models.values import triage, triage_board
from platui.models.values.queries import ProjectRef
from platui.models.values.triage_board import BoardItem, SavedBoard
from platui.store.document import CacheFiles
from platui.store.json_shape import expect_type, parse_seconds, parse_time

_NAMES = {
    **vars(triage),
    **vars(triage_board),
    "datetime": datetime,
    "ProjectRef": ProjectRef,
}
"""Names in annotations, whose imports are for type checkers only."""
_PLAIN = frozenset({str, int, float, bool, NoneType})


def written(value: Any) -> Any:
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if names := _names_of(kind):
        return [written(getattr(value, name)) for name in names]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [written(one) for one in value]
    return value


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    """Return the fields of a dataclass; none: it is not one."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()


def read(kind: Any, document: Any) -> Any:
    """Return the value of a document. Raises one of `SHAPE_ERRORS`: invalid."""
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is UnionType:
        plain = {int, str, NoneType}.intersection(kinds)
        kind = type(document)
        if kind not in plain:
            (kind,) = (one for one in kinds if one not in plain)
        return read(kind, document)
    if origin is tuple:
        values = expect_type(document, list)
        every = kinds[:1] * len(values) if kinds[-1] is Ellipsis else kinds
        return tuple(starmap(read, zip(every, values, strict=True)))
    if kind is datetime:
        return parse_time(document)
    if issubclass(kind, Enum):
        return kind(document)
    if kind is str:
        return clean(expect_type(document, str))
    if kind is float:
        number = float(expect_type(document, int, float))
        if not isfinite(number):  # Python reads `Infinity`, which is no length of time
            raise ValueError(number)
        return number
    if kind in {int, bool, NoneType}:
        return expect_type(document, kind)
    kinds = _kinds_of(kind)
    values = expect_type(document, list)
    # Older files lack later fields; a missing required field raises.
    known = zip(kinds[: len(values)], values, strict=True)
    return kind(*starmap(read, known))


@cache
def _kinds_of(kind: Any) -> tuple[Any, ...]:
    hints = get_type_hints(kind, localns=_NAMES)
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    return tuple(hints[name] for name in names)


MAX_ITEMS: Final = 400  # Limit of saved rows; the last rows of the board are dropped

_TOO_BIG: Final = 8_000_000  # Bytes above which a file is invalid


class SavedBoards:
    def __init__(self, folder: Path, say: OnNotice = ignore_notice) -> None:
        self._files = CacheFiles(folder, "Saved triage board", 1, _TOO_BIG, say)

    def load(self, profile: str, url: str) -> SavedBoard | None:
        """Return the last board of the profile for the platform at `url`, or None."""

        def board(document: dict[str, Any]) -> SavedBoard | None:
            if document["url"] != url:
                return None
            return SavedBoard(
                read(tuple[BoardItem, ...], document["items"]),
                read(tuple[tuple[int, str], ...], document["names"]),
                expect_type(document["watched"], int),
                read(tuple[int, ...], document["refused"]),
                parse_seconds(document["told_at"]),
            )

        return self._files.load(profile, board)

    def save(self, profile: str, url: str, kept: SavedBoard) -> None:
        document = {
            "url": url,
            "told_at": kept.as_of,
            "watched": kept.watched,
            "refused": kept.inaccessible,
            "names": kept.names,
            "items": written(kept.items[:MAX_ITEMS]),
        }
        self._files.save(profile, document)
