"""Logs of finished jobs: they cannot change, so they are kept until room is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.store.cache import Entry, entry_key

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.models.values.queries import ProjectRef
    from platui.store.cache import Cache, EntryKey


class LogStore:
    """Whole logs by job, compressed. Calls may touch the disk: callers use a thread."""

    def __init__(self, cache: Cache, clock: Clock) -> None:
        self._cache = cache
        self._clock = clock

    def get(self, origin: str, fingerprint: str, project: ProjectRef, job: int) -> bytes | None:
        """Return the bytes of a finished job's log; None where they are not kept."""
        entry = self._cache.get(_key(origin, fingerprint, project, job))
        return None if entry is None else entry.body

    def put(
        self, origin: str, fingerprint: str, project: ProjectRef, job: int, content: bytes
    ) -> None:
        """Keep the whole log of a finished job; a log too large for the cap is not kept."""
        entry = Entry(content, "", self._clock.now().timestamp(), settled=True)
        self._cache.put(_key(origin, fingerprint, project, job), entry)

    def forget(self, origin: str, fingerprint: str, project: ProjectRef, job: int) -> None:
        """Keep nothing of the job's log."""
        self._cache.forget(_key(origin, fingerprint, project, job))


def _key(origin: str, fingerprint: str, project: ProjectRef, job: int) -> EntryKey:
    return entry_key(origin, fingerprint, f"log {project} {job}")
