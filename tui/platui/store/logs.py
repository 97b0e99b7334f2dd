"""Cached logs of finished jobs, which never change."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.open_file import OpenFile
from platui.core.paths import replace_private
from platui.store.cache import EntryKey

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef

_HEAD: Final = "platui log 1 {size}\n"
_HEAD_LENGTH: Final = 64
_HEAD_READ: Final = re.compile(rb"platui log 1 (\d{1,15})\n {0,60}")
_ABANDONED: Final = 3600.0  # seconds after which a partially written file counts as abandoned


class LogFiles:
    """Log files in a folder of limited size; least recently used ones are deleted.

    Safe for several processes: a file is renamed when complete, and incomplete or foreign files are
    ignored. On a full disk nothing is cached. An open file stays readable after it is deleted.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: EntryKey) -> OpenFile | None:
        path = self._path(name)
        try:
            file = OpenFile.open(path)
            head = _HEAD_READ.fullmatch(file.read(0, _HEAD_LENGTH))
            file.skip(_HEAD_LENGTH)
            if head is None or file.size != int(head[1]):
                path.unlink(missing_ok=True)
                return None
            os.utime(path)  # used now: deleted last
        except OSError:
            return None
        return file

    def put(self, name: EntryKey, size: int, pieces: Iterable[bytes], cap: int) -> OpenFile | None:
        """Cache a log if the disk allows it; delete others above `cap` bytes of all logs."""
        if size > cap:
            self.forget(name)
            return None
        # Free space first: the disk may not have enough for both.
        self.trim(cap - size)
        with contextlib.suppress(OSError):
            with replace_private(self._path(name)) as file:
                file.write(_HEAD.format(size=size).encode().ljust(_HEAD_LENGTH))
                file.writelines(pieces)
                if file.tell() != _HEAD_LENGTH + size:
                    raise OSError(errno.EIO, "bytes are missing")
            return self.get(name)
        return None

    def forget(self, name: EntryKey) -> bool:
        """Delete a log, and return whether there was one."""
        try:
            self._path(name).unlink()
        except OSError:
            return False
        return True

    def forget_all(self, origin: str | None = None) -> None:
        folder = self._folder if origin is None else self._folder / hashed_name(origin)
        shutil.rmtree(folder, ignore_errors=True)

    def size(self) -> int:
        return sum(status.st_size for _, status in self._files())

    def trim(self, cap: int) -> None:
        kept = 0
        for path, status in sorted(self._files(), key=lambda one: one[1].st_mtime, reverse=True):
            if path.name.startswith("."):  # being written by another process, or abandoned
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
        except OSError:  # the folder was deleted meanwhile
            return
        for path in paths:
            with contextlib.suppress(OSError):  # deleted by another process
                yield path, path.lstat()

    def _path(self, name: EntryKey) -> Path:
        origin, fingerprint, log = (hashed_name(part) for part in name)
        return self._folder / origin / fingerprint / f"{log}.log"


def hashed_name(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


MAX_CACHED_LOG: Final = 1024 * 1024  # bytes up to which a log is stored compressed in the database


def log_name(origin: str, fingerprint: str, project: ProjectRef, job: int) -> EntryKey:
    return EntryKey(origin, fingerprint, f"{project} {job}")
