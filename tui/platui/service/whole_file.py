"""Files of the user's that are written whole or not at all, and never over another by chance."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from platui.core.errors import FileWriteError, NameTakenError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedWriter
    from pathlib import Path


@contextmanager
def whole_file(target: Path, *, replace: bool = False) -> Iterator[BufferedWriter]:
    """Give a file to write to, that takes its name when the block ends well; 0600.

    Args:
        target: its name.
        replace: whether a file of that name may go; only a plain file ever does.

    Raises:
        NameTakenError: there is one, and it may not go, or came meanwhile.
        FileWriteError: the folder or the disk does not take it.
    """
    if replace:
        target = target.resolve()  # the file, and not the link to it
    try:
        _refuse(target, replace=replace)
        part = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
            _take_name(part, target, replace=replace)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        why = shorten(error.strerror or type(error).__name__, 80)
        raise FileWriteError(f"It cannot be written ({why}): {shorten(str(target), 200)}") from None


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


def _take_name(part: Path, target: Path, *, replace: bool) -> None:
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
