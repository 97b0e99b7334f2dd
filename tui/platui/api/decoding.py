"""Decode the bytes of an answer into a value, or into an error that names the mistake."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from platui.api.pages import page_of
from platui.core.errors import InvalidResponseError
from platui.core.text import shorten
from platui.models.wire import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.models.values.feeds import Page

R = TypeVar("R", bound=Record)
T = TypeVar("T")

_SHOWN = 80
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WRONG: Final = {"missing": "missing"}
"""Kinds of mistakes, as the validator calls them, that say more than that there is one."""


_adapters: dict[tuple[type[Record], bool], TypeAdapter[Any]] = {}


def _adapter(model: type[Record], *, many: bool) -> TypeAdapter[Any]:
    """Return the validator of a record or of a list of them, built at its first use."""
    found = _adapters.get((model, many))
    if found is None:
        # Of two threads that build it at once either may win.
        found = _adapters[model, many] = _built(model, many=many)
    return found


def _built(model: type[Record], *, many: bool) -> TypeAdapter[Any]:
    if many:
        kind: Any = tuple[model, ...]  # type: ignore[valid-type]  # made at run time
        return TypeAdapter(kind, config=ConfigDict(hide_input_in_errors=True))
    adapter = TypeAdapter(model)
    adapter.rebuild()  # the record puts it off
    return adapter


def is_prompt(decode: Callable[..., object]) -> bool:
    """Return whether decoding a short body takes no noticeable time.

    The first of a kind takes some 20 ms of the processor: its validator is built then.
    """
    if isinstance(decode, PageDecoder):
        return (decode.model, True) in _adapters
    if isinstance(decode, RecordDecoder | ResultDecoder):
        return (decode.model, False) in _adapters
    return True


@dataclass(frozen=True, slots=True)
class RecordDecoder(Generic[R]):
    """Reads one record."""

    model: type[R]

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> R:
        del headers
        adapter: TypeAdapter[R] = _adapter(self.model, many=False)
        return _validated(adapter, body, _noun(self.model))


@dataclass(frozen=True, slots=True)
class PageDecoder(Generic[R]):
    """Reads one page of a list."""

    model: type[R]
    number: int
    per_page: int
    keep: Callable[[R], bool] | None = None
    """The filter of the request; a platform without it sends other records, too."""

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> Page[R]:
        """Return the page, with what the headers say of the next one.

        An item that is no such record is left out: one must not hide the others.

        Raises InvalidResponseError: not a JSON list, or none of its items is such a record.
        """
        adapter: TypeAdapter[tuple[R, ...]] = _adapter(self.model, many=True)
        try:
            items = _validated(adapter, body, f"list of {_noun(self.model)} records")
            count = len(items)
        except InvalidResponseError:
            items, count = _records_among(self.model, body)
            if not items:
                raise
        page = page_of(items, headers, number=self.number, per_page=self.per_page, count=count)
        kept = items if self.keep is None else tuple(filter(self.keep, items))
        # Where others came along, the total counts them as well.
        if len(kept) == len(items):
            return page
        return replace(
            page,
            items=kept,
            total=None,
            mark=hash(tuple(getattr(one, "id", None) for one in items)),
        )


@dataclass(frozen=True, slots=True)
class ResultDecoder(Generic[R]):
    """Reads the record a write answers with, where the spec does not show that answer."""

    model: type[R]

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> R | None:
        """Return the record, or None if the platform only acknowledged the write."""
        try:
            return RecordDecoder(self.model)(body, headers)
        except InvalidResponseError:
            acknowledged(body, headers)
            return None


def acknowledged(body: bytes, headers: Mapping[str, str]) -> None:
    """Check an answer whose body is not needed.

    Raises InvalidResponseError: it is neither empty nor a JSON object, as all answers of the
    platform are (spec §1): another server has answered.
    """
    del headers
    if body.strip() and not isinstance(_parsed(body), dict):
        raise InvalidResponseError("The answer is not the platform's: it is no JSON object.")


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(_repaired(body))
    except (ValueError, RecursionError):
        return None


def _validated(adapter: TypeAdapter[T], body: bytes, what: str) -> T:
    try:
        return adapter.validate_json(body)
    except ValidationError as error:
        if not _is_syntax(error):
            raise _unreadable(error, what) from None
    try:
        return adapter.validate_json(_repaired(body))
    except ValidationError as error:
        raise _unreadable(error, what) from None


def _records_among(model: type[R], body: bytes) -> tuple[tuple[R, ...], int]:
    """Return the valid records of a list, and the number of all its items."""
    values = _parsed(body)
    if not isinstance(values, list):
        return (), 0
    adapter: TypeAdapter[R] = _adapter(model, many=False)
    found = []
    for value in values:
        with contextlib.suppress(ValidationError):
            found.append(adapter.validate_json(json.dumps(value)))
    return tuple(found), len(values)


def _is_syntax(error: ValidationError) -> bool:
    return any(item["type"] == "json_invalid" for item in error.errors(include_input=False))


def _repaired(body: bytes) -> bytes:
    """Return the body as clean JSON: one lone surrogate or stray byte must not hide a list."""
    try:
        value = json.loads(body.decode("utf-8-sig", errors="replace"))
        return json.dumps(value, ensure_ascii=False).encode("utf-8", errors="replace")
    except (ValueError, RecursionError):
        return body


def _unreadable(error: ValidationError, what: str) -> InvalidResponseError:
    """Return an error with the location of the mistake, never the value: it may be a secret."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = shorten(".".join(str(part) for part in first["loc"]), _SHOWN)
    if first["type"] == "json_invalid":
        return InvalidResponseError(f"The platform's answer is no JSON, and not a {what}.")
    wrong = f": {where} is {_WRONG.get(first['type'], 'not what it is to be')}" if where else ""
    return InvalidResponseError(f"The platform's answer is not a {what}{wrong}.")


def _noun(model: type[Record]) -> str:
    return _HUMP.sub(" ", model.__name__).lower()
