"""The parameters of a request: query, form and JSON body merged into one mapping (spec §4.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from email.message import Message
from typing import Any, Final
from urllib.parse import parse_qsl

from platui_emulator.http.failures import ApiFailure, bad_parameters

MAX_BODY: Final = 1 << 20
_MAX_DEPTH: Final = 16
_MOST_FIELDS: Final = 4096
"""Fields of a query or form: Rack's own limit."""
_TRUE: Final = frozenset({"true", "t", "1", "on", "yes"})
_FALSE: Final = frozenset({"false", "f", "0", "off", "no", ""})
_BRACKETED: Final = re.compile(r"[^\[\]]+(?:\[[^\[\]]*\])+")
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Parameters:
    """The parameters of one request, read by type."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def all(self) -> Mapping[str, Any]:
        """Return every value as it came, by name."""
        return self._values

    def only(self, names: Container[str]) -> Parameters:
        return Parameters({name: self._values[name] for name in self._values if name in names})

    def raw(self, name: str) -> Any:
        """Return the value as it came: text, number, flag, list, mapping or None."""
        return self._values.get(name)

    def text(self, name: str) -> str | None:
        """Return a value as text; numbers and flags of a JSON body are spelled out."""
        match self._values.get(name):
            case None:
                return None
            case str() as text:
                return text
            case bool() as flag:
                return "true" if flag else "false"
            case int() | float() as number:
                return str(number)
            case _:
                raise bad_parameters(f"{name} is invalid")

    def required(self, *names: str) -> list[str]:
        """Return the texts of all names, or refuse with the list of those that are missing."""
        missing = [f"{name} is missing" for name in names if name not in self]
        if missing:
            raise bad_parameters(*missing)
        return [self.text(name) or "" for name in names]

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a flag in any of the spellings that clients use."""
        text = self.text(name)
        if text is None:
            return default
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise bad_parameters(f"{name} is invalid")

    def number(self, name: str, default: int) -> int:
        text = self.text(name)
        if text is None or text == "":
            return default
        if not _NUMBER.fullmatch(text):
            raise bad_parameters(f"{name} is invalid")
        return int(text)

    def moment(self, name: str) -> datetime | None:
        """Return a moment: ISO 8601, in UTC where it names no zone; `+` has to be sent as `%2B`."""
        text = self.text(name)
        if text is None:
            return None
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            raise bad_parameters(f"{name} is invalid") from None
        try:
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        except OverflowError:
            raise bad_parameters(f"{name} is invalid") from None

    def choice(self, name: str, allowed: Iterable[str]) -> str | None:
        """Return one of the allowed values, or None if the parameter is absent."""
        text = self.text(name)
        if text is not None and text not in allowed:
            raise bad_parameters(f"{name} does not have a valid value")
        return text

    def texts(self, name: str) -> list[str]:
        """Return a list of texts: `name[]=a&name[]=b`, `name=a`, or a JSON list."""
        value = self._values.get(name)
        if value is None:
            return []
        items = value if isinstance(value, list) else [value]
        if not all(isinstance(item, str) for item in items):
            raise bad_parameters(f"{name} is invalid")
        return items


def read_parameters(query: bytes, content_type: str, body: bytes) -> Parameters:
    """Merge query and body; the body wins. Raises ApiFailure: the body does not match its type."""
    values = _nested(_pairs(query))
    if body.strip():
        values |= _body_values(content_type, body)
    return Parameters(values)


def _body_values(content_type: str, body: bytes) -> dict[str, Any]:
    kind = content_type.partition(";")[0].strip().lower()
    # Spec §4.1: JSON is the default content type.
    if kind in {"", "application/json"} or kind.endswith("+json"):
        return _json_object(body)
    if kind == "application/x-www-form-urlencoded":
        return _nested(_pairs(body))
    if kind == "multipart/form-data":
        return _nested(_multipart(content_type, body))
    raise ApiFailure(415, {"error": f"The provided content-type '{kind}' is not supported."})


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise bad_parameters("message body does not match declared format")
    return value


def _pairs(text: bytes) -> list[tuple[str, str]]:
    if text.count(b"&") >= _MOST_FIELDS:
        raise _too_many()
    return parse_qsl(text.decode("latin-1"), keep_blank_values=True, errors="replace")


def _multipart(content_type: str, body: bytes) -> list[tuple[str, str]]:
    """Read the fields of a multipart form: what `curl --form` sends."""
    boundary = _header(content_type).get_boundary()
    if not boundary:
        raise bad_parameters("message body does not match declared format")
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1", "replace"))
    if len(parts) > _MOST_FIELDS:
        raise _too_many()
    fields = []
    # Text before the first boundary and after the last one is not part of the form.
    for part in parts[1:-1]:
        head, _, payload = part.partition(b"\r\n\r\n")
        name = _field_name(head)
        if name is not None:
            fields.append((name, payload.decode("utf-8", "replace")))
    return fields


def _field_name(head: bytes) -> str | None:
    for line in head.split(b"\r\n"):
        kind, _, value = line.partition(b":")
        if kind.strip().lower() == b"content-disposition":
            name = _header(value.decode("utf-8", "replace")).get_param("name")
            return name if isinstance(name, str) else None
    return None


def _header(value: str) -> Message:
    message = Message()
    message["content-type"] = value
    return message


def _too_many() -> ApiFailure:
    return bad_parameters(f"there are more than {_MOST_FIELDS} parameters")


def _nested(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        keys = [name]
        if _BRACKETED.fullmatch(name):
            head, _, rest = name.partition("[")
            keys = [head, *rest.removesuffix("]").split("][")]
        if len(keys) > _MAX_DEPTH:
            raise bad_parameters("parameters are nested too deeply")
        _put(values, keys, value)
    return values


def _put(target: dict[str, Any], keys: list[str], value: str) -> None:
    head, *rest = keys
    if not rest:
        target[head] = value
    elif rest[0] == "":
        _append(target, head, rest[1:], value)
    else:
        if not isinstance(target.get(head), dict):
            target[head] = {}
        _put(target[head], rest, value)


def _append(target: dict[str, Any], head: str, keys: list[str], value: str) -> None:
    items = target.get(head)
    if not isinstance(items, list):
        items = target[head] = []
    if not keys:
        items.append(value)
        return
    # `v[][key]=A&v[][value]=1&v[][key]=B`: a key that comes again begins the next entry.
    if not items or not isinstance(items[-1], dict) or keys[0] in items[-1]:
        items.append({})
    _put(items[-1], keys, value)
