"""Bytes that only ever grow: on a file that is there, in memory, in an unnamed file when many."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Final

from platui.core.open_file import OpenFile

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY_LIMIT: Final = 2 * 1024 * 1024
"""Bytes that stay in memory; the file takes them in runs of this size."""

_SLICE: Final = 1024 * 1024  # Bytes that are copied at once


class LogSpool:
    """Append-only bytes with random access, for one writer and readers in any thread.

    They may begin in a file, which is read where it lies. What is appended goes to memory, and from
    there to an unnamed file, which is gone with the process; where no file can be written the bytes
    stay in memory.

    Reads use `pread`, not a map: a map of a file that somebody truncates kills the process. What
    such a file has lost reads as NULs, so that all else stays where it was.
    """

    def __init__(
        self, base: OpenFile | None = None, size: int = 0, *, memory_limit: int = MEMORY_LIMIT
    ) -> None:
        """Begin empty, or with the first `size` bytes of a file."""
        self._memory_limit = memory_limit
        self._lock = threading.Lock()
        # Three parts, one after the other: the file it began on, our own, memory.
        self._base, self._in_base = base, size if base is not None else 0
        self._own: OpenFile | None = None
        self._in_own = 0
        self._memory = bytearray()
        self._no_disk = False

    @property
    def size(self) -> int:
        with self._lock:
            return self._in_base + self._in_own + len(self._memory)

    def append(self, data: bytes) -> None:
        with self._lock:
            self._memory += data
            if len(self._memory) > self._memory_limit and not self._no_disk:
                self._spill()

    def base_grew(self, size: int) -> None:
        """Take in that the file it began on is longer now; nothing was appended since."""
        with self._lock:
            self._in_base = max(self._in_base, size)

    def lies_in(self, file: OpenFile, size: int) -> None:
        """Know that a file holds its first `size` bytes; if those are all, it is read instead."""
        with self._lock:
            if size != self._in_base + self._in_own + len(self._memory):
                return
            self._base, self._in_base = file, size
            self._own, self._in_own, self._memory = None, 0, bytearray()

    def beginning(self, length: int) -> LogSpool:
        """Return another spool with the first bytes of this one, copying as little as can be."""
        with self._lock:
            base, size = self._base, self._in_base
            if base is None:
                # Nothing that was written is ever changed: both may read it.
                base, size = self._own, self._in_own
        size = min(size, length)
        other = LogSpool(base, size, memory_limit=self._memory_limit)
        for piece in self.slices(size, length):
            other.append(piece)
        return other

    def read(self, start: int, end: int) -> bytes:
        with self._lock:
            base, own = self._base, self._own
            second = self._in_base
            third = second + self._in_own
            end = min(end, third + len(self._memory))
            if start >= end:
                return b""
            held = b""
            if end > third:
                held = bytes(memoryview(self._memory)[max(0, start - third) : end - third])
        # Files are read without the lock: what a reader holds is not closed under it.
        if start >= third:
            return held
        stored = b""
        if start < second:
            stored = _read(base, start, min(end, second))
        if end > second:
            stored += _read(own, max(0, start - second), min(end, third) - second)
        return stored + held if held else stored

    def slices(self, start: int, end: int) -> Iterator[bytes]:
        for at in range(start, end, _SLICE):
            yield self.read(at, min(at + _SLICE, end))

    def close(self) -> None:
        with self._lock:
            self._base = self._own = None
            self._in_base = self._in_own = 0
            self._memory = bytearray()

    def _spill(self) -> None:
        try:
            if self._own is None:
                self._own = _open_unnamed()
            written = self._own.write(self._memory, self._in_own)
        except OSError:
            self._no_disk = True
            return
        # A short write is a disk that is nearly full: what it did not take stays here.
        self._in_own += written
        del self._memory[:written]


def _read(file: OpenFile | None, start: int, end: int) -> bytes:
    if file is None or start >= end:
        return b""
    try:
        return file.read(start, end).ljust(end - start, b"\0")
    except OSError:
        return bytes(end - start)


def _open_unnamed() -> OpenFile:
    import tempfile  # noqa: PLC0415  (not before a log that is long: it brings much along)

    with tempfile.TemporaryFile(prefix="platui-") as file:
        return OpenFile(os.dup(file.fileno()))
