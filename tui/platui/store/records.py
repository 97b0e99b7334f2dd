"""Frozen values as JSON, spelled and read by their own annotations.

A value of `models.values` becomes a list of its fields, in their order; moments become texts.
What is read was perhaps written by a hand: its shape is looked at, and its text is cleaned.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from platui.core.text import clean
from platui.models.values import triage, triage_causes, triage_items, triage_lateness
from platui.models.values.queries import ProjectRef
from platui.store.shape import moment, only

R = TypeVar("R")

_NAMES = {
    **vars(triage),
    **vars(triage_causes),
    **vars(triage_items),
    **vars(triage_lateness),
    "datetime": datetime,
    "ProjectRef": ProjectRef,
}
"""What the annotations of values name, and their modules import for type checkers only."""


def written(value: Any) -> Any:
    """Return a value as what JSON knows."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        return [written(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [written(one) for one in value]
    return value


def read(kind: type[R], document: Any) -> R:
    """Return the value that a document spells.

    Raises:
        One of `shape.WRONG_SHAPE`: it spells none of that kind.
    """
    found: R = _read(kind, document)
    return found


def _read(kind: Any, document: Any) -> Any:
    origin = get_origin(kind)
    if origin is UnionType:
        return _read_one_of(get_args(kind), document)
    if origin is tuple:
        return _read_tuple(get_args(kind), document)
    if kind is datetime:
        return moment(document)
    if issubclass(kind, Enum):
        return kind(document)
    if kind is str:
        return clean(only(document, str))
    if kind is float:
        return float(only(document, int, float))
    if kind in {int, bool, NoneType}:
        return only(document, kind)
    kinds = _kinds_of(kind)
    values = only(document, list)
    # What was kept before a field was added ends before it; a field that must be there is missed.
    known = zip(kinds[: len(values)], values, strict=True)
    return kind(*(_read(one, value) for one, value in known))


def _read_one_of(kinds: tuple[Any, ...], document: Any) -> Any:
    if document is None and NoneType in kinds:
        return None
    plain = tuple(kind for kind in kinds if kind in {int, str})
    if type(document) in plain:
        return _read(type(document), document)
    (kind,) = (kind for kind in kinds if kind is not NoneType and kind not in plain)
    return _read(kind, document)


def _read_tuple(kinds: tuple[Any, ...], document: Any) -> tuple[Any, ...]:
    values = only(document, list)
    if kinds[-1] is Ellipsis:
        return tuple(_read(kinds[0], value) for value in values)
    return tuple(_read(kind, value) for kind, value in zip(kinds, values, strict=True))


@cache
def _kinds_of(kind: Any) -> tuple[Any, ...]:
    """Return the annotations of a value's fields, in their order."""
    hints = get_type_hints(kind, localns=_NAMES)
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    return tuple(hints[name] for name in names)
