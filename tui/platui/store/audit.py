"""The audit log: one line a write, only ever appended to, readable by its owner alone."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.models.values.audit import AuditEntry
from platui.store.locks import lock

if TYPE_CHECKING:
    from pathlib import Path

_PATIENCE: Final = 1.0

_READ_BYTES: Final = 4_000_000
"""How much of the end of the file is looked at."""


class AuditFile:
    """Entries in a file of JSON lines; implements `values.audit.AuditLog`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, entry: AuditEntry) -> None:
        """Keep the entry, on the disk when this returns.

        Raises:
            OSError: it cannot be written.
        """
        line = entry.line().encode("utf-8", "backslashreplace") + b"\n"
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(self._path, flags, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
            with lock(descriptor, _PATIENCE):
                _append(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def entries(self, limit: int = 1000) -> tuple[AuditEntry, ...]:
        """Return the last entries, oldest first; lines that cannot be read are left out.

        Raises:
            OSError: the file is there and cannot be read.
        """
        try:
            with self._path.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _READ_BYTES))
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return ()
        entries = [entry for entry in map(_entry, lines) if entry is not None]
        return tuple(entries[-limit:])


def _append(descriptor: int, line: bytes) -> None:
    """Write a whole line, also after one that a full disk has cut."""
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    while line:
        line = line[os.write(descriptor, line) :]


def _entry(line: bytes) -> AuditEntry | None:
    try:
        record = json.loads(line)
        return AuditEntry(
            datetime.fromisoformat(record["at"]),
            str(record["profile"]),
            str(record["operation"]),
            str(record["target"]),
            str(record["result"]),
        )
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
