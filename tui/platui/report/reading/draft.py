"""The folder of a report while it is written: beside the final one, which it becomes at the end."""

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

_END: Final = ".draft"
"""No `.part`: so are the files called that arrive in the same folder."""


def draft_path(final: Path) -> Path:
    return final.with_name(f".{final.name}{_END}")


class Draft:
    """A folder that nobody else writes to. A lock that ends with the process says so."""

    def __init__(self, final: Path) -> None:
        """Begin.

        Raises ReportError: another process is at it; OSError: the folder cannot be made.
        """
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
        """Return a new file for an array, to be written piece by piece.

        Raises OSError: it cannot be made.
        """
        return _new(array_path(self.folder, name))

    def put(self, name: str, content: Content) -> None:
        """Write an array; one of that name that is mapped already stays as it is.

        Raises OSError: it cannot be written.
        """
        self.put_file(array_path(self.folder, name), content)

    def put_file(self, path: Path, content: Content) -> None:
        new = path.with_suffix(".new")
        with _new(new) as file:
            file.write(content)
        new.replace(path)

    def finish(self) -> None:
        """Become the final folder, in the place of one that is there.

        Raises OSError: it cannot be renamed.
        """
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
    """Remove what a process left that was ended in the middle; what is being written stays."""
    _removed(draft_path(final))


def sweep_drafts(parent: Path) -> None:
    """Remove what any process left in a folder of reports, as `remove_draft` does."""
    for folder in parent.glob(f".*{_END}"):
        with suppress(OSError):  # another process sweeps too, or it is none of ours
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
    """Let no other process begin meanwhile: it would sweep a draft that has no lock yet."""
    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some network file systems know no locks
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
