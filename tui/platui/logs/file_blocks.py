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
        """Return bytes `start` to `end` of the first `size`; lost ones are NULs."""
        number = start // _BLOCK
        first = number * _BLOCK
        if end > first + _BLOCK:
            return self._padded(self._stored(start, end), end - start)
        block = self._blocks.get(number, b"")
        if end > first + len(block):
            block = self._stored(first, min(first + _BLOCK, size))
            if end > first + len(block):  # the file is shorter, or cannot be read now
                return self._padded(block[start - first :], end - start)
            self._keep(number, block)
        return block[start - first : end - first]

    def _keep(self, number: int, block: bytes) -> None:
        # Other threads read `_blocks` meanwhile: it is replaced, not changed.
        others = [item for item in self._blocks.items() if item[0] != number]
        self._blocks = dict([*others[1 - _KEPT :], (number, block)])

    def _stored(self, start: int, end: int) -> bytes:
        try:
            return self.file.read(start, end)
        except OSError:
            return b""

    def _padded(self, data: bytes, length: int) -> bytes:
        # Truncating a mapped file would kill the process; here missing bytes read as NULs.
        return data.ljust(length, b"\0")
