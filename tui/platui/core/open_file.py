"""An open file that several threads read, closed when it is no longer referenced."""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import Final

_LARGEST_READ: Final = 1024 * 1024 * 1024


class OpenFile:
    __slots__ = ("__weakref__", "_descriptor", "_start")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._start = 0
        weakref.finalize(self, os.close, descriptor)

    @classmethod
    def open(cls, path: Path) -> OpenFile:
        """Open a file for reading. Raises OSError: it does not exist or is not readable."""
        # O_NONBLOCK: do not wait for a writer if it is a pipe.
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
        return cls(os.open(path, flags))

    def skip(self, count: int) -> None:
        self._start += count

    def fileno(self) -> int:
        """Return the descriptor, valid while the object is referenced."""
        return self._descriptor

    @property
    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    @property
    def size(self) -> int:
        return max(0, self.status.st_size - self._start)

    def read(self, start: int, end: int) -> bytes:
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
        """Write bytes at an offset and return how many were written. Raises OSError."""
        return os.pwrite(self._descriptor, data, self._start + at)
