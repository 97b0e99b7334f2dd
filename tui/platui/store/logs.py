"""Logs of finished jobs: they cannot change, so they are kept until room is needed."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.open_file import OpenFile
from platui.store.cache import Entry, EntryKey, entry_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.models.values.queries import ProjectRef
    from platui.store.cache import Cache

_HEAD: Final = "platui log 1 {size}\n"
_HEAD_LENGTH: Final = 64
_HEAD_READ: Final = re.compile(rb"platui log 1 (\d{1,15})\n {0,60}")
_ABANDONED: Final = 3600.0
"""Seconds after which a file that another process was writing is taken for left behind."""


class StoredLog(NamedTuple):
    """A log that lies in a file; the file stays readable when its name goes."""

    file: OpenFile
    size: int


class LogFiles:
    """The files of one folder, of a bounded size in total: those unused for longest leave.

    Several processes may share it: a file gets its name when it is whole, and one that is
    gone, was cut or is from another version is not there; on a full disk the log is not kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: EntryKey) -> StoredLog | None:
        path = self._path(name)
        try:
            file = OpenFile.open(path)
            size = _size_in(file.read(0, _HEAD_LENGTH))
            file.skip(_HEAD_LENGTH)
            if size is None or file.size != size:
                path.unlink(missing_ok=True)
                return None
            os.utime(path)  # used now: this one leaves last
        except OSError:
            return None
        return StoredLog(file, size)

    def put(self, name: EntryKey, size: int, pieces: Iterable[bytes], cap: int) -> StoredLog | None:
        """Keep a log, if the disk takes it; others leave until all are within the cap.

        `cap` is what all logs together may take, in bytes.
        """
        if size > cap:
            self.forget(name)
            return None
        path = self._path(name)
        # Room is made first: the disk may have none for both.
        self.trim(cap - size)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _write(path, size, pieces):
                return None
            return self.get(name)
        except OSError:
            return None

    def forget(self, name: EntryKey) -> None:
        with contextlib.suppress(OSError):
            self._path(name).unlink(missing_ok=True)

    def forget_all(self, origin: str | None = None, fingerprint: str | None = None) -> None:
        folder = self._folder
        if origin is not None:
            folder /= hashed_name(origin)
            if fingerprint is not None:
                folder /= hashed_name(fingerprint)
        shutil.rmtree(folder, ignore_errors=True)

    def size(self) -> int:
        return sum(status.st_size for _, status in self._files())

    def trim(self, cap: int) -> None:
        kept = 0
        for path, status in sorted(self._files(), key=lambda one: one[1].st_mtime, reverse=True):
            if path.name.startswith("."):  # another process is writing it, or was
                leaves = time.time() - status.st_mtime > _ABANDONED
            else:
                leaves = kept + status.st_size > cap
            if leaves:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
            else:
                kept += status.st_size

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        try:
            paths = list(self._folder.rglob("*.log*"))
        except OSError:  # a folder that goes away meanwhile
            return
        for path in paths:
            with contextlib.suppress(OSError):  # gone meanwhile: another process's doing
                yield path, path.lstat()

    def _path(self, name: EntryKey) -> Path:
        origin, fingerprint, log = (hashed_name(part) for part in name)
        return self._folder / origin / fingerprint / f"{log}.log"


def _write(path: Path, size: int, pieces: Iterable[bytes]) -> bool:
    """Write a file beside the path and give it its name; return False where bytes are missing.

    Raises OSError: the disk does not take it; nothing stays of it.
    """
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            file.write(_HEAD.format(size=size).encode().ljust(_HEAD_LENGTH))
            for piece in pieces:
                # A raw file takes less than all where the disk is nearly full.
                if file.write(piece) != len(piece):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            # A machine that stops must not leave the right name on empty blocks.
            os.fsync(descriptor)
            whole = file.tell() == _HEAD_LENGTH + size
        if whole:
            beside.replace(path)
        return whole
    finally:
        beside.unlink(missing_ok=True)


def _size_in(head: bytes) -> int | None:
    found = _HEAD_READ.fullmatch(head)
    return int(found[1]) if found else None


def hashed_name(text: str) -> str:
    """Return a file name for a text of any characters and length."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


MAX_CACHED_LOG: Final = 1024 * 1024
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

    def get(self, name: EntryKey) -> bytes | StoredLog | None:
        entry = self._cache.get(_packed(name))
        if entry is not None:
            return entry.body
        return None if self._files is None else self._files.get(name)

    def put(self, name: EntryKey, size: int, pieces: Iterable[bytes]) -> StoredLog | None:
        """Keep the whole log of a finished job, if it fits into the cap.

        Return the file that holds it now; None where it lies in none.
        """
        key = _packed(name)
        if size <= MAX_CACHED_LOG:
            now = self._clock.now().timestamp()
            self._cache.put(key, Entry(b"".join(pieces), "", now, settled=True))
            return None
        self._cache.forget(key)
        if self._files is None or not self._cache.on_disk:
            return None
        stored = self._files.put(name, size, pieces, self._room())
        self._cache.reserve(self._files.size())
        return stored

    def forget(self, name: EntryKey) -> None:
        self._cache.forget(_packed(name))
        if self._files is not None:
            self._files.forget(name)

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


def forget_cached_logs(cache: Cache, origin: str | None = None) -> None:
    """Keep none of the logs that lie among the answers, of one platform or of all."""
    cache.forget_kind("log ", origin)


def log_name(origin: str, fingerprint: str, project: ProjectRef, job: int) -> EntryKey:
    return EntryKey(origin, fingerprint, f"{project} {job}")


def _packed(name: EntryKey) -> EntryKey:
    return entry_key(name.origin, name.fingerprint, f"log {name.name}")
