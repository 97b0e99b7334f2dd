"""Cached responses of the platform."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from platui.core.observers import ignore_notice
from platui.store.cache import Cache, Entry, entry_key
from platui.store.json_shape import expect_type
from platui.store.logs import LogStore

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.core.observers import OnNotice
    from platui.store.cache import EntryKey


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One response."""

    body: bytes
    fetched_at: datetime  # Fetched or last confirmed (UTC)
    headers: Mapping[str, str] = field(default_factory=dict)  # Needed for decoding: pages, totals
    etag: str = ""
    settled: bool = False  # Whether it is final


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
        return self._cache.problem

    @property
    def on_disk(self) -> bool:
        return self._cache.on_disk

    def get(self, key: EntryKey) -> StoredPage | None:
        entry = self._cache.get(_entry_key(key))
        if entry is None:
            return None
        try:
            etag, headers = json.loads(entry.about)
            expect_type(etag, str)
            expect_type(headers, dict)
            fetched_at = datetime.fromtimestamp(entry.fetched_at, UTC)
        except (ValueError, TypeError, OverflowError):
            # Damage that SQLite does not detect.
            self.forget(key)
            return None
        return StoredPage(entry.body, fetched_at, headers, etag, entry.settled)

    def put(self, key: EntryKey, page: StoredPage) -> None:
        about = json.dumps([page.etag, dict(page.headers)], separators=(",", ":"))
        entry = Entry(page.body, about, page.fetched_at.timestamp(), page.settled)
        self._cache.put(_entry_key(key), entry)

    def touch(self, key: EntryKey, fetched_at: datetime) -> None:
        self._cache.touch(_entry_key(key), fetched_at.timestamp())

    def forget(self, key: EntryKey) -> None:
        self._cache.forget(_entry_key(key))

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
        self._cache.close()


def _entry_key(key: EntryKey) -> EntryKey:
    return entry_key(key.origin, key.fingerprint, f"page {key.name}")
