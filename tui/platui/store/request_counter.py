"""The request count shared by all platui processes of one user: times appended to a file."""

from __future__ import annotations

import contextlib
import os
import time
from array import array
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final

from platui.core.locks import lock

_WIDTH: Final = 8
_KEPT_SECONDS: Final = 120.0
_AHEAD_SECONDS: Final = 5.0  # Later times were written before the clock was set back

_CLEAN_AT: Final = 16 * 1024  # Bytes (2,048 requests) above which old times are dropped

_READ_AT_MOST: Final = 2 * _CLEAN_AT

_PATIENCE: Final = 0.005
"""Seconds: the caller is the event loop, and missing one request is acceptable."""

_ABANDONED_SECONDS: Final = 86_400.0


class FileRequestCounter:
    """The shared count of one origin and user; without a usable file, of this process."""

    def __init__(self, folder: Path, origin: str, user: str) -> None:
        """Open the count. `user` is a credential's fingerprint or a user id."""
        name = blake2b(f"{origin}\n{user}".encode(), digest_size=12).hexdigest()
        self._path = folder / f"{name}.times"
        self._own = array("d")
        self._file: int | None = None
        self.problem = ""  # Why the count is not shared
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = _open(self._path)
            # The machine's clock: it is compared with times of the file system.
            oldest = time.time() - _ABANDONED_SECONDS
            for path in folder.glob("*.times"):
                with contextlib.suppress(FileNotFoundError):
                    if path.stat().st_mtime < oldest:
                        path.unlink()
        except OSError as error:
            self._own_only(error)

    def add(self, at: float) -> None:
        if self._file is None:
            self._own = array("d", _recent(self._own, at))
            self._own.append(at)
            return
        try:
            with lock(self._file, _PATIENCE) as alone:
                status = os.fstat(self._file)
                if alone:
                    _clean(self._file, status.st_size, at)
                # One appending write is atomic even without the lock.
                os.write(self._file, array("d", (at,)).tobytes())
            if not status.st_nlink:
                # The cache folder was emptied: share a new file with other processes.
                self.close()
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._file = _open(self._path)
        except OSError as error:
            self._own_only(error)
            self._own.append(at)

    def count(self, since: float, now: float) -> int:
        times = self._own
        if self._file is not None:
            try:
                with lock(self._file, _PATIENCE, shared=True):
                    times = _read(self._file)
            except OSError as error:
                self._own_only(error)
        return sum(since < at < now + _AHEAD_SECONDS for at in times)

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _own_only(self, error: OSError) -> None:
        self.close()
        self.problem = f"The request count is not shared: {error.strerror}."


def _open(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    os.utime(descriptor)
    return descriptor


def _read(file: int) -> array[float]:
    """Return the times at the end of the file, normally all of them."""
    size = os.fstat(file).st_size // _WIDTH * _WIDTH
    times = array("d")
    content = os.pread(file, _READ_AT_MOST, max(0, size - _READ_AT_MOST))
    times.frombytes(content[: len(content) - len(content) % _WIDTH])
    return times


def _clean(file: int, size: int, now: float) -> None:
    """Rewrite the recent times if the first one is old or the last one ahead; the lock is held."""
    is_old = size > _CLEAN_AT and not _recent(array("d", os.pread(file, _WIDTH, 0)), now)
    last = array("d", os.pread(file, _WIDTH, size - _WIDTH) if size >= _WIDTH else b"")
    is_ahead = any(at >= now + _AHEAD_SECONDS for at in last)
    if is_old or is_ahead or size % _WIDTH:
        recent = array("d", _recent(_read(file), now))
        os.ftruncate(file, 0)
        os.write(file, recent.tobytes())


def _recent(times: Iterable[float], now: float) -> list[float]:
    return [at for at in times if now - _KEPT_SECONDS < at < now + _AHEAD_SECONDS]
