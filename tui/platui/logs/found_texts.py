"""The texts of the first lines that a search has found: more letters are looked for in these."""

from __future__ import annotations

from typing import Final

from platui.logs.cleaning import CleanLines

MOST_BYTES: Final = 128 * 1024
"""Bytes that are kept: about a thousand lines."""


class FoundTexts:
    """Clean texts of lines, in the order in which they were found, from the first on.

    One thread adds to it; others may look at it meanwhile.
    """

    def __init__(self) -> None:
        self._texts = bytearray()
        self._count = 0
        self._is_full = False

    @property
    def is_full(self) -> bool:
        """Return whether no further text is kept."""
        return self._is_full

    def add(self, text: bytes | None) -> None:
        """Keep the text of the next line; there is no gap: behind one that is not, none is.

        Args:
            text: all of it as UTF-8, without its stamp; None where it is too long.
        """
        if text is None or len(self._texts) + len(text) >= MOST_BYTES:
            self._is_full = True
        if text is None or self._is_full:
            return
        self._texts += text + b"\n"
        self._count += 1  # whoever looks meanwhile finds at least so many

    def first(self, most: int) -> CleanLines:
        """Return the texts of the first lines found, so many at most."""
        count = min(most, self._count)
        lines = bytes(self._texts).split(b"\n", count)[:count]
        return CleanLines(b"\n".join(lines), count)
