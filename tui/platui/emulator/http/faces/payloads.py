"""The attacks that hostile texts carry, and how they are put into a text and found in it again.

Each is wrapped between a language tag and a cancel tag, two invisible characters that nothing
else of the company contains: whatever a client sends back can be cleaned of its attacks.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

_OPEN: Final = "\U000e0001"
_CLOSE: Final = "\U000e007f"
_WRAPPED: Final = re.compile(f"{_OPEN}[^{_CLOSE}]*{_CLOSE}")

SEQUENCES: Final = (
    "\x1b]52;c;aGFja2Vk\x07",  # writes the clipboard
    "\x1b]52;c;aGFja2Vk\x1b\\",
    "\x1b]0;owned\x07",  # sets the title
    "\x1b]8;;https://evil.example/\x1b\\press\x1b]8;;\x1b\\",  # a link
    "\x1bP+q544e\x1b\\",  # asks the terminal, which types the answer
    "\x1b_Gi=1;AAAA\x1b\\",
    "\x1b[2J",  # clears the screen
    "\x1b[5;5H",
    "\x1b[?1049l",  # leaves the alternate screen
    "\x1b[31;1;5m",
    "\x1b[6n",
    "\x1bc",  # resets the terminal
    "\x9b2J",  # the same in one C1 character
    "\x9d0;owned\x9c",
    "\x1b]0;without an end",
    "\x00",
    "\x07",
    "\x08\x08\x08\x08",
    "\x0e",
    "\x7f",
)
"""What a terminal obeys."""

DISGUISES: Final = (
    "\u202efdp.exe",  # turns the direction
    "\u2066\u200f\u2069",
    "\u200b\u200d\u2060\ufeff",  # no width at all
    "\u2028\u2029",
    "\U000e0041\U000e0042",  # tags
    "\ufff9\ufffb\u00ad\u061c",
    "one\nline\tor\r\ntwo",
    "seen\rover",
)
"""What hides, breaks or reorders a line."""

MARKUP: Final = (
    "[b]",
    "[@click=app.quit]x[/]",
    "[@click=a(]",
    "[/nope]",
    "[link=https://e]x[/link]",
    "[$x]",
    "[red",
    "]][[",
    "<script>alert(1)</script>",
    "${HOME} $(id) `id` {0} %s %n",
    "../../../etc/passwd",
    '=cmd|" /C calc"!A0',
)
"""What a renderer, shell, path or spreadsheet obeys."""

SHAPES: Final = (
    "漢字かな交じり文",
    "Z\u0351\u036b\u0343\u036a\u0302a\u0348\u034d\u0356l\u0347\u034e\u0325g\u0489o",
    "👩‍👩‍👧‍👦🏳️‍🌈🇦🇶",
    "ﷺ༼ つ ◕_◕ ༽つ",
    "long " * 60,
)
"""What is wider, narrower or longer than it seems."""

RARE: Final = (
    "very long " * 400,
    "\udc80\ud83d",  # halves of pairs, which JSON can say and UTF-8 cannot
)
"""What makes an answer slow to read; one text in many has it."""

PAYLOADS: Final = (*SEQUENCES, *DISGUISES, *MARKUP, *SHAPES)
"""What any text may have."""

LINKS: Final = (
    "https://evil.example/{path}",
    "javascript:alert(1)//{path}",
    "{link}\x1b]52;c;aGFja2Vk\x07",
    "https://{host}@evil.example/{path}",
    "https://{host}.evil.example/{path}",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "//evil.example/{path}",
    "{link} \x9d0;owned\x9c",
    "{link}\r\nHost: evil.example",
    "https://evil.example\\@{host}/{path}",
    "{link}[@click=app.quit]",
    "https://[::1/{path}",
)
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
    """Return a text without its attacks."""
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
