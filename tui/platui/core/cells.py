"""How wide text is on a terminal."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Final

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
