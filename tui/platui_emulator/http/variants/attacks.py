"""Attacks in the texts of JSON answers, and some wrong values: a function of the value alone."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from platui_emulator import data

_OPEN: Final = "\U000e0001"
_CLOSE: Final = "\U000e007f"
_WRAPPED: Final = re.compile(f"{_OPEN}[^{_CLOSE}]*{_CLOSE}")

_ATTACKS: Final[Mapping[str, list[str]]] = data.read_json("attacks.json")
SEQUENCES: Final = _ATTACKS["sequences"]
"""What a terminal obeys."""

DISGUISES: Final = _ATTACKS["disguises"]
"""What hides, breaks or reorders a line."""

MARKUP: Final = _ATTACKS["markup"]
"""What a renderer, shell, path or spreadsheet obeys."""

SHAPES: Final = _ATTACKS["shapes"]
"""Characters whose display width differs from what programs assume."""

RARE: Final = (
    "very long " * 400,
    "\udc80\ud83d",  # halves of pairs, which JSON can say and UTF-8 cannot
)
"""What makes an answer slow to read; one text in many has it."""

PAYLOADS: Final = (*SEQUENCES, *DISGUISES, *MARKUP, *SHAPES)
"""What any text may have."""

LINKS: Final = _ATTACKS["links"]
"""Addresses in the place of one that is at `{host}` and has a `{path}`."""

_RARELY: Final = 53


def dice(*parts: object) -> int:
    """Return a number that the parts alone decide."""
    return zlib.crc32("\x1f".join(map(str, parts)).encode("utf-8", "backslashreplace"))


def wrapped(payload: str) -> str:
    """Return an attack in the form that `bare` takes out again."""
    return f"{_OPEN}{payload}{_CLOSE}"


@lru_cache(maxsize=4096)
def poisoned(text: str) -> str:
    """Return a text with an attack before it and another one behind; equal texts stay equal."""
    number = dice("text", text)
    before = PAYLOADS[number % len(PAYLOADS)]
    behind = PAYLOADS[number // len(PAYLOADS) % len(PAYLOADS)]
    if number % _RARELY == 0:
        behind = RARE[number // _RARELY % len(RARE)]
    return f"{wrapped(before)}{text}{wrapped(behind)}"


def bare(text: str) -> str:
    return _WRAPPED.sub("", text) if _OPEN in text else text


def all_bare(value: Any) -> Any:
    """Return what a client sent, every text of it without attacks, to any depth."""
    if isinstance(value, str):
        return bare(value)
    if isinstance(value, list):
        return [all_bare(item) for item in value]
    if isinstance(value, Mapping):
        return {bare(name): all_bare(item) for name, item in value.items()}
    return value


_ID: Final = re.compile(r"(^|_)i?id$")
_MOMENT: Final = re.compile(r"(_at|_date|^expires_at)$")
_LINK: Final = re.compile(r"url|^details_path$|^favicon$")
_WORD: Final = frozenset(
    {
        "status", "state", "kind", "type", "visibility", "source", "encoding", "variable_type",
        "file_type", "file_format", "cron", "cron_timezone", "max_access_level", "content_sha256",
    }
)  # fmt: skip
"""Texts that a client must understand, and mostly may."""

_ABSURD_MOMENTS: Final[tuple[Any, ...]] = (
    None, "", "yesterday", 0, -1, "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z",
    "2026-02-30T25:61:61Z", {}, ["2026"], 1e300, "2026-03-14T03:12:00.000+99:99",
)  # fmt: skip
_ABSURD_NUMBERS: Final[tuple[Any, ...]] = (
    None, -1, 0, 1e308, 10**30, "NaN", "many", True, [], {}, "30.00", -0.0,
)  # fmt: skip
_ABSURD_FLAGS: Final[tuple[Any, ...]] = (None, "maybe", 7, [], "false")
_ABSURD_RECORDS: Final[tuple[Any, ...]] = (None, "a text", 7, [], {}, [None], False)
_STRANGE_WORD: Final = "\x1b]0;owned\x07[/nope]"

_WRONG_VALUE: Final = 29
_STRANGE: Final = 17
_WRONG_RECORD: Final = 23
_EXTRA: Final = 3
"""One in so many: wrong values, unknown values, invalid records, unknown fields."""


def spoiled(value: Any, key: str = "", of: object = "") -> Any:
    """Return a value, or a whole answer, in its hostile form; `of` identifies its record."""
    if isinstance(value, dict):
        return _record(value, of)
    if isinstance(value, list):
        return [_item(item, key, of) for item in value]
    if isinstance(value, str):
        return _text(value, key, of)
    if value is None or _ID.search(key):
        return value
    return _scalar(value, key, of)


def poisoned_texts(value: Any, key: str = "", of: object = "") -> Any:
    """Return a value of the right shape with hostile texts: reports are read whole or not."""
    if isinstance(value, str):
        return _text(value, key, of)
    if not isinstance(value, dict):
        return value
    own = value.get("path", value.get("username", of))
    found = {name: poisoned_texts(one, name, f"{own}/{name}") for name, one in value.items()}
    if "name" in value and dice("extra", own) % _EXTRA == 0:
        found[poisoned("unknown")] = poisoned("field")
    return found


def _record(record: dict[str, Any], of: object) -> dict[str, Any]:
    own = record.get("id", record.get("path", record.get("name", of)))
    found = {name: _field(value, name, own) for name, value in record.items()}
    if dice("extra", own) % _EXTRA == 0:
        found[poisoned("unknown")] = poisoned("field")
    return found


def _field(value: Any, name: str, own: object) -> Any:
    if isinstance(value, dict) and _is_leaf(value, name) and _hits("nested", name, own):
        return _pick(_ABSURD_RECORDS, name, own)
    return spoiled(value, name, own)


def _is_leaf(record: dict[str, Any], name: str) -> bool:
    return "id" in record or name == "detailed_status"


def _item(item: Any, key: str, of: object) -> Any:
    if isinstance(item, dict):
        own = item.get("id", item.get("path", item.get("name", of)))
        if dice("item", own) % _WRONG_RECORD == 0:
            return _pick(_ABSURD_RECORDS, own)
    return spoiled(item, key, of)


def _text(text: str, key: str, of: object) -> Any:
    if _MOMENT.search(key):
        return _pick(_ABSURD_MOMENTS, key, of) if _hits(key, of) else text
    if _LINK.search(key):
        return _link(text)
    if key in _WORD:
        strange = dice("word", key, of) % _STRANGE == 0
        return text + wrapped(_STRANGE_WORD) if strange else text
    return poisoned(text)


def _link(link: str) -> str:
    parts = urlsplit(link)
    form = LINKS[dice(parts.path) % len(LINKS)]
    return form.format(link=link, host=parts.netloc or "evil.example", path=parts.path.lstrip("/"))


def _scalar(value: Any, key: str, of: object) -> Any:
    if not _hits(key, of):
        return value
    return _pick(_ABSURD_FLAGS if isinstance(value, bool) else _ABSURD_NUMBERS, key, of)


def _hits(*what: object) -> bool:
    return dice("wrong", *what) % _WRONG_VALUE == 0


def _pick(choices: tuple[Any, ...], *what: object) -> Any:
    return choices[dice("which", *what) % len(choices)]
