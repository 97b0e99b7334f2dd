"""An on-disk cache of entries by key, limited by size."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from platui.core.observers import ignore_notice
from platui.store.database import Database, open_read_only, schema_error
from platui.store.json_shape import SHAPE_ERRORS, expect_type

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.core.observers import OnNotice

T = TypeVar("T")

VERSION: Final = 1

_SCHEMA: Final = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    name TEXT NOT NULL,
    body BLOB NOT NULL,
    about TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    used_at REAL NOT NULL,
    settled INTEGER NOT NULL,
    size INTEGER NOT NULL,
    UNIQUE (origin, fingerprint, name)
);;
CREATE INDEX entries_by_use ON entries (used_at, settled, size);;
CREATE TABLE total (bytes INTEGER NOT NULL);;
INSERT INTO total VALUES (0);;
CREATE TRIGGER entry_came AFTER INSERT ON entries
    BEGIN UPDATE total SET bytes = bytes + new.size; END;;
CREATE TRIGGER entry_changed AFTER UPDATE OF size ON entries
    BEGIN UPDATE total SET bytes = bytes + new.size - old.size; END;;
CREATE TRIGGER entry_went AFTER DELETE ON entries
    BEGIN UPDATE total SET bytes = bytes - old.size; END
"""

_PUT: Final = """
INSERT INTO entries (origin, fingerprint, name, body, about, fetched_at, used_at, settled, size)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (origin, fingerprint, name) DO UPDATE SET
    body = excluded.body, about = excluded.about, fetched_at = excluded.fetched_at,
    used_at = excluded.used_at, settled = excluded.settled, size = excluded.size
"""

# Final entries never need a refresh, so they count as used a week later. Entries used within the
# last hour go last: else a cache full of logs would drop every new page at once.
_EVICT: Final = """
DELETE FROM entries WHERE id IN (
    SELECT id FROM (
        SELECT id, size, SUM(size) OVER (
            ORDER BY used_at > :now - 3600, used_at + settled * 604800, id
        ) AS upto FROM entries
    ) WHERE upto - size < :excess
)
"""

_PROJECTS: Final = """
SELECT body FROM entries
WHERE origin = ? AND name >= 'page projects?' AND name < 'page projects@'
ORDER BY fetched_at DESC LIMIT 40
"""
"""Pages of project lists, newest first; `@` follows `?` in ASCII."""

_WAIT: Final = 0.2  # Seconds to wait for another process's write: the user has pressed a key

_OVERHEAD: Final = 200  # Approximate bytes of a row besides its body

_ROOM: Final = 0.9
"""Part of the cap that stays filled after an eviction, so that not every put evicts."""

_LARGEST: Final = 0.25  # Part of the cap that one entry may take

_LARGEST_BYTES: Final = 256_000_000  # Limit of one entry at any cap: it is held in memory

_WORTH_A_VACUUM: Final = 8_000_000  # Free bytes in the file before it is compacted

_USE_NOTED_EVERY: Final = 300.0  # Seconds between two updates of `used_at`

_MEMORY_BYTES: Final = 32_000_000  # The cap without a disk


class EntryKey(NamedTuple):
    origin: str
    fingerprint: str  # Of the credential: users see different data
    name: str


