"""Errors and warnings about the data, with a location."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from msgspec.json import Decoder, decode

from platui.core.errors import ReportError
from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten
from platui.report.reading.schema import Group, JsonText, Key, Project, decoder

# For bytes that are valid JSON, at least up to an error.
STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
FLAT: Final = rb'\{[^{}\[\]"]*+(?:%s[^{}\[\]"]*+)*+\}' % STRING
_OF_FLAT: Final = rb"\{\s*+(?:%s\s*+:\s*+%s\s*+,?+\s*+)++\}" % (STRING, FLAT)
_TOKEN: Final = re.compile(
    rb'%s|%s|"(?P<key>(?:[^"\\]++|\\.)*+)"\s*+(?P<named>:)?|(?P<sign>[{}\[\],])' % (_OF_FLAT, FLAT),
    re.DOTALL,
)
_SHOWN: Final = 8  # Keys of a path to show; longer paths are shortened in the middle
_LONGEST: Final = 40


def find_position(text: memoryview, end: int, depth: int | None = None) -> tuple[int, list[str]]:
    """Return a byte offset and the keys to it: the end, or the first byte nested below `depth`."""
    opened: list[str | int | None] = []  # objects and lists, each with its current key or index
    for found in _TOKEN.finditer(text, 0, end):
        inner, sign = opened[-1] if opened else None, found["sign"]
        if found["named"] and opened and not isinstance(inner, int):
            opened[-1] = found["key"].decode(errors="replace")
        elif sign in {b"{", b"["}:
            opened.append(None if sign == b"{" else 0)
            if depth is not None and len(opened) > depth:
                end = found.start()
                break
        elif sign == b"," and opened:
            opened[-1] = inner + 1 if isinstance(inner, int) else None
        elif sign and opened:
            opened.pop()
    return end, [str(at) for at in opened if at is not None]


def dotted(path: Sequence[str]) -> str:
    """Return a path for messages: clean text, `platform.groups.12.members`."""
    shown = [shorten(key, _LONGEST) for key in path]
    if len(shown) > _SHOWN + 1:
        half = _SHOWN // 2
        shown = [*shown[:half], "…", *shown[-half:]]
    return ".".join(shown)


FAULTS: Final = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
"""Decoder errors: invalid JSON or structure, nested too deeply, not UTF-8."""

_DEEPEST: Final = 900  # Maximum nesting; a report has two levels per group
_SLICE: Final = 1 << 20
_AT: Final = re.compile(r" - at (?P<key>`key` in )?`\$(?P<path>.*)`$")
_WRONG: Final = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<found>[^`]*)`")
_MISSING: Final = re.compile(r"Object missing required field `(?P<field>[^`]*)`")
_BYTE: Final = re.compile(r"(?P<what>.*) \(byte (?P<byte>\d+)\)$")
_WORDS: Final = {
    "object": "an object",
    "array": "a list",
    "str": "text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
}


def fault_of(text: JsonText, error: Exception) -> ReportError:
    if isinstance(error, UnicodeDecodeError):
        return not_unicode(text)
    if isinstance(error, RecursionError):
        byte, path = find_position(text.view, len(text.view), _DEEPEST)
        return ReportError(f"The report is nested too deeply at {_byte(text, byte)}{_in(path)}.")
    if isinstance(error, msgspec.ValidationError):
        try:
            return wrong_shape(error, _exact_path(text, error))
        except FAULTS as later:  # What is behind it is no JSON
            return fault_of(text, later)
    found = _BYTE.match(str(error))
    if found is None:
        _, path = find_position(text.view, len(text.view))
        return ReportError(
            f"The report is truncated: it ends after {text.size:,} bytes{_in(path)}."
        )
    byte, path = find_position(text.view, int(found["byte"]))
    what = found["what"].removeprefix("JSON is malformed: ")
    return ReportError(f"Invalid JSON at {_byte(text, byte)}{_in(path)}: {what}.")


def not_unicode(text: JsonText) -> ReportError:
    reader = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(text.view), _SLICE):
        kept = len(reader.getstate()[0])
        try:
            reader.decode(bytes(text.view[start : start + _SLICE]))
        except UnicodeDecodeError as error:
            byte, path = find_position(text.view, start - kept + error.start)
            return ReportError(f"The report is not UTF-8 at {_byte(text, byte)}{_in(path)}.")
    return ReportError("The report is not UTF-8.")


def wrong_shape(error: msgspec.ValidationError, path: Sequence[str]) -> ReportError:
    message = str(error)
    where = dotted(path) or "The report"
    wrong, missing = _WRONG.match(message), _MISSING.match(message)
    if missing is not None:
        return ReportError(f'{where} has no field "{missing[1]}".')
    if wrong is None:
        return ReportError(f"{where} cannot be read: {_AT.sub('', message)}.")
    if wrong["wanted"] == "int" and wrong["found"] == "str":
        return invalid_id(path)
    wanted = " or ".join(_WORDS.get(one, one) for one in wrong["wanted"].split(" | "))
    return ReportError(f"{where} is {_WORDS.get(wrong['found'], wrong['found'])}, not {wanted}.")


def invalid_id(path: Sequence[str]) -> ReportError:
    return ReportError(f"{dotted(path)}: this key is not an integer of at most 64 bits.")


def inner_path(error: msgspec.ValidationError) -> list[str]:
    """Return the path in an error, which lacks the keys of entries."""
    found = _AT.search(str(error))
    return [] if found is None else re.findall(r"\[\d+\]|\[\.\.\.\]|[^.\[\]]+", found["path"])


def _exact_path(text: JsonText, error: msgspec.ValidationError) -> list[str]:
    """Return the path of an error with keys, by finding the entries that fail."""
    raw: Any = text.view
    path: list[str] = []
    for step in inner_path(error):
        try:
            fields: dict[str, msgspec.Raw] = decode(raw, type=dict[str, msgspec.Raw])
        except msgspec.ValidationError:
            break  # the value of a duplicate key
        key = (
            _failing(fields, Project if path[-1] == "projects" else Group) if "[" in step else step
        )
        if key not in fields:
            break  # a duplicate key, and the other one was valid
        path.append(key)
        raw = fields[key]
    return path


def _failing(entries: dict[str, msgspec.Raw], shape: type) -> str:
    reader: Decoder[object] = decoder(shape)
    for key, entry in entries.items():
        try:
            reader.decode(entry)
        except msgspec.ValidationError:
            return key
    return ""


def _byte(text: JsonText, byte: int) -> str:
    return f"byte {byte + text.skipped:,}"


def _in(path: Sequence[str]) -> str:
    return f", in {dotted(path)}" if path else ""


class WarningKind(NamedTuple):
    one: str
    several: str


REPEATED_IDS: Final = WarningKind(
    "entry has a duplicate id in the same object; the last one is used",
    "entries have a duplicate id in the same object; the last one is used",
)
REPEATED_PLACES: Final = WarningKind(
    "group or project is listed twice in different groups; both are used",
    "groups or projects are listed repeatedly in different groups; all are used",
)
NAMELESS_PLACES: Final = WarningKind(
    "group or project has no name or no path", "groups or projects have no name or no path"
)
NAMELESS_USERS: Final = WarningKind(
    "user has no name, user name, e-mail or state",
    "users have no name, user name, e-mail or state",
)
UNLISTED: Final = WarningKind(
    "person has memberships but is not in users", "people have memberships but are not in users"
)
UNKNOWN_LEVELS: Final = WarningKind(
    "access level is of unknown order and ranks below all others",
    "access levels are of unknown order and rank below all others",
)
HALF_PAIRS: Final = WarningKind(
    "lone surrogate was replaced by U+FFFD",
    "lone surrogates were replaced by U+FFFD",
)


class DataWarnings:
    """Counts warnings, each with its first example."""

    def __init__(self) -> None:
        self._times: Counter[WarningKind] = Counter()
        self._examples: dict[WarningKind, str] = {}

    def add(self, kind: WarningKind, example: str, times: int = 1) -> None:
        """Count a warning. `example` is the location of the first case, clean text or empty."""
        self._times[kind] += times
        self._examples.setdefault(kind, example)

    def add_all(self, others: DataWarnings) -> None:
        for kind, times in others._times.items():
            self.add(kind, others._examples[kind], times)

    def sentences(self) -> Sequence[str]:
        """Return one sentence per kind, in order of occurrence."""
        return [
            f"{times:,} {kind.one if times == 1 else kind.several}"
            f"{f' ({self._examples[kind]})' if self._examples[kind] else ''}."
            for kind, times in self._times.items()
        ]


def note_repeated(
    all_keys: Sequence[Key], kept: Collection[Key], where: str, warnings: DataWarnings
) -> None:
    """Add a warning for duplicate keys in one object, of which the last is used."""
    if len(all_keys) == len(kept):
        return
    lost = Counter(all_keys) - Counter(list(kept))
    example = f"{where}, {shorten(next(iter(lost)), _LONGEST)}"
    warnings.add(REPEATED_IDS, example, lost.total())
