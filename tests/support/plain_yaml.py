"""The part of YAML that programs write descriptions in: block mappings and sequences, scalars.

Tests read one document of that kind; a whole YAML library is no dependency of theirs.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

_KEY: Final = re.compile(r"('(?:[^']|'')*'|[^'\"\s&*\[{][^:]*(?::[^\s:]+)*):(?: (.*))?")
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
_WORDS: Final[dict[str, Any]] = {
    "": None,
    "null": None,
    "~": None,
    "true": True,
    "false": False,
    "{}": {},
    "[]": [],
}


def read(text: str) -> Any:
    """Return what a document says; one that needs more of YAML than this gives nonsense."""
    lines = ((len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines())
    return _Reader([(indent, said) for indent, said in lines if said]).value(-1)


class _Reader:
    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self._lines = lines[::-1]
        """What is still to be read, the next line last."""
        self._anchors: dict[str, Any] = {}

    def value(self, above: int) -> Any:
        """Read whatever stands further in than `above`."""
        indent, said = self._lines[-1]
        if said.startswith("- "):
            return self._sequence(indent)
        if _KEY.fullmatch(said):
            return self._mapping(indent)
        del self._lines[-1]
        return self._scalar(said, above)

    def _sequence(self, indent: int) -> list[Any]:
        found = []
        while self._lines and self._lines[-1][0] == indent and self._lines[-1][1].startswith("- "):
            self._lines[-1] = indent + 2, self._lines[-1][1].removeprefix("- ")
            found.append(self.value(indent))
        return found

    def _mapping(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._lines and self._lines[-1][0] == indent:
            match = _KEY.fullmatch(self._lines[-1][1])
            if match is None or match[1].startswith("- "):
                break
            del self._lines[-1]
            found[_unquoted(match[1])] = self._held(match[2] or "", indent)
        return found

    def _held(self, said: str, indent: int) -> Any:
        if said.startswith("*"):
            return self._anchors[said[1:]]
        if said.startswith("&"):
            name, _, said = said[1:].partition(" ")
            self._anchors[name] = self._held(said, indent)
            return self._anchors[name]
        further_in = bool(self._lines) and self._lines[-1][0] > indent
        # A sequence may stand as far out as the key that holds it.
        listed = bool(self._lines) and self._lines[-1][0] == indent
        if not said and (further_in or (listed and self._lines[-1][1].startswith("- "))):
            return self.value(indent)
        return self._scalar(said, indent)

    def _scalar(self, said: str, above: int) -> Any:
        while self._lines and self._lines[-1][0] > above:
            _, more = self._lines.pop()
            said = said[:-1] + more if said.endswith("\\") else f"{said} {more}"
        if said in _WORDS:
            return _WORDS[said]
        if _NUMBER.fullmatch(said):
            return float(said) if "." in said else int(said)
        return _unquoted(said)


def _unquoted(said: str) -> str:
    if said.startswith("'"):
        return said[1:-1].replace("''", "'")
    if said.startswith('"'):
        return str(json.loads(_ESCAPE.sub(_as_json, said)))
    return said


def _as_json(escape: re.Match[str]) -> str:
    """Return an escape as JSON has it: three of YAML's are its own."""
    match escape[1]:
        case " ":
            return " "
        case "e":
            return "\\u001b"
        case said if said.startswith("x"):
            return f"\\u00{said[1:]}"
    return escape[0]
