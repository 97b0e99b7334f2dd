"""Logs of finished jobs: they cannot change, so they are kept until room is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.store.cache import Entry, EntryKey, entry_key
from platui.store.log_files import LogFiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.models.values.queries import ProjectRef
    from platui.store.cache import Cache
    from platui.store.log_files import StoredLog

PACKED: Final = 1024 * 1024
"""Bytes up to which a log passes through memory, compressed, as answers do."""


class LogStore:
    """Whole logs by job: most lie packed among the answers, the long ones in files.

    All of them together with the answers stay within the cap. Calls may touch the disk:
    callers use a thread.
    """

    def __init__(self, folder: Path | None, cache: Cache, max_bytes: int, clock: Clock) -> None:
        """Open the store; without a folder long logs are not kept."""
        self._files = LogFiles(folder) if folder is not None else None
        self._cache = cache
        self._max_bytes = max_bytes
        self._clock = clock
        cache.reserve(self.size())

    def get(
        self, origin: str, fingerprint: str, project: ProjectRef, job: int
    ) -> bytes | StoredLog | None:
        entry = self._cache.get(_key(origin, fingerprint, project, job))
        if entry is not None:
            return entry.body
        if self._files is None:
            return None
        return self._files.get(_name(origin, fingerprint, project, job))

    def put(
        self,
        origin: str,
        fingerprint: str,
        project: ProjectRef,
        job: int,
        size: int,
        pieces: Iterable[bytes],
    ) -> StoredLog | None:
        """Keep the whole log of a finished job, if it fits into the cap.

        Return the file that holds it now; None where it lies in none.
        """
        key = _key(origin, fingerprint, project, job)
        if size <= PACKED:
            now = self._clock.now().timestamp()
            self._cache.put(key, Entry(b"".join(pieces), "", now, settled=True))
            return None
        self._cache.forget(key)
        if self._files is None or not self._cache.on_disk:
            return None
        name = _name(origin, fingerprint, project, job)
        stored = self._files.put(name, size, pieces, self._room())
        self._cache.reserve(self._files.size())
        return stored

    def forget(self, origin: str, fingerprint: str, project: ProjectRef, job: int) -> None:
        self._cache.forget(_key(origin, fingerprint, project, job))
        if self._files is not None:
            self._files.forget(_name(origin, fingerprint, project, job))

    def forget_all(self, origin: str | None = None, fingerprint: str | None = None) -> None:
        if self._files is not None:
            self._files.forget_all(origin, fingerprint)
            self._cache.reserve(self._files.size())

    def trim(self) -> None:
        """Let go of long logs that have no room any more, those unused for longest first."""
        if self._files is not None:
            self._files.trim(self._room())
            self._cache.reserve(self._files.size())

    def size(self) -> int:
        return 0 if self._files is None else self._files.size()

    def _room(self) -> int:
        """Return the bytes that long logs may take: half of the cap, or what the rest leaves."""
        return max(self._max_bytes // 2, self._max_bytes - self._cache.size())


def forget_packed(cache: Cache, origin: str | None = None) -> None:
    """Keep none of the logs that lie among the answers, of one platform or of all."""
    cache.forget_kind("log ", origin)


def _key(origin: str, fingerprint: str, project: ProjectRef, job: int) -> EntryKey:
    return entry_key(origin, fingerprint, f"log {project} {job}")


def _name(origin: str, fingerprint: str, project: ProjectRef, job: int) -> EntryKey:
    return EntryKey(origin, fingerprint, f"{project} {job}")
