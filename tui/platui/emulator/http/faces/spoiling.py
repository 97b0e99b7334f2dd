"""How a JSON answer becomes hostile: attacks in its texts, and now and then a value that is wrong.

Which ones is decided by what stands there, never by chance: the same question has the same
answer, a record says the same in a list and alone, and watching it comes to rest.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from platui.emulator.http.faces.payloads import LINKS, dice, poisoned, wrapped

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
"""One in so many: wrong values, unknown words, records of no shape, fields nobody knows."""


def spoiled(value: Any, key: str = "", of: object = "") -> Any:
    """Return a value in its hostile form.

    Args:
        value: of a field, or a whole answer.
        key: the field's name; nothing for an answer.
        of: what tells the record that the field belongs to from others.
    """
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
    """Return a value whose shape is right, and whose texts are hostile.

    For an answer that is read whole or not at all: nobody would ever see its texts else. A map
    of ids stays one; records have fields that nobody knows.
    """
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
    """Return a field; one that should hold a record may hold none."""
    if isinstance(value, dict) and _is_leaf(value, name) and _hits("nested", name, own):
        return _pick(_ABSURD_RECORDS, name, own)
    return spoiled(value, name, own)


def _is_leaf(record: dict[str, Any], name: str) -> bool:
    """Tell whether little is lost with a record."""
    return "id" in record or name == "detailed_status"


def _item(item: Any, key: str, of: object) -> Any:
    """Return an item of a list; one in many is not what the others are."""
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
    """Return an address that leads elsewhere; one in some is only longer than it should be."""
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
