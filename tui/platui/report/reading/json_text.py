"""JSON as memory-mapped bytes."""

from __future__ import annotations

import mmap
import os
import re
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError

if TYPE_CHECKING:
    from pathlib import Path

_BOM: Final = b"\xef\xbb\xbf"

# Match each escape, so that `\\ud800` is a backslash and five letters.
_ESCAPE: Final = re.compile(
    rb"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_REPLACED: Final = rb"\ufffd"


class JsonText:
    def __init__(self, path: Path) -> None:
        """Map a file. Raises ReportError: empty; OSError: not readable."""
        with path.open("rb") as file:
            if not file.seek(0, 2):
                raise ReportError("The report is empty.")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.size = len(self._map)
        self.halves = 0  # Replaced lone surrogates
        self.skipped = len(_BOM) if self._map[: len(_BOM)] == _BOM else 0
        """Bytes of a byte order mark"""

    @property
    def view(self) -> memoryview:
        return memoryview(self._map)[self.skipped :]

    def forget(self) -> None:
        """Release the pages that were read; they are reloaded when needed."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def replace_lone_surrogates(self, folder: Path) -> bool:
        """Switch to a copy without lone surrogates, if there are any; return whether there were."""
        if self.halves:
            return False
        path = folder / "mended.json"
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as copy:
            path.unlink()
            written = 0
            for found in _ESCAPE.finditer(self._map):
                if found["half"] is not None:
                    copy.write(memoryview(self._map)[written : found.start()])
                    copy.write(_REPLACED)
                    written = found.end()
                    self.halves += 1
            if self.halves:
                copy.write(memoryview(self._map)[written:])
                copy.flush()
                self._map = mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)
        return bool(self.halves)
