"""The audit log: append-only lines of JSON for their owner only, in rotated files."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Final

from platui.core.locks import lock_beside
from platui.core.paths import state_dir
from platui.models.values.write_states import AuditEntry
from platui.store.json_shape import parse_time

_PATIENCE: Final = 1.0

_READ_BYTES: Final = 4_000_000  # Bytes read from the end of a file

_LONGEST_LINE: Final = 1_000_000

LARGEST: Final = 2_000_000  # Bytes at which a file is rotated

KEPT: Final = 5  # Rotated files: years of writes


def audit_path() -> Path:
    return state_dir() / "audit.jsonl"


class AuditFile:
    """Entries in files of JSON lines; implements `AuditLog`."""

    def __init__(self, path: Path, largest: int = LARGEST) -> None:
        self._path = path
        self._largest = largest
        self.damaged = 0
        """Lines that the last `entries` skipped."""

    def append(self, entry: AuditEntry) -> None:
        line = entry.line().encode("utf-8", "backslashreplace") + b"\n"
        with lock_beside(self._path, _PATIENCE) as alone:
            if alone:  # else another process may be writing to the file
                self._rotate(len(line))
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            descriptor = os.open(self._path, flags, 0o600)
            try:
                os.fchmod(descriptor, 0o600)
                size = os.fstat(descriptor).st_size
                if size and os.pread(descriptor, 1, size - 1) != b"\n":
                    line = b"\n" + line
                while line:
                    line = line[os.write(descriptor, line) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def entries(self, limit: int = 1000) -> tuple[AuditEntry, ...]:
        """Return the last entries, oldest first; invalid lines are skipped and counted."""
        entries: list[AuditEntry] = []
        self.damaged = 0
        for number in range(KEPT + 1):
            if len(entries) >= limit:
                break
            try:
                with self._aside(number).open("rb") as file:
                    start = file.seek(max(0, file.seek(0, os.SEEK_END) - _READ_BYTES))
                    lines = file.read().split(b"\n")
            except FileNotFoundError:
                continue
            if start and _entry(lines[0]) is None:
                del lines[0]  # its beginning was not read
            found = [entry for entry in map(_entry, lines) if entry is not None]
            self.damaged += sum(map(bool, lines)) - len(found)
            entries[:0] = found
        return tuple(entries[-limit:])

    def begins_at(self) -> datetime | None:
        """Return the time of the first entry of this file; None: none can be read."""
        try:
            with self._path.open("rb") as file:
                first = _entry(file.readline(_LONGEST_LINE))
        except OSError:
            return None
        return None if first is None else first.at

    def _aside(self, number: int) -> Path:
        """Return the rotated file of this number; 0: the current one."""
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path

    def _rotate(self, more: int) -> None:
        try:
            if self._path.stat().st_size + more <= self._largest:
                return
        except FileNotFoundError:
            return
        for number in range(KEPT, 0, -1):
            newer = self._aside(number - 1)
            if newer.exists():
                newer.replace(self._aside(number))


def _entry(line: bytes) -> AuditEntry | None:
    try:
        record = json.loads(line)
        return AuditEntry(
            parse_time(record["at"]),
            str(record["profile"]),
            str(record["operation"]),
            str(record["target"]),
            str(record["result"]),
            str(record.get("write", "")),
        )
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
