"""The texts of the first lines that a search has found: more letters are looked for in these."""

from __future__ import annotations

from typing import Final

MOST_BYTES: Final = 512 * 1024
"""Bytes that are kept, looked through in less than a millisecond: thousands of lines, as a rule."""


class FoundTexts:
    """Clean texts of lines, in the order in which they were found, from the first on.

    One thread adds to it; others may look at it meanwhile.
    """

    def __init__(self) -> None:
        self._texts: list[bytes] = []
        self._size = 0
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
        if text is None or self._size + len(text) >= MOST_BYTES:
            self._is_full = True
        if text is None or self._is_full:
            return
        self._texts.append(text)
        self._size += len(text)

    def first(self, most: int) -> list[bytes]:
        """Return the texts of the first lines found, so many at most."""
        return self._texts[:most]
