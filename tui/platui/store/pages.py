"""Answers of the platform as they came, kept between two runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from platui.core.observers import ignore_notice
from platui.store.cache import Cache, Entry, entry_key
from platui.store.json_shape import expect_type
from platui.store.logs import LogStore, forget_cached_logs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.core.observers import Say
    from platui.store.cache import EntryKey


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One answer."""

    body: bytes
    fetched_at: datetime  # When the platform said so, or last said that it still holds (UTC)
    headers: Mapping[str, str] = field(default_factory=dict)
    """Those that are needed to understand the body: pages, totals."""
    etag: str = ""
    settled: bool = False  # Whether it cannot change any more


class PageStore:
    """Answers by key: its name is the method, path and query. Callers use a thread: it is a disk.

    Nothing raises: what cannot be kept or read is not there, and `problem` says why.
    """

    def __init__(
        self, path: Path | None, max_bytes: int, clock: Clock, say: Say = ignore_notice
    ) -> None:
        """Open the store; without a path it lives in memory.

        `max_bytes` is for answers and logs together.
        """
        self._cache = Cache(path, max_bytes, clock, say)
        folder = path.with_name("logs") if path is not None else None
        self.logs = LogStore(folder, self._cache, max_bytes, clock)
        """Finished logs, in the same file or beside it, and under the same cap."""

    @property
    def problem(self) -> str:
        """Return why nothing is kept on disk, as a sentence; empty while all is well."""
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
            # A damage that SQLite does not see.
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
        forget_cached_logs(self._cache, origin)
        self._cache.shrink()

    def clear(self) -> None:
        self._cache.clear()
        self.logs.forget_all()

    def trim(self) -> None:
        """Come back within the cap: it may have been lowered since the last time."""
        self.logs.trim()
        self._cache.trim()

    def size(self) -> int:
        return self._cache.size() + self.logs.size()

    def close(self) -> None:
        self._cache.close()


def _entry_key(key: EntryKey) -> EntryKey:
    return entry_key(key.origin, key.fingerprint, f"page {key.name}")
