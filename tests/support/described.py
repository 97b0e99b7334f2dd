"""Answers held against the OpenAPI description of an API, as a validating proxy does it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

METHODS: Final = ("get", "head", "post", "put", "patch", "delete")
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}


class Operation(NamedTuple):
    """An operation of the description: `GET` and `/api/v4/projects/{id}`."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def shape(self) -> tuple[str, str]:
        """Return what an operation of another table has in common with this one."""
        return self.method, re.sub(r"\{[^}]*\}", "{}", self.path)


@dataclass
class Witness:
    """Takes down what is answered; `complaints` is where it is not as described."""

    document: Mapping[str, Any]
    slips: Mapping[tuple[Operation, str], str]
    """Where the description itself is wrong: an operation, what is said there, and why."""
    complaints: dict[tuple[str, str], None] = field(default_factory=dict)
    """Operation and complaint, each once, in the order in which they came."""
    seen: set[tuple[Operation, int]] = field(default_factory=set)
    slipped: set[tuple[Operation, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._patterns = [
            (one, re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(one.path))))
            for one in self.operations()
        ]
        # A path that is spelled out comes before one with a name in its place.
        self._patterns.sort(key=lambda pair: pair[0].path.count("{"))

    def operations(self) -> list[Operation]:
        """Return the operations of the description."""
        paths = self.document["paths"].items()
        return [
            Operation(name.upper(), path) for path, ops in paths for name in METHODS if name in ops
        ]

    def look(self, method: str, path: str, status: int, kind: str, body: bytes) -> None:
        """Take one answer down: to a raw path without its query, with a content type."""
        for operation, pattern in self._patterns:
            if operation.method == method and pattern.fullmatch(path):
                break
        else:
            return
        self.seen.add((operation, status))
        for complaint in self._found(operation, status, kind, body):
            if (operation, complaint) in self.slips:
                self.slipped.add((operation, complaint))
            else:
                self.complaints[str(operation), complaint] = None

    def _found(self, operation: Operation, status: int, kind: str, body: bytes) -> Iterator[str]:
        answers = self.document["paths"][operation.path][operation.method.lower()]["responses"]
        if str(status) not in answers:
            yield f"status {status} is not described"
            return
        content = answers[str(status)].get("content")
        if not content or operation.method == "HEAD":
            return
        kind = kind.partition(";")[0]
        if kind not in content:
            yield f"{kind or 'no content type'} instead of {', '.join(content)}"
        elif kind == "application/json":
            yield from wrong(json.loads(body), content[kind].get("schema", {}), self.document)


def wrong(
    value: Any, schema: Mapping[str, Any], document: Mapping[str, Any], at: str = "$"
) -> Iterator[str]:
    """Say where a value is not what a schema asks for; fields that it does not name are free."""
    if "$ref" in schema:  # whatever stands beside it does not count
        name = schema["$ref"].rpartition("/")[2]
        yield from wrong(value, document["components"]["schemas"][name], document, at)
        return
    if value is None and schema.get("nullable"):
        return
    for part in schema.get("allOf", ()):
        yield from wrong(value, part, document, at)
    for choice in ("anyOf", "oneOf"):
        if choice in schema and all(any(wrong(value, s, document)) for s in schema[choice]):
            yield f"{at} is none of what it may be"
    kind = schema.get("type")
    if kind and not _is(value, kind):
        yield f"{at} is {_named(value)}, not {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is {value!r}, not one of {schema['enum']}"
    if schema.get("format") == "date-time" and not _is_moment(value):
        yield f"{at} is no moment"
    yield from _wrong_inside(value, schema, document, at)


def _wrong_inside(
    value: Any, schema: Mapping[str, Any], document: Mapping[str, Any], at: str
) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from wrong(item, schema.get("items", {}), document, f"{at}[]")
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{at}.{name} is missing"
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield from wrong(value[name], inner, document, f"{at}.{name}")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS[kind])


def _named(value: Any) -> str:
    return next((name for name, types in _KINDS.items() if isinstance(value, types)), "null")


def _is_moment(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False
