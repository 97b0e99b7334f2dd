"""Cached responses and logs of the platform, limited by size together."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.observers import OnNotice, ignore_notice
from platui.store.cache import VERSION, EntryKey, StoredPage, entry_key
from platui.store.database import Database
from platui.store.json_shape import SHAPE_ERRORS, expect_type
from platui.store.logs import MAX_CACHED_LOG, LogFiles

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.core.open_file import OpenFile

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

_NEWEST: Final = """
SELECT name, body FROM (
    SELECT name, body, fetched_at FROM entries
    WHERE origin = ? AND fingerprint = ? AND name >= ? AND name < ?
    ORDER BY fetched_at DESC LIMIT ?
) ORDER BY fetched_at
"""

_OVERHEAD: Final = 200  # Approximate bytes of a row besides its body

_ROOM: Final = 0.9
"""Part of the cap that stays filled after an eviction, so that not every put evicts."""

_LARGEST: Final = 0.25  # Part of the cap that one entry may take

_LARGEST_BYTES: Final = 256_000_000  # Limit of one entry at any cap: it is held in memory

_WORTH_A_VACUUM: Final = 8_000_000  # Free bytes in the file before it is compacted

_USE_NOTED_EVERY: Final = 300.0  # Seconds between two updates of `used_at`

_MEMORY_BYTES: Final = 32_000_000  # The cap without a disk


class PageStore:
    """Responses by key, and logs of finished jobs. Never raises; for several processes."""

    def __init__(
        self, path: Path | None, max_bytes: int, clock: Clock, say: OnNotice = ignore_notice
    ) -> None:
        """Open the store (no path: in memory, without long logs); `say` receives messages."""
        self._database = Database(path, _SCHEMA, VERSION, say)
        self._do = self._database.do
        self._max_bytes = max_bytes
        self._clock = clock
        self._files = None if path is None else LogFiles(path.with_name("logs"))
        self._file_bytes = self._measure_files()

    @property
    def problem(self) -> str:
        """Return why nothing is cached on disk, one sentence; empty: no problem."""
        return self._database.problem

    @property
    def on_disk(self) -> bool:
        return self._database.on_disk

    def get(self, key: EntryKey) -> StoredPage | None:
        return self._entry(entry_key("page", key))

    def put(self, key: EntryKey, page: StoredPage) -> None:
        self._put_entry(entry_key("page", key), page)

    def newest(
        self, prefix: EntryKey, limit: int, seen: MutableMapping[str, int]
    ) -> Iterator[tuple[str, bytes]]:
        """Yield names and bodies of the newest responses with this prefix, oldest first.

        `seen` has the hashes of bodies that were read before; these are skipped.
        """
        first = entry_key("page", prefix)
        within = (*first, f"{first.name}\U0010ffff", limit)
        rows: list[tuple[str, bytes]] = []
        for name, body in self._do(lambda one: one.execute(_NEWEST, within).fetchall(), rows):
            if seen.get(name) != hash(body):
                seen[name] = hash(body)
                with suppress(zlib.error):  # damage that SQLite does not detect
                    yield name.removeprefix("page "), zlib.decompress(body)

    def touch(self, key: EntryKey, stored_at: datetime, fetched_at: datetime) -> None:
        """Record that the entry of `stored_at` was still valid at `fetched_at` (304).

        An older one is of another response: this one was not stored, or is replaced.
        """
        self._change(
            "UPDATE entries SET fetched_at = ?, used_at = ?"
            " WHERE origin = ? AND fingerprint = ? AND name = ? AND fetched_at >= ?",
            (fetched_at.timestamp(), self._now(), *entry_key("page", key), stored_at.timestamp()),
        )

    def forget(self, key: EntryKey) -> None:
        self._forget_entry(entry_key("page", key))

    def get_log(self, name: EntryKey) -> bytes | OpenFile | None:
        entry = self._entry(entry_key("log", name))
        if entry is not None:
            return entry.body
        return None if self._files is None else self._files.get(name)

    def log_fetched_at(self, name: EntryKey) -> datetime | None:
        """Return when a log was cached; None: unknown, as for a long log."""
        entry = self._entry(entry_key("log", name))
        return None if entry is None else entry.fetched_at

    def put_log(self, name: EntryKey, size: int, pieces: Iterable[bytes]) -> OpenFile | None:
        """Cache the log of a finished job, if it fits into the cap; return its file, if any."""
        key = entry_key("log", name)
        if size <= MAX_CACHED_LOG:
            log = StoredPage(b"".join(pieces), self._clock.now(), settled=True)
            self._put_entry(key, log)
            return None
        self._forget_entry(key)
        if self._files is None or not self.on_disk:
            return None
        stored = self._files.put(name, size, pieces, self._room(self._entry_bytes()))
        self._file_bytes = self._measure_files()
        return stored

    def forget_log(self, name: EntryKey) -> None:
        self._forget_entry(entry_key("log", name))
        if self._files is not None and self._files.forget(name):
            self._file_bytes = self._measure_files()

    def forget_answers(self, origin: str | None = None) -> None:
        self._forget_kind("page ", origin)

    def forget_logs(self, origin: str | None = None) -> None:
        if self._files is not None:
            self._files.forget_all(origin)
            self._file_bytes = self._measure_files()
        self._forget_kind("log ", origin)

    def trim(self) -> None:
        """Delete the excess over the cap, which may have been lowered; compact if worthwhile."""
        if self._files is not None:
            self._files.trim(self._room(self._entry_bytes()))
            self._file_bytes = self._measure_files()
        self._do(self._evict, None)
        # SQLite reuses free pages inside the file.
        unused = self._number("PRAGMA freelist_count") * self._number("PRAGMA page_size")
        if self.on_disk and unused > max(self._entry_bytes(), _WORTH_A_VACUUM):
            self._shrink()

    def size(self) -> int:
        return self._entry_bytes() + self._measure_files()

    def close(self) -> None:
        self._database.close()

    def _entry(self, key: EntryKey) -> StoredPage | None:
        return self._do(lambda connection: self._get(connection, key), None)

    def _put_entry(self, key: EntryKey, page: StoredPage) -> None:
        body = zlib.compress(page.body, 1)
        about = json.dumps([page.etag, dict(page.headers)], separators=(",", ":"))
        size = len(body) + len(about) + len(key.name) + _OVERHEAD
        if size > min(self._cap() * _LARGEST, _LARGEST_BYTES):
            self._forget_entry(key)
            return
        at = page.fetched_at.timestamp()
        row = (*key, body, about, at, self._now(), int(page.settled), size)
        self._do(lambda connection: self._put(connection, row), None)

    def _forget_entry(self, key: EntryKey) -> None:
        self._change("DELETE FROM entries WHERE origin = ? AND fingerprint = ? AND name = ?", key)

    def _forget_kind(self, kind: str, origin: str | None) -> None:
        self._change(
            "DELETE FROM entries WHERE name >= ? AND name < ? AND origin = IFNULL(?, origin)",
            (kind, f"{kind}\U0010ffff", origin),
        )
        self._shrink()

    def _shrink(self) -> None:
        """Compact the file, if no other process uses it."""
        self._change("VACUUM", ())
        self._change("PRAGMA wal_checkpoint(TRUNCATE)", ())

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

    def _entry_bytes(self) -> int:
        return self._do(_total, 0)

    def _measure_files(self) -> int:
        return 0 if self._files is None else self._files.size()

    def _cap(self) -> int:
        if not self.on_disk:
            return min(self._max_bytes, _MEMORY_BYTES)
        return self._room(self._file_bytes)

    def _room(self, others: int) -> int:
        """Return the bytes for entries, or for files: half of the cap, or what others leave."""
        return max(self._max_bytes // 2, self._max_bytes - others)

    def _now(self) -> float:
        return self._clock.now().timestamp()


def _total(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT bytes FROM total").fetchone()
    if row is None or type(row[0]) is not int:
        error = sqlite3.DatabaseError("the total size is missing")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT  # valid SQLite, but no cache of ours
        raise error
    return int(row[0])
