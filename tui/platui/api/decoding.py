"""Decode response bodies; errors name the invalid field."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Protocol, TypeVar
from urllib.parse import parse_qs, urlsplit

from pydantic import ConfigDict, TypeAdapter, ValidationError

from platui.api.quota import whole_number
from platui.core.dataclass import dataclass
from platui.core.errors import InvalidResponseError
from platui.core.text import shorten
from platui.models.values.feeds import Page
from platui.models.wire import Record

R = TypeVar("R", bound=Record)

_SHOWN = 80
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")

_LINK: Final = re.compile(r"<([^<>]*)>([^<]*)")
_REL: Final = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))', re.IGNORECASE)

_validators: dict[tuple[type[Record], bool], _Validator] = {}


class _Validator(Protocol):
    """The part of a type adapter that is kept: nothing needs its serializer."""

    def validate_json(self, body: bytes, /) -> Any: ...


def _validator(model: type[Record], *, many: bool) -> _Validator:
    """Return the validator of a record or list of records, built on first use."""
    # Two threads may build it at once; either result is fine.
    if (model, many) not in _validators:
        kind: Any = tuple[model, ...] if many else model  # type: ignore[valid-type]  # at run time
        config = ConfigDict(hide_input_in_errors=True) if many else None
        adapter = TypeAdapter(kind, config=config)
        adapter.rebuild()  # records defer building
        _validators[model, many] = adapter.validator
    return _validators[model, many]


def is_prompt(decode: Callable[..., object]) -> bool:
    """Return whether decoding a short body is fast, once the 20 ms validator is built."""
    model = getattr(decode, "model", None)
    return model is None or (model, isinstance(decode, PageDecoder)) in _validators


@dataclass(frozen=True, slots=True)
class RecordDecoder(Generic[R]):
    """Decodes one record."""

    model: type[R]

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> R:
        del headers
        found: R = _validated(self.model, body, many=False)
        return found


@dataclass(frozen=True, slots=True)
class PageDecoder(Generic[R]):
    """Decodes one page of a list."""

    model: type[R]
    number: int
    per_page: int
    keep: Callable[[R], bool] | None = None
    """The filter of the request, for platforms that ignore it."""

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> Page[R]:
        """Return the page and the next page's number. Invalid items are skipped."""
        items: tuple[R, ...]
        try:
            items = _validated(self.model, body, many=True)
            count = len(items)
        except InvalidResponseError:
            items, count = _records_among(self.model, body)
            if not items:
                raise
        following = next_page(count, headers, self.number, self.per_page)
        kept = items if self.keep is None else tuple(filter(self.keep, items))
        if len(kept) == len(items):
            return Page(items, self.number, following, whole_number(headers.get("x-total")))
        # The total includes those that were filtered out.
        mark = hash(tuple(getattr(one, "id", None) for one in items))
        return Page(kept, self.number, following, mark=mark)


@dataclass(frozen=True, slots=True)
class ResultDecoder(Generic[R]):
    """Decodes the record in the response of a write, where the spec does not show it."""

    model: type[R]

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> R | None:
        """Return the record, or None if the platform only acknowledged the write."""
        try:
            return RecordDecoder(self.model)(body, headers)
        except InvalidResponseError:
            acknowledged(body, headers)
            return None


def acknowledged(body: bytes, headers: Mapping[str, str]) -> None:
    """Check that a response is empty or a JSON object (spec §1), from the platform itself."""
    del headers
    if body.strip() and not isinstance(_parsed(body), dict):
        raise InvalidResponseError(
            "The response is not from the platform: it is not a JSON object."
        )


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(_repaired(body))
    except (ValueError, RecursionError):
        return None


def _validated(model: type[Record], body: bytes, *, many: bool) -> Any:
    validator, noun = _validator(model, many=many), _HUMP.sub(" ", model.__name__).lower()
    what = f"list of {noun} records" if many else noun
    try:
        return validator.validate_json(body)
    except ValidationError as error:
        if not any(item["type"] == "json_invalid" for item in error.errors(include_input=False)):
            raise _unreadable(error, what) from None
    try:
        return validator.validate_json(_repaired(body))
    except ValidationError as error:
        raise _unreadable(error, what) from None


def _records_among(model: type[R], body: bytes) -> tuple[tuple[R, ...], int]:
    """Return the valid records of a list, and the number of all items."""
    values = _parsed(body)
    if not isinstance(values, list):
        return (), 0
    validator = _validator(model, many=False)
    found = []
    for value in values:
        with contextlib.suppress(ValidationError):
            found.append(validator.validate_json(json.dumps(value).encode()))
    return tuple(found), len(values)


def _repaired(body: bytes) -> bytes:
    """Return valid JSON without lone surrogates and invalid bytes."""
    try:
        value = json.loads(body.decode("utf-8-sig", errors="replace"))
        return json.dumps(value, ensure_ascii=False).encode("utf-8", errors="replace")
    except (ValueError, RecursionError):
        return body


def _unreadable(error: ValidationError, what: str) -> InvalidResponseError:
    """Return an error that names the field but not its value, which may be secret."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = shorten(".".join(str(part) for part in first["loc"]), _SHOWN)
    if first["type"] == "json_invalid":
        return InvalidResponseError(f"The platform's response is not JSON; expected a {what}.")
    wrong = "missing" if first["type"] == "missing" else "of another type"
    detail = f": {where} is {wrong}" if where else ""
    return InvalidResponseError(f"The platform's response is not a {what}{detail}.")


def next_page(count: int, headers: Mapping[str, str], number: int, per_page: int) -> int | None:
    """Return the number of the page after one with `count` items, including invalid ones.

    By `Link` (of which only the number is used), `X-Next-Page`, or whether the page is full.
    """
    if count == 0:
        return None  # past the end: never page forever, whatever the headers contain
    targets = _links(headers.get("link", ""))
    if "next" in targets:
        return _later(_page_in(targets["next"]), number) or number + 1
    stated = headers.get("x-next-page")
    if stated is not None:
        return _later(whole_number(stated), number)
    if targets:
        return None  # the platform links pages, but no next one
    # More items than requested: the platform does not page this list.
    size = whole_number(headers.get("x-per-page")) or per_page
    return number + 1 if count == size else None


def _later(candidate: int | None, number: int) -> int | None:
    return candidate if candidate is not None and candidate > number else None


def _links(header: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for target, parameters in _LINK.findall(header):
        relation = _REL.search(parameters)
        if relation:
            for name in (relation[1] or relation[2] or "").lower().split():
                found.setdefault(name, target)
    return found


def _page_in(target: str) -> int | None:
    try:
        values = parse_qs(urlsplit(target).query).get("page", [])
    except ValueError:
        return None
    return whole_number(values[-1]) if values else None
