"""Where in the JSON a byte lies, as a path of keys: looked for only when something is wrong.

No parser: what stands before the byte was read before, or is what no parser reads. Entries that
have nothing in them are passed over whole, so that a hundred megabytes take about a second.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

# For bytes that are known to be JSON, or to have been so up to a place.
STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
FLAT: Final = rb'\{[^{}\[\]"]*+(?:%s[^{}\[\]"]*+)*+\}' % STRING
_OF_FLAT: Final = rb"\{\s*+(?:%s\s*+:\s*+%s\s*+,?+\s*+)++\}" % (STRING, FLAT)
_TOKEN: Final = re.compile(
    rb'%s|%s|"(?P<key>(?:[^"\\]++|\\.)*+)"\s*+(?P<named>:)?|(?P<sign>[{}\[\],])' % (_OF_FLAT, FLAT),
    re.DOTALL,
)
_SHOWN: Final = 8
"""Keys of a path; of a longer one those in the middle are left out."""
_LONGEST: Final = 40


def place_of(text: memoryview, end: int, depth: int | None = None) -> tuple[int, list[str]]:
    """Return a byte, and the keys that lead to what it lies in.

    Args:
        text: JSON up to there.
        end: the byte.
        depth: the first byte that lies in more objects and lists than so many is taken instead.
    """
    walk = _Walk()
    for found in _TOKEN.finditer(text, 0, end):
        if found["key"] is not None:
            walk.text(found["key"], is_key=found["named"] is not None)
        elif found["sign"] is not None:
            walk.sign(found["sign"])
            if depth is not None and len(walk.opened) > depth:
                return found.start(), walk.path
    return end, walk.path


class _Walk:
    """The objects and lists that are open, each with the key or number it is at."""

    def __init__(self) -> None:
        self.opened: list[str | int | None] = []

    @property
    def path(self) -> list[str]:
        return [str(at) for at in self.opened if at is not None]

    def text(self, raw: bytes, *, is_key: bool) -> None:
        if is_key and self.opened and not isinstance(self.opened[-1], int):
            self.opened[-1] = raw.decode(errors="replace")

    def sign(self, sign: bytes) -> None:
        if sign in b"{[":
            self.opened.append(None if sign == b"{" else 0)
        elif not self.opened:
            return
        elif sign != b",":
            self.opened.pop()
        elif isinstance(self.opened[-1], int):
            self.opened[-1] += 1
        else:
            self.opened[-1] = None


def dotted(path: Sequence[str]) -> str:
    """Return a path as it is told: clean text, `platform.groups.12.members`."""
    shown = [shorten(key, _LONGEST) for key in path]
    if len(shown) > _SHOWN + 1:
        half = _SHOWN // 2
        shown = [*shown[:half], "…", *shown[-half:]]
    return ".".join(shown)
