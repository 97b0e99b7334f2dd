"""Store growing bytes: in an existing file, in memory, and in an unnamed file if large."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Final

from platui.core.open_file import OpenFile
from platui.logs.file_blocks import FileBlocks

MEMORY_LIMIT: Final = 2 * 1024 * 1024  # Bytes in memory before they are written to the file
_SLICE: Final = 1024 * 1024  # Bytes copied at once


class LogSpool:
    """Append-only bytes with random access, for one writer and many readers."""

    def __init__(
        self, base: OpenFile | None = None, size: int = 0, *, memory_limit: int = MEMORY_LIMIT
    ) -> None:
        """Start empty, or with the first `size` bytes of a file."""
        self._memory_limit = memory_limit
        self._lock = threading.Lock()
        # Three consecutive parts: the existing file, the temporary file, memory.
        self._base = None if base is None else FileBlocks(base)
        self._in_base = size if base is not None else 0
        self._own: FileBlocks | None = None
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

    def extend_base(self, size: int) -> None:
        """Extend the existing file to `size` bytes; nothing may have been appended."""
        with self._lock:
            self._in_base = max(self._in_base, size)

    def adopt_file(self, file: OpenFile, size: int) -> None:
        """Read from a file instead, if its first `size` bytes are all bytes of the spool."""
        with self._lock:
            if size != self._in_base + self._in_own + len(self._memory):
                return
            self._base, self._in_base = FileBlocks(file), size
            self._own, self._in_own, self._memory = None, 0, bytearray()

    def beginning(self, length: int) -> LogSpool:
        """Return a new spool with the first `length` bytes, copying as little as possible."""
        with self._lock:
            blocks, size = self._base, self._in_base
            if blocks is None:
                # Written bytes never change: both spools may read the file.
                blocks, size = self._own, self._in_own
        size = min(size, length)
        file = None if blocks is None else blocks.file
        other = LogSpool(file, size, memory_limit=self._memory_limit)
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
        # Files are read without the lock: a reader's reference keeps them open.
        if start >= third:
            return held
        stored = b""
        if base is not None and start < second:
            stored = base.read(start, min(end, second), second)
        if own is not None and end > second:
            stored += own.read(max(0, start - second), min(end, third) - second, third - second)
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
                import tempfile  # noqa: PLC0415  (slow to import; only long logs need it)

                with tempfile.TemporaryFile(prefix="platui-") as file:
                    self._own = FileBlocks(OpenFile(os.dup(file.fileno())))
            written = self._own.file.write(self._memory, self._in_own)
        except OSError:
            self._no_disk = True
            return
        # After a short write (disk nearly full) the rest stays in memory.
        self._in_own += written
        del self._memory[:written]
