"""Read a growing file in blocks, of which the last ones are kept.

Lines near each other then cost one system call. Each call releases Python's global lock: a thread
that reads line by line would take the lock back so often that the main thread hardly gets it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.core.open_file import OpenFile

_BLOCK: Final = 64 * 1024
_KEPT: Final = 8
"""Blocks: two or three readers at different places."""


class FileBlocks:
    """The bytes of a file, which never change once they are written; thread-safe."""

    def __init__(self, file: OpenFile) -> None:
        self.file: Final = file
        self._blocks: dict[int, bytes] = {}  # By number

    def read(self, start: int, end: int, size: int) -> bytes:
        """Return bytes `start` to `end` of a file of `size` bytes; missing ones are NULs."""
        number = start // _BLOCK
        first = number * _BLOCK
        if end > first + _BLOCK:
            found = self._stored(start, end)
        else:
            block = self._blocks.get(number, b"")
            if end > first + len(block):
                block = self._stored(first, min(first + _BLOCK, size))
                if end <= first + len(block):  # else bytes are missing, maybe for a moment only
                    self._keep(number, block)
            found = block[start - first : end - first]
        # Truncating a mapped file would kill the process; here missing bytes read as NULs.
        return found.ljust(end - start, b"\0")

    def _keep(self, number: int, block: bytes) -> None:
        # Other threads read `_blocks` meanwhile: it is replaced, not changed.
        others = [item for item in self._blocks.items() if item[0] != number]
        self._blocks = dict([*others[1 - _KEPT :], (number, block)])

    def _stored(self, start: int, end: int) -> bytes:
        try:
            return self.file.read(start, end)
        except OSError:
            return b""
