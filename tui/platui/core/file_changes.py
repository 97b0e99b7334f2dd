"""Wait until another process changes a file: reported by Linux (inotify), else polled."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from struct import Struct
from threading import Thread
from typing import Final, Self

_EVENT: Final = Struct("iIII")  # Watch, mask, cookie, length of the name that follows
_CLOSE_WRITE, _MOVED_TO, _DELETE, _IGNORED = 0x8, 0x80, 0x200, 0x8000
_READ_AT_MOST: Final = 64 * 1024

_SLOWEST: Final = 60.0
"""Seconds after which a reported file is checked anyway: of a network file system, the kernel does
not report what other machines write."""


class FileChanges:
    """Changes of one file; a context manager, to be entered in the event loop's thread.

    Its folder is watched, because files are replaced: a watch of the file would end with it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names = frozenset[bytes]()
        self._folders: set[Path] = set()
        self._event = asyncio.Event()
        self._descriptor: int | None = None  # None: not reported

    def __enter__(self) -> Self:
        # A symbolic link may point to the file that is edited.
        paths = {self._path, Path(os.path.realpath(self._path))}
        self._names = frozenset(os.fsencode(path.name) for path in paths)
        self._folders = {path.parent for path in paths}
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            # The kernel takes up to 25 ms.
            Thread(target=os.close, args=(self._descriptor,), daemon=True).start()
            self._descriptor = None

    async def wait(self, interval: float) -> None:
        """Return when the file may have changed; after `interval` seconds if nobody reports it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(interval if self._descriptor is None else _SLOWEST):
                await self._event.wait()
        self._event.clear()
        if self._descriptor is None:
            self._begin()  # The folder may exist now

    def _begin(self) -> None:
        # Other systems, folders that do not exist, and no more watches: polled.
        with suppress(OSError, ImportError, AttributeError):
            self._descriptor = descriptor = _watch(self._folders)
            asyncio.get_running_loop().add_reader(descriptor, self._read, descriptor)

    def _read(self, descriptor: int) -> None:
        for mask, name in _events(os.read(descriptor, _READ_AT_MOST)):
            if mask & _IGNORED:  # The folder was deleted
                self._event.set()
                self.__exit__()
                return
            if not name or name in self._names:  # No name: events were lost
                self._event.set()


def _watch(folders: Iterable[Path]) -> int:
    """Return a descriptor that reports changes. Raises OSError, ImportError, AttributeError."""
    import ctypes  # noqa: PLC0415  (not for a first frame; some systems have none)

    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "inotify_init1")
    for folder in folders:
        mask = _CLOSE_WRITE | _MOVED_TO | _DELETE
        if libc.inotify_add_watch(descriptor, os.fsencode(folder), mask) < 0:
            os.close(descriptor)
            raise OSError(ctypes.get_errno(), "inotify_add_watch")
    return descriptor


def _events(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield mask and file name of each event."""
    at = 0
    while at < len(data):
        _, mask, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size + length
        yield mask, data[at - length : at].rstrip(b"\0")
