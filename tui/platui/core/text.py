"""Clean untrusted text for display, so that it cannot control the terminal."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

_SPACES: Final = re.compile(r"[\t\n\r\x0b\x0c]")

_MOVING: Final = re.compile(r"[\r\x0b\x0c]")

# C0, DEL, C1; invisible and bidirectional controls; fillers; annotations; tags; surrogates.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]",
)

# Combining joiner, variation selectors, skin tones: terminals disagree about the width of a
# character before one of them, which would misalign the rest of the line.
_VARYING: Final = re.compile(
    "[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef]",
)

_CONTROLLING: Final = re.compile(f"{_UNSAFE.pattern}|{_VARYING.pattern}|{_SPACES.pattern}")


def clean(text: str) -> str:
    """Return text on one line without control, invisible or bidirectional characters."""
    if text.isascii() and text.isprintable():
        return text
    if _CONTROLLING.search(text) is None:
        return text
    return _VARYING.sub("", _UNSAFE.sub(REPLACEMENT, _SPACES.sub(" ", text)))


def without_controls(text: str) -> str:
    """Return text without control characters except tabs and line ends, for the clipboard."""
    return _UNSAFE.sub(REPLACEMENT, text)


def printable(text: str) -> str:
    """Return text for a terminal, without control characters except tabs and line feeds."""
    return _MOVING.sub(REPLACEMENT, without_controls(text.replace("\r\n", "\n")))


def json_escaped(text: str) -> str:
    """Replace unsafe characters and line breaks by JSON escapes, which keep the meaning."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLLING.sub(_as_escape, text)


def _as_escape(found: re.Match[str]) -> str:
    digits = found[0].encode("utf-16-be", "surrogatepass").hex()
    return re.sub("(....)", r"\\u\1", digits)


def with_full_stop(text: str) -> str:
    """Return text that ends with a full stop or another end of a sentence."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def shorten(text: str, limit: int) -> str:
    """Return clean text of at most `limit` characters, with an ellipsis if cut."""
    text = clean(text)
    return text if len(text) <= limit else text[: max(0, limit - 1)] + "…"


_ASCII: Final = bytes(range(0x80))


def cells(text: str) -> int:
    """Return the approximate width of text in columns: wide characters 2, combining 0."""
    if text.isascii():
        return len(text)
    # Count each distinct character once: long texts repeat them.
    foreign = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    signs = Counter(foreign.decode("utf-8", "surrogatepass")).items()
    wide = sum(count for sign, count in signs if unicodedata.east_asian_width(sign) in "WF")
    return len(text) + wide - sum(count for sign, count in signs if unicodedata.combining(sign))
