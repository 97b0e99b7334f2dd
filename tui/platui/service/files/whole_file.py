"""Write user files atomically, never overwriting by accident."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileWriteError, NameTakenError
from platui.core.text import shorten

if TYPE_CHECKING:
    from io import BufferedWriter

_NAME: Final = 100  # bytes of the file name used in the name of the temporary file


@contextmanager
def whole_file(target: Path, *, replace: bool = False) -> Iterator[BufferedWriter]:
    """Yield a temporary file (0600) that is renamed to `target` on success."""
    if replace:
        target = target.resolve()  # the file, not the link
    try:
        part = part_of(target, replace=replace)
        try:
            with open_new(part) as file:
                yield file
            take_name(part, target, replace=replace)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise not_written(target, error) from None


def not_written(target: Path, error: OSError) -> FileWriteError:
    why = shorten(error.strerror or type(error).__name__, 80)
    return FileWriteError(f"Cannot write {shorten(str(target), 200)}: {why}")


def part_of(target: Path, *, replace: bool = False) -> Path:
    """Return the path of a hidden temporary file beside a file that may be written."""
    shown = shorten(str(target), 200)
    if not target.parent.is_dir():
        raise FileWriteError(f"Folder not found: {shorten(str(target.parent), 200)}")
    if target.is_dir():
        raise FileWriteError(f"Is a folder: {shown}", hint="Add a file name.")
    if os.path.lexists(target):
        if not target.is_file() and not target.is_symlink():
            raise FileWriteError(f"Not a regular file: {shown}")
        if not replace:
            raise _name_taken(target)
    # File name limits are in bytes.
    name = os.fsencode(target.name)[:_NAME].decode("utf-8", "ignore")
    return target.with_name(f".{name}.{os.urandom(4).hex()}.part")


def open_new(part: Path) -> BufferedWriter:
    """Create a file readable by its owner only. Raises OSError: it exists, or cannot be created."""
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    return os.fdopen(descriptor, "wb")


def _name_taken(target: Path) -> NameTakenError:
    return NameTakenError(f"File exists: {shorten(str(target), 200)}")


def take_name(part: Path, target: Path, *, replace: bool = False) -> None:
    """Rename the complete temporary file, or raise NameTakenError."""
    if replace:
        part.replace(target)
        return
    try:
        os.link(part, target)
    except FileExistsError:
        raise _name_taken(target) from None
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise _name_taken(target) from None
        part.rename(target)
