"""Answers of the platform as formatted lines, with secrets masked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.core.secrets import MASK
from platui.core.text import json_escaped
from platui.present.masking import is_secret, masked, names_secret

_TOKEN: Final = re.compile(
    r"""[ \t\r\n\ufeff]*+(?: ( "[^"\\]*+(?:\\.[^"\\]*+)*+" ) | ([][{}:,]) | ([^][{}:,"\s]++) )""",
    re.DOTALL | re.VERBOSE,
)
_SCALAR: Final = re.compile(r"true|false|null|-?\d[\d.eE+-]*+|NaN|-?Infinity")
_END: Final = re.compile(r"[ \t\r\n]*\Z")
_KEY: Final = re.compile(r'( *)("[^"\\]*+(?:\\.[^"\\]*+)*+")(: )', re.DOTALL)
_CLOSES: Final = {"}": "{", "]": "["}
_STEP: Final = "  "
_DEEPEST: Final = 40  # Levels that are indented: deeper nesting would fill memory
_MASKED: Final = f'"{MASK}"'
_ALWAYS_MASKED: Final = "runners_token"  # Removed from every answer before it is cached
_NO_SECRETS: Final = frozenset({"null", "true", "false", '""'})


class Hit(NamedTuple):
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RawDocument:
    """An answer as lines, read in parts: a line may be megabytes long."""

    lines: tuple[str, ...]
    masked: int = 0
    is_json: bool = True

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def pieces(self, y: int, start: int, end: int) -> Iterator[tuple[str, str]]:
        """Yield a part of a line as (text, role): key, string, number, literal, sign or text."""
        line = self.lines[y]
        for first, last, role in self._roles(line):
            text = line[max(first, start) : min(last, end)] if first < end else ""
            if text:
                yield text, role

    def find(self, words: str) -> tuple[Hit, ...]:
        if not words:
            return ()
        flags = re.NOFLAG if any(map(str.isupper, words)) else re.IGNORECASE
        pattern = re.compile(re.escape(words), flags)
        return tuple(
            Hit(y, *found.span())
            for y, line in enumerate(self.lines)
            for found in pattern.finditer(line)
        )

    def _roles(self, line: str) -> tuple[tuple[int, int, str], ...]:
        if not self.is_json:
            return ((0, len(line), "text"),)
        key = _KEY.match(line)
        begin = key.end() if key else len(line) - len(line.lstrip(" "))
        end = len(line) - line.endswith(",")
        value = (begin, end, _role(line[begin : begin + 1]))
        signs = (end, len(line), "sign")
        if key is None:
            return ((0, begin, "sign"), value, signs)
        return ((0, key.start(2), "sign"), (*key.span(2), "key"), (*key.span(3), "sign"), value,
                signs)  # fmt: skip


def _role(first: str) -> str:
    if first == '"':
        return "string"
    if first in "{}[]":
        return "sign"
    return "number" if first.isdigit() or first == "-" else "literal"


def raw_document(body: bytes) -> RawDocument:
    """Return an answer as lines: JSON formatted, anything else unchanged."""
    text = body.decode("utf-8", errors="backslashreplace")
    try:
        lines, count = _Printer().print(text)
    except ValueError:
        plain = [masked(line) for line in text.splitlines()]
        count = sum(found for _, found in plain)
        return RawDocument(tuple(json_escaped(line) for line, _ in plain), count, is_json=False)
    return RawDocument(tuple(lines), count)


@dataclass(slots=True)
class _Frame:
    """An open object or list while its JSON is laid out."""

    sign: str
    secret: bool
    key: str = ""
    awaits_value: bool = False
    names_secret: bool = False
    value_at: int = -1  # Line of a variable's value; -1: none
    value_lead: str = ""


class _Printer:
    """Formats JSON, one value per line, without parsing values."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line = ""
        self._stack = [_Frame("", secret=False)]  # The first one holds the whole answer
        self._fresh = False  # the innermost container is empty
        self._masked = 0  # number of masked values

    def print(self, text: str) -> tuple[list[str], int]:
        """Return the lines and the number of masked values. Raises ValueError if not JSON."""
        at = 0
        while (found := _TOKEN.match(text, at)) is not None:
            at = found.end()
            self._take(found[1], found[2], found[3])
        if at == 0 or len(self._stack) > 1 or not _END.match(text, at):
            raise ValueError("not JSON")
        self._lines.append(self._line)
        return self._lines, self._masked

    def _take(self, string: str | None, sign: str | None, other: str | None) -> None:
        if string is not None:
            self._begin()
            frame = self._stack[-1]
            if frame.sign == "{" and not frame.awaits_value:
                frame.key = _decoded(string)
                self._line += json_escaped(string)
            else:
                self._value(string)
        elif other is not None:
            if _SCALAR.fullmatch(other) is None:
                raise ValueError("neither a number nor a literal")
            self._value(other)
        elif sign in _CLOSES:
            self._close(sign)
        elif sign == ",":
            self._lines.append(f"{self._line},")
            self._line = self._indent()
        elif sign == ":":
            if len(self._stack) == 1:
                raise ValueError("a key outside of an object")
            self._line += ": "
            self._stack[-1].awaits_value = True
        elif sign is not None:
            self._open(sign)

    def _indent(self) -> str:
        return _STEP * min(len(self._stack) - 1, _DEEPEST)

    def _begin(self) -> None:
        if self._fresh:
            self._lines.append(self._line)
            self._line = self._indent()
            self._fresh = False

    def _open(self, sign: str) -> None:
        self._begin()
        secret = self._is_secret()
        self._stack[-1].awaits_value = False
        self._line += sign
        self._stack.append(_Frame(sign, secret))
        self._fresh = True

    def _close(self, sign: str) -> None:
        if self._stack[-1].sign != _CLOSES[sign]:
            raise ValueError("not closed as it was opened")
        frame = self._stack.pop()
        if self._fresh:
            self._line += sign
        else:
            self._lines.append(self._line)
            self._line = self._indent() + sign
        self._fresh = False
        if frame.names_secret and frame.value_at >= 0:
            tail = "," if self._lines[frame.value_at].endswith(",") else ""
            self._lines[frame.value_at] = f"{frame.value_lead}{_MASKED}{tail}"
            self._masked += 1

    def _value(self, token: str) -> None:
        self._begin()
        shown = self._shown(token)
        self._note(self._stack[-1], token, shown)
        self._stack[-1].awaits_value = False
        self._line += json_escaped(shown)

    def _shown(self, token: str) -> str:
        is_secret_value = self._is_secret() and token not in _NO_SECRETS
        if is_secret_value or self._stack[-1].key == _ALWAYS_MASKED:
            self._masked += 1
            return _MASKED
        text, count = masked(token) if token.startswith('"') else (token, 0)
        self._masked += count
        return text

    def _note(self, frame: _Frame, token: str, shown: str) -> None:
        if frame.sign != "{":
            return
        if frame.key == "key" and token.startswith('"'):
            frame.names_secret |= names_secret(_decoded(token))
        elif frame.key == "masked" and token == "true":  # noqa: S105  (a literal of JSON)
            frame.names_secret = True
        elif frame.key == "value" and shown != _MASKED and token not in _NO_SECRETS:
            frame.value_at, frame.value_lead = len(self._lines), self._line

    def _is_secret(self) -> bool:
        frame = self._stack[-1]
        if frame.secret or frame.sign == "[":
            return frame.secret
        return is_secret(frame.key) or (frame.names_secret and frame.key == "value")


def _decoded(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]