def entry_key(kind: str, key: EntryKey) -> EntryKey:
    """Return the key with the kind in its name; lone surrogates, which SQLite rejects, escaped."""
    texts = (key.origin, key.fingerprint, f"{kind} {key.name}")
    return EntryKey(*(text.encode("utf-8", "backslashreplace").decode() for text in texts))


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One response, or the log of a job."""

    body: bytes
    fetched_at: datetime  # Fetched or last confirmed (UTC)
    headers: Mapping[str, str] = field(default_factory=dict)  # Needed for decoding: pages, totals
    etag: str = ""
    settled: bool = False  # Whether it is final


class Cache:
    """Entries on disk or in memory; safe for several threads and processes."""

    def __init__(
        self, path: Path | None, max_bytes: int, clock: Clock, say: OnNotice = ignore_notice
    ) -> None:
        """Open the cache (no path: in memory); `say` receives messages about unusable files."""
        self.database = Database(path, _SCHEMA, VERSION, say)
        self._do = self.database.do
        self._max_bytes = max_bytes
        self._reserved = 0
        self._clock = clock

    def reserve(self, taken: int) -> None:
        """Reserve bytes of the cap for other files; entries keep at least half."""
        self._reserved = taken

    def get(self, key: EntryKey) -> StoredPage | None:
        return self._do(lambda connection: self._get(connection, key), None)

    def put(self, key: EntryKey, page: StoredPage) -> None:
        body = zlib.compress(page.body, 1)
        about = json.dumps([page.etag, dict(page.headers)], separators=(",", ":"))
        size = len(body) + len(about) + len(key.name) + _OVERHEAD
        if size > min(self._cap() * _LARGEST, _LARGEST_BYTES):
            self.forget(key)
            return
        at = page.fetched_at.timestamp()
        row = (*key, body, about, at, self._now(), int(page.settled), size)
        self._do(lambda connection: self._put(connection, row), None)

    def touch(self, key: EntryKey, fetched_at: datetime) -> None:
        """Record that the entry was still valid at that time (304)."""
        self._change(
            "UPDATE entries SET fetched_at = ?, used_at = ?"
            " WHERE origin = ? AND fingerprint = ? AND name = ?",
            (fetched_at.timestamp(), self._now(), *key),
        )

    def forget(self, key: EntryKey) -> None:
        self._change("DELETE FROM entries WHERE origin = ? AND fingerprint = ? AND name = ?", key)

    def forget_all(self, origin: str, fingerprint: str | None = None) -> None:
        self._change(
            "DELETE FROM entries WHERE origin = ? AND fingerprint = IFNULL(?, fingerprint)",
            (origin, fingerprint),
        )

    def forget_kind(self, kind: str, origin: str | None = None) -> None:
        self._change(
            "DELETE FROM entries WHERE name >= ? AND name < ? AND origin = IFNULL(?, origin)",
            (kind, f"{kind}\U0010ffff", origin),
        )

    def trim(self) -> None:
        """Evict entries above the cap, and compact the file if worthwhile."""
        self._do(self._evict, None)
        # SQLite reuses free pages inside the file.
        unused = self._number("PRAGMA freelist_count") * self._number("PRAGMA page_size")
        if self.database.on_disk and unused > max(self.size(), _WORTH_A_VACUUM):
            self.shrink()

    def shrink(self) -> None:
        """Compact the file, if no other process uses it."""
        self._change("VACUUM", ())
        self._change("PRAGMA wal_checkpoint(TRUNCATE)", ())

    def clear(self) -> None:
        self._change("DELETE FROM entries", ())
        self.shrink()

    def size(self) -> int:
        return self._do(_total, 0)

    def count(self) -> int:
        return self._number("SELECT COUNT(*) FROM entries")

    def _get(self, connection: sqlite3.Connection, key: EntryKey) -> StoredPage | None:
        row = connection.execute(
            "SELECT id, body, about, fetched_at, settled, used_at FROM entries"
            " WHERE origin = ? AND fingerprint = ? AND name = ?",
            key,
        ).fetchone()
        if row is None:
            return None
        number, body, about, fetched_at, settled, used_at = row
        now = self._now()
        try:
            etag, headers = json.loads(about or '["", {}]')  # earlier versions: empty for logs
            page = StoredPage(
                zlib.decompress(body),
                datetime.fromtimestamp(fetched_at, UTC),
                expect_type(headers, dict),
                expect_type(etag, str),
                bool(settled),
            )
            is_noted = abs(now - used_at) <= _USE_NOTED_EVERY
        except (zlib.error, OSError, *SHAPE_ERRORS):  # damage that SQLite does not detect
            connection.execute("DELETE FROM entries WHERE id = ?", (number,))
            return None
        if not is_noted:
            connection.execute("UPDATE entries SET used_at = ? WHERE id = ?", (now, number))
        return page

    def _put(self, connection: sqlite3.Connection, row: tuple[object, ...]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(_PUT, row)
            self._evict(connection)
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _evict(self, connection: sqlite3.Connection) -> None:
        total = _total(connection)
        if total > self._cap():
            excess = total - int(self._cap() * _ROOM)
            connection.execute(_EVICT, {"now": self._now(), "excess": excess})

    def _change(self, statement: str, values: tuple[object, ...]) -> None:
        self._do(lambda connection: connection.execute(statement, values), None)

    def _number(self, statement: str) -> int:
        return self._do(lambda connection: int(connection.execute(statement).fetchone()[0]), 0)

    def _cap(self) -> int:
        if not self.database.on_disk:
            return min(self._max_bytes, _MEMORY_BYTES)
        return max(self._max_bytes // 2, self._max_bytes - self._reserved)

    def _now(self) -> float:
        return self._clock.now().timestamp()


def _total(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT bytes FROM total").fetchone()
    if row is None or type(row[0]) is not int:
        raise schema_error("the total size is missing")
    return int(row[0])


def known_projects(path: Path, origin: str) -> list[str]:
    """Return the full paths of all cached projects of a platform, sorted; fast and read-only."""
    found: set[str] = set()
    with contextlib.suppress(sqlite3.Error), open_read_only(path, _WAIT) as kept:
        if kept.execute("PRAGMA user_version").fetchone() != (VERSION,):
            return []
        for (body,) in kept.execute(_PROJECTS, (origin,)):
            try:
                records = json.loads(zlib.decompress(body))
            except (ValueError, TypeError, zlib.error):
                continue  # damage that SQLite does not detect
            for one in records if isinstance(records, list) else ():
                name = one.get("path_with_namespace") if isinstance(one, dict) else None
                if isinstance(name, str):
                    found.add(name)
    return sorted(found)
