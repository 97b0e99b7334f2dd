"""The one door for text from outside: nothing that passes it can steer a terminal.

Cleaning is for display. Models keep what the platform said, because API calls need it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

_SPACES: Final = re.compile(r"[\t\n\r\x0b\x0c]")

# C0, DEL, C1; invisible and bidirectional controls; fillers; annotations; tags; surrogates.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]",
)

# Joiners without ink, selectors of a variant, tones of skin: terminals don't agree how wide a
# sign is that one of them follows, and what stands right of it would not be where it should.
_VARYING: Final = re.compile(
    "[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef]",
)

_COMMANDING: Final = re.compile(f"{_UNSAFE.pattern}|{_VARYING.pattern}|{_SPACES.pattern}")


def clean(text: str) -> str:
    """Return text on one line, in which no character moves, hides, reorders or commands."""
    if text.isascii() and text.isprintable():
        return text
    if _COMMANDING.search(text) is None:
        return text
    return _VARYING.sub("", _UNSAFE.sub(REPLACEMENT, _SPACES.sub(" ", text)))


def without_controls(text: str) -> str:
    """Return text with its tabs and line ends, in which nothing else commands: to be pasted."""
    return _UNSAFE.sub(REPLACEMENT, text)


def json_escaped(text: str) -> str:
    r"""Return text in which such characters, and line breaks, stand as JSON has them: `\u202e`.

    Nothing is lost by it, and what was JSON before says the same afterwards.
    """
    if text.isascii() and text.isprintable():
        return text
    return _COMMANDING.sub(lambda found: _as_escape(found.group()), text)


def _as_escape(sign: str) -> str:
    code = ord(sign)
    if code <= 0xFFFF:  # noqa: PLR2004  (the basic plane: one unit of UTF-16)
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def with_full_stop(text: str) -> str:
    """Return text that another sentence may follow: with a full stop, where it has no end."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def shorten(text: str, limit: int) -> str:
    """Return clean text of at most `limit` characters, an ellipsis where it was cut."""
    text = clean(text)
    return text if len(text) <= limit else text[: max(0, limit - 1)] + "…"


_ASCII: Final = bytes(range(0x80))


def cells(text: str) -> int:
    """Return about how many columns text takes: wide characters two, combining none."""
    if text.isascii():
        return len(text)
    # Of a long text, most characters outside ASCII come more than once.
    foreign = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    signs = Counter(foreign.decode("utf-8", "surrogatepass")).items()
    wide = sum(count for sign, count in signs if unicodedata.east_asian_width(sign) in "WF")
    return len(text) + wide - sum(count for sign, count in signs if unicodedata.combining(sign))
