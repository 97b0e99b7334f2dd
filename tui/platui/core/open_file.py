"""A file or pipe that any thread reads, and that is closed when nobody holds it any more."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_LARGEST_READ: Final = 1024 * 1024 * 1024


class OpenFile:
    """An open file. The descriptor goes when the last who holds the object lets go of it.

    Nobody closes it before: a reader in another thread may be in the middle of it.
    """

    __slots__ = ("__weakref__", "_descriptor", "_start")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._start = 0
        weakref.finalize(self, os.close, descriptor)

    @classmethod
    def open(cls, path: Path) -> OpenFile:
        """Open a file for reading. Raises OSError: it is not there, or not ours to read."""
        # A pipe of that name must not make us wait for somebody to write into it.
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
        return cls(os.open(path, flags))

    def skip(self, count: int) -> None:
        self._start += count

    def fileno(self) -> int:
        """Return the descriptor, to be used while the object is held."""
        return self._descriptor

    @property
    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    @property
    def size(self) -> int:
        return max(0, self.status.st_size - self._start)

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`, fewer where the file has no more.

        Raises OSError: the disk does not give them.
        """
        start, end = start + self._start, end + self._start
        pieces: list[bytes] = []
        while start < end:
            piece = os.pread(self._descriptor, min(end - start, _LARGEST_READ), start)
            if not piece:
                break
            pieces.append(piece)
            start += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def write(self, data: bytes | bytearray, at: int) -> int:
        """Write bytes to a place and return how many the disk took.

        Raises OSError: it takes none.
        """
        return os.pwrite(self._descriptor, data, self._start + at)
