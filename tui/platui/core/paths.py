"""The folders of platui's files; reading and writing private files."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import PlatformDirs

from platui.core.errors import FileWriteError
from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten

if TYPE_CHECKING:
    from io import BufferedWriter

_DIRS = PlatformDirs("platui", appauthor=False)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def config_dir() -> Path:
    """Return the folder of config.toml, themes and credential files (mode 0600)."""
    return Path(_DIRS.user_config_dir)


def state_dir() -> Path:
    """Return the folder of local state: last view, watch list, audit log."""
    return Path(_DIRS.user_state_dir)


def data_dir() -> Path:
    """Return the folder of user data that cannot be fetched again."""
    return Path(_DIRS.user_data_dir)


def cache_dir() -> Path:
    """Return the folder of data that can be fetched again."""
    return Path(_DIRS.user_cache_dir)


def user_path(text: str) -> Path:
    """Return the path that a user typed, with `~` expanded. Raises FileWriteError: invalid."""
    with suppress(RuntimeError, ValueError):  # unknown home folder; a surrogate
        path = Path(text).expanduser()
        if b"\0" not in os.fsencode(path):
            return path
    raise FileWriteError(f"Invalid path: {shorten(text, 60)}", hint="Choose another name.")


def current_folder() -> str:
    """Return the working directory for display."""
    try:
        return str(Path.cwd())
    except OSError:
        return "a deleted folder"


def absolute_path(path: Path) -> Path:
    """Return the absolute path; unchanged if the working directory was deleted."""
    try:
        return path.absolute()
    except OSError:
        return path


def path_exists(path: Path) -> bool:
    """Return whether a path exists; False if it cannot be checked."""
    try:
        return path.exists()
    except OSError:
        return False


def tilde_path(path: Path) -> str:
    """Return a path with `~` for the home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111  (Path.home raises if unknown)
    text = str(path)
    return f"~{text.removeprefix(home)}" if text.startswith(f"{home}/") else text


class FileContent(NamedTuple):
    """The beginning of a file."""

    content: bytes
    ours: bool  # Whether the user owns the file
    private: bool  # Whether only the owner has permissions


def read_file(path: Path, limit: int) -> FileContent:
    """Return at most `limit` bytes of a file. Raises OSError: unreadable or not a regular file."""
    # O_NONBLOCK: do not wait for a writer if it is a named pipe.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        content = os.read(descriptor, limit)
    finally:
        os.close(descriptor)
    return FileContent(content, status.st_uid == os.geteuid(), not status.st_mode & _OTHERS)


def write_private(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Replace `path` by `content`, as `replace_private`."""
    with replace_private(path, durable=durable) as file:
        file.write(content)


@contextmanager
def replace_private(path: Path, *, durable: bool = True) -> Iterator[BufferedWriter]:
    """Yield a file of mode 0600 that replaces `path` atomically, unless the block raises.

    With `durable`, sync the bytes to disk before the rename: otherwise a crash of the machine can
    leave an empty file. Raises OSError: the folder cannot be created or written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Not secrets.token_hex, which imports hashlib and hmac before the first frame.
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(descriptor)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
