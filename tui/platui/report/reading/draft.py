"""The draft folder of a report, renamed to the final folder when complete."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.core.locks import acquire
from platui.report.arrays import array_path

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    Content = bytes | bytearray | memoryview | array[int]

_END: Final = ".draft"  # Not `.part`, which downloads in the same folder use


def draft_path(final: Path) -> Path:
    return final.with_name(f".{final.name}{_END}")


class Draft:
    """A folder locked for this process; the lock ends with the process."""

    def __init__(self, final: Path) -> None:
        """Create the folder. Raises ReportError: another process has it; OSError: not writable."""
        self._final = final
        self.folder = draft_path(final)
        final.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(final.parent):
            sweep_drafts(final.parent)
            if not _removed(self.folder):
                raise ReportError(
                    f"Another process is reading the report {final.name}.", is_of_text=False
                )
            self.folder.mkdir(mode=0o700)
            self._lock = _locked(self.folder)

    def file(self, name: str) -> BinaryIO:
        """Create a file for an array, to be written in pieces. Raises OSError."""
        return _new(array_path(self.folder, name))

    def put(self, name: str, content: Content) -> None:
        """Write an array, without changing an existing map of that name. Raises OSError."""
        self.put_file(array_path(self.folder, name), content)

    def put_file(self, path: Path, content: Content) -> None:
        new = path.with_suffix(".new")
        with _new(new) as file:
            file.write(content)
        new.replace(path)

    def finish(self) -> None:
        """Rename to the final folder, replacing an existing one. Raises OSError."""
        old = self._final.with_name(f".{self._final.name}.old{_END}")
        if self._final.exists():
            _clear(old)
            self._final.rename(old)
        self.folder.rename(self._final)
        _clear(old)
        self._release()

    def discard(self) -> None:
        _clear(self.folder)
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def remove_draft(final: Path) -> None:
    """Delete the draft of a killed process; drafts in use stay."""
    _removed(draft_path(final))


def sweep_drafts(parent: Path) -> None:
    """Delete the drafts of killed processes in a folder of reports."""
    for folder in parent.glob(f".*{_END}"):
        with suppress(OSError):  # deleted by another process, or not ours
            _removed(folder)


def _removed(folder: Path) -> bool:
    if not folder.exists():
        return True
    lock = _locked(folder)
    if lock is None:
        return False
    try:
        _clear(folder)
    finally:
        os.close(lock)
    return not folder.exists()


def _clear(folder: Path) -> None:
    with suppress(OSError):
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


@contextmanager
def _alone(parent: Path) -> Iterator[None]:
    """Block other processes that would delete a draft without a lock."""
    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _locked(folder: Path) -> int | None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    if acquire(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _new(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    return os.fdopen(os.open(path, flags, 0o600), "wb")
