"""Read a small file together with who may read it: what is checked is what was read."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class FileContent(NamedTuple):
    """The beginning of a file."""

    content: bytes
    ours: bool
    """Whether it belongs to us."""
    private: bool
    """Whether nobody but its owner may touch it."""


def read_file(path: Path, limit: int) -> FileContent:
    """Return at most `limit` bytes of a file.

    Raises:
        OSError: it cannot be read, or is a folder, pipe or device.
    """
    # Not blocking: a named pipe must not hold the program.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        content = os.read(descriptor, limit)
    finally:
        os.close(descriptor)
    return FileContent(content, status.st_uid == os.geteuid(), not status.st_mode & _OTHERS)
