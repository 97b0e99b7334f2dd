"""Files of the user's that are written whole or not at all, and never over another by chance."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileWriteError, NameTakenError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedWriter
    from pathlib import Path

_NAME: Final = 100
"""Bytes of a file's name that the one beside it begins with."""


@contextmanager
def whole_file(target: Path, *, replace: bool = False) -> Iterator[BufferedWriter]:
    """Give a file to write to, that takes its name when the block ends well; 0600.

    `replace`: whether a file of that name may go; only a plain file ever does.
    Raises NameTakenError: there is one, and it may not go, or came meanwhile. FileWriteError: the
    folder or the disk does not take it.
    """
    if replace:
        target = target.resolve()  # the file, and not the link to it
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
    return FileWriteError(f"It cannot be written ({why}): {shorten(str(target), 200)}")


def part_of(target: Path, *, replace: bool = False) -> Path:
    """Return a hidden name beside a file's, for its bytes until all are there.

    Raises NameTakenError: there is a file of that name, and it may not go. FileWriteError: there
    can be none of that name.
    """
    _refuse(target, replace=replace)
    # Cut by bytes: those are what the length of a name is limited in.
    name = os.fsencode(target.name)[:_NAME].decode("utf-8", "ignore")
    return target.with_name(f".{name}.{os.urandom(4).hex()}.part")


def open_new(part: Path) -> BufferedWriter:
    """Make a file that only its owner reads.

    Raises OSError: the folder does not take it, or there is one.
    """
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    return os.fdopen(descriptor, "wb")


def _refuse(target: Path, *, replace: bool) -> None:
    shown = shorten(str(target), 200)
    if not target.parent.is_dir():
        raise FileWriteError(f"There is no such folder: {shorten(str(target.parent), 200)}")
    if target.is_dir():
        raise FileWriteError(f"That is a folder: {shown}", hint="Add a name behind it.")
    if not os.path.lexists(target):
        return
    if not target.is_file() and not target.is_symlink():
        raise FileWriteError(f"That is no file to be replaced: {shown}")
    if not replace:
        raise NameTakenError(f"There is a file of that name: {shown}")


def take_name(part: Path, target: Path, *, replace: bool = False) -> None:
    """Give a file that is whole its name.

    Raises NameTakenError: somebody took it meanwhile, and may not be replaced. OSError: the folder
    does not take it.
    """
    if replace:
        part.replace(target)
        return
    try:
        os.link(part, target)
    except FileExistsError:
        raise NameTakenError(f"There is a file of that name: {shorten(str(target), 200)}") from None
    except OSError:  # a file system without links
        if os.path.lexists(target):
            raise NameTakenError(
                f"There is a file of that name: {shorten(str(target), 200)}"
            ) from None
        part.rename(target)
