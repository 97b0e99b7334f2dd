"""Cached responses of the platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.observers import ignore_notice
from platui.store.cache import Cache, entry_key
from platui.store.logs import LogStore

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.core.observers import OnNotice
    from platui.store.cache import EntryKey, StoredPage


class PageStore:
    """Responses by key (method, path and query); never raises, but needs a thread."""

    def __init__(
        self, path: Path | None, max_bytes: int, clock: Clock, say: OnNotice = ignore_notice
    ) -> None:
        """Open the store (no path: in memory); `max_bytes` limits responses and logs together."""
        self._cache = Cache(path, max_bytes, clock, say)
        folder = path.with_name("logs") if path is not None else None
        self.logs = LogStore(folder, self._cache, max_bytes, clock)
        """Finished logs, under the same cap."""

    @property
    def problem(self) -> str:
        """Return why nothing is cached on disk, one sentence; empty: no problem."""
        return self._cache.database.problem

    @property
    def on_disk(self) -> bool:
        return self._cache.database.on_disk

    def get(self, key: EntryKey) -> StoredPage | None:
        return self._cache.get(entry_key("page", key))

    def put(self, key: EntryKey, page: StoredPage) -> None:
        self._cache.put(entry_key("page", key), page)

    def touch(self, key: EntryKey, fetched_at: datetime) -> None:
        self._cache.touch(entry_key("page", key), fetched_at)

    def forget(self, key: EntryKey) -> None:
        self._cache.forget(entry_key("page", key))

    def forget_all(self, origin: str, fingerprint: str | None = None) -> None:
        self._cache.forget_all(origin, fingerprint)
        self.logs.forget_all(origin, fingerprint)

    def forget_answers(self, origin: str | None = None) -> None:
        self._cache.forget_kind("page ", origin)
        self._cache.shrink()

    def forget_logs(self, origin: str | None = None) -> None:
        self.logs.forget_all(origin)
        self._cache.forget_kind("log ", origin)
        self._cache.shrink()

    def clear(self) -> None:
        self._cache.clear()
        self.logs.forget_all()

    def trim(self) -> None:
        """Delete entries above the cap, which may have been lowered."""
        self.logs.trim()
        self._cache.trim()

    def size(self) -> int:
        return self._cache.size() + self.logs.size()

    def close(self) -> None:
        self._cache.database.close()
