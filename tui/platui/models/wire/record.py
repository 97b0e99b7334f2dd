"""The base of records, and lenient field types.

The platform's release is unknown and the spec leaves fields "not shown". So only `id` is required:
a field that is missing, null or of an unexpected type gets its default, unknown fields are ignored,
and unknown statuses stay text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
)
from pydantic_core import core_schema

_UNNAMED: Final = frozenset({"base", "error", "errors", "message", "messages"})
"""Keys that do not name a field."""

_DEPTH: Final = 8


def flatten_messages(value: object, *, _depth: int = 0) -> str:
    """Return nested messages as one text: `name: has already been taken; path: is invalid`."""
    if value is None or isinstance(value, bool) or _depth > _DEPTH:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        texts = ((key, flatten_messages(one, _depth=_depth + 1)) for key, one in value.items())
        named = (text if key in _UNNAMED else f"{key}: {text}" for key, text in texts if text)
        return "; ".join(named)
    if isinstance(value, Sequence):
        separator = "; " if any(isinstance(item, Mapping) for item in value) else ", "
        return separator.join(
            text for item in value if (text := flatten_messages(item, _depth=_depth + 1))
        )
    return ""


T = TypeVar("T")


_GIVEN: Final = set[str]()
"""Which fields a record was given, shared by all records: nothing asks, and a set takes 2 KB."""


_LAYOUTS: Final = dict[type["Record"], dict[str, Any]]()
"""Empty attributes of each kind of record; copies share their keys."""


def _layout(kind: type[Record]) -> dict[str, Any]:
    """Return attributes whose keys Python shares; those that pydantic makes have their own."""
    bare = kind.__new__(kind)
    for name in kind.model_fields:
        object.__setattr__(bare, name, None)
    return _LAYOUTS.setdefault(kind, bare.__dict__)


class Record(BaseModel):
    """The base of API records: frozen, not cleaned for display."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        coerce_numbers_to_str=True,
        allow_inf_nan=False,
        defer_build=True,
    )

    def model_post_init(self, _context: Any, /) -> None:
        """Make the record smaller: shared keys and no set of its own save 3 KB."""
        kind = type(self)
        values = (_LAYOUTS.get(kind) or _layout(kind)).copy()
        values.update(self.__dict__)
        object.__setattr__(self, "__dict__", values)
        object.__setattr__(self, "__pydantic_fields_set__", _GIVEN)


class OrElse:
    """Replace a value of the wrong type by a default."""

    def __init__(self, default: object) -> None:
        self._default = default

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Wrap the field's schema; the fallback runs in the Rust validator, not in Python."""
        return core_schema.with_default_schema(
            handler(source), default=self._default, on_error="default"
        )


class _EachThatFits:
    """Keep valid items of a list; empty if it is not a list."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Map invalid items to None and drop them."""
        item = handler.generate_schema(get_args(source)[0])
        fitting = core_schema.with_default_schema(item, default=None, on_error="default")
        return core_schema.with_default_schema(
            core_schema.no_info_after_validator_function(
                lambda items: tuple(one for one in items if one is not None),
                core_schema.tuple_schema([fitting], variadic_item_index=0),
            ),
            default=(),
            on_error="default",
        )


def _aware(moment: datetime) -> datetime:
    """Read a timestamp without an offset as UTC; ValueError: year 1, which means "none".

    All in UTC share one zone: pydantic makes one for each, and `datetime` compares these slowly.
    """
    if not MINYEAR < moment.year < MAXYEAR:
        raise ValueError(moment.year)
    return moment if moment.utcoffset() else moment.replace(tzinfo=UTC)


def _as_json(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)


Text: TypeAlias = Annotated[str, OrElse("")]
MaybeText: TypeAlias = Annotated[str | None, OrElse(None)]  # Text; null differs from empty
Number: TypeAlias = Annotated[float | None, OrElse(None)]
"""Seconds or percent; a number, or a number in a string (`"30.00"`)."""
Id: TypeAlias = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""A number of 64 bits: a larger one cannot be converted to the float that a size is shown as."""
Whole: TypeAlias = Annotated[Id | None, OrElse(None)]
Flag: TypeAlias = Annotated[bool, OrElse(False)]
MaybeFlag: TypeAlias = Annotated[bool | None, OrElse(None)]  # A flag; null differs from false
Moment: TypeAlias = Annotated[Annotated[datetime, AfterValidator(_aware)] | None, OrElse(None)]
Texts: TypeAlias = Annotated[tuple[str, ...], OrElse(())]
FlatText: TypeAlias = Annotated[str, BeforeValidator(flatten_messages), OrElse("")]
"""Text that may be nested in lists and objects."""
JsonText: TypeAlias = Annotated[str, BeforeValidator(_as_json), OrElse("")]
"""An unused object as JSON text, so that records stay hashable."""
Maybe: TypeAlias = Annotated[T | None, OrElse(None)]
Several: TypeAlias = Annotated[tuple[T, ...], _EachThatFits()]
