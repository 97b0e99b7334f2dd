"""A SQLite cache file: recreated when damaged, replaced by memory when unusable."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import quote

from platui.core.paths import tilde_path

if TYPE_CHECKING:
    from platui.core.observers import OnNotice

T = TypeVar("T")

_PATIENCE: Final = 2.0
"""Seconds to wait for another process's write; to open a file, up to twice that."""
_PAUSE: Final = 0.01  # Seconds between two tries
_CACHED: Final = 256  # Kilobytes of the file in memory; the system caches it too

DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_MISSING: Final = ("no such table", "no such column", "table entries has no column")
"""Beginnings of SQLite errors about missing tables."""


class Database:
    """A file or memory; safe for several threads and processes."""

    def __init__(self, path: Path | None, schema: str, version: int, say: OnNotice) -> None:
        """Open it (no path: in memory); `say` receives messages about unusable files."""
        self._path = path
        self._schema = schema
        self._version = version
        self._say = say
        self._lock = threading.Lock()
        self._identity: tuple[int, int] | None = None
        self._closed = False
        self.problem = ""  # Why nothing is saved on disk, one sentence
        self._connection = self._open()

    @property
    def on_disk(self) -> bool:
        """Return whether the data survives this process."""
        return self._path is not None

    def close(self) -> None:
        """Close the file; later calls find and store nothing."""
        with self._lock:
            self._closed = True
            self._connection.close()

    def do(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run work on the connection; on errors recover and retry, or return `otherwise`."""
        with self._lock:
            for _ in range(3):
                if self._closed:
                    return otherwise
                try:
                    return work(self._connection)
                except sqlite3.DatabaseError as error:
                    if primary_code(error) in BUSY:
                        return otherwise
                    self._recover(error)
            return otherwise

    def _recover(self, error: sqlite3.DatabaseError) -> None:
        self._connection.close()
        if self._path is None or not _is_damage(error):
            self._connection = self._without_disk(str(error))
            return
        try:
            # Another process may have replaced it already.
            if identity(self._path) == self._identity:
                self._move_aside(self._path)
        except OSError as failure:
            self._connection = self._without_disk(failure.strerror or "")
            return
        self._connection = self._open()

    def _open(self, *, may_replace: bool = True) -> sqlite3.Connection:
        try:
            if self._path and (version := version_of(self._path)) > self._version:
                aside = tilde_path(move_newer_aside(self._path, version))
                what = "The cache is from a newer platui."
                self._say(f"{what} Moved it to {aside} and created a new one.")
            connection = connect(self._path, self._schema, self._version)
        except sqlite3.DatabaseError as error:
            if not may_replace or self._path is None or not _is_damage(error):
                return self._without_disk(str(error))
            try:
                self._move_aside(self._path)
            except OSError as failure:
                return self._without_disk(failure.strerror or "")
            return self._open(may_replace=False)
        except OSError as error:
            return self._without_disk(error.strerror or "")
        self._identity = identity(self._path) if self._path is not None else None
        return connection

    def _move_aside(self, path: Path) -> None:
        """Rename a damaged file to `.damaged`, replacing an earlier one."""
        aside = path.with_name(f"{path.name}.damaged")
        with contextlib.suppress(FileNotFoundError):
            path.replace(aside)
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        self._say(f"The cache was damaged. Moved it to {tilde_path(aside)} and created a new one.")

    def _without_disk(self, reason: str) -> sqlite3.Connection:
        self.problem = f"Nothing is cached on disk: {reason}."
        self._say(self.problem)
        self._path = None
        return connect(None, self._schema, self._version)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Return whether the file is damaged or lacks one of our tables."""
    return primary_code(error) in DAMAGED or str(error).startswith(_MISSING)


def primary_code(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def connect(path: Path | None, schema: str, version: int) -> sqlite3.Connection:
    """Open the file, or memory without a path; a file of another schema is emptied."""
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite copies the permissions for -wal and -shm.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)
    connection = sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _write_ahead(connection)
        # A cache may lose its last seconds in a crash; WAL keeps it consistent.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{_CACHED}")
        if _version(connection) != version:
            _make_schema(connection, schema, version)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch a file to a write-ahead log: SQLite does not wait for others that do it too."""
    until = monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if primary_code(error) not in BUSY or monotonic() >= until:
                raise
            sleep(_PAUSE)
        else:
            return


@contextlib.contextmanager
def open_read_only(path: Path, patience: float = _PATIENCE) -> Iterator[sqlite3.Connection]:
    """Open an existing file of any version, without changing it."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    with contextlib.closing(sqlite3.connect(address, patience, uri=True)) as connection:
        yield connection


def version_of(path: Path) -> int:
    """Return the version of a SQLite file; 0: not SQLite or not found."""
    if not path.exists():
        return 0
    with open_read_only(path) as connection:
        try:
            return _version(connection)
        except sqlite3.DatabaseError as error:
            if primary_code(error) in DAMAGED:
                return 0
            raise


def move_newer_aside(path: Path, version: int) -> Path:
    """Rename a file of a newer platui to its version; open files stay usable."""
    aside = path.with_name(f"{path.name}.v{version}")
    for ending in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).replace(aside.with_name(aside.name + ending))
    return aside


def identity(path: Path) -> tuple[int, int] | None:
    """Return what distinguishes this file from a later one of the same name."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make_schema(connection: sqlite3.Connection, schema: str, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) != version:
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
            for (name,) in tables:
                quoted = name.replace('"', '""')
                connection.execute(f'DROP TABLE "{quoted}"')
            for statement in schema.split(";;"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
