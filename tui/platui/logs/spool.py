"""Bytes that only ever grow: in memory first, in an unnamed file when they are many."""

from __future__ import annotations

import os
import tempfile
import weakref
from typing import Final

MEMORY_LIMIT: Final = 4 * 1024 * 1024
"""Bytes that stay in memory; the file takes them in runs of this size."""


class LogSpool:
    """Append-only bytes with random access.

    The file has no name and is readable by nobody else; it is gone when nobody holds the
    spool any more or the process ends, however it ends. Where no file can be written (a full or
    read-only disk) the bytes stay in memory: a log that shows is worth more than one
    that is small.

    Reads use `pread` rather than a map: the file grows all the time, a map would have to
    be made anew each time, and reads are of a block or a line.
    """

    def __init__(self, *, memory_limit: int = MEMORY_LIMIT) -> None:
        self._memory_limit = memory_limit
        self._memory = bytearray()
        self._file: int | None = None
        self._let_go: weakref.finalize[[int], LogSpool] | None = None
        self._on_disk = 0
        self._no_disk = False

    @property
    def size(self) -> int:
        """Return how many bytes there are."""
        return self._on_disk + len(self._memory)

    @property
    def in_memory(self) -> int:
        """Return how many of them are held in memory."""
        return len(self._memory)

    def append(self, data: bytes) -> None:
        """Add bytes to the end."""
        self._memory += data
        if len(self._memory) > self._memory_limit and not self._no_disk:
            self._spill()

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`, fewer where there are no more."""
        end = min(end, self.size)
        if start >= end:
            return b""
        split = self._on_disk
        if start >= split:
            return bytes(self._memory[start - split : end - split])
        stored = self._read_file(start, min(end, split))
        return stored + self._memory[: end - split] if end > split else stored

    def close(self) -> None:
        """Let go of everything now."""
        if self._let_go is not None:
            self._let_go()
        self._file = None
        self._memory = bytearray()
        self._on_disk = 0

    def _spill(self) -> None:
        try:
            if self._file is None:
                self._file = _open_unnamed()
                self._let_go = weakref.finalize(self, os.close, self._file)
            written = os.write(self._file, self._memory)
        except OSError:
            self._no_disk = True
            return
        # A short write is a disk that is nearly full: what it did not take stays here.
        self._on_disk += written
        del self._memory[:written]

    def _read_file(self, start: int, end: int) -> bytes:
        if self._file is None:
            return b""
        pieces: list[bytes] = []
        while start < end:
            piece = os.pread(self._file, end - start, start)
            if not piece:
                break
            pieces.append(piece)
            start += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _open_unnamed() -> int:
    """Return a file of our own that has no name; who takes it closes it."""
    with tempfile.TemporaryFile(prefix="platui-") as file:
        return os.dup(file.fileno())
