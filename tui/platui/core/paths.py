"""Where platui's files live: the usual user folders; and reading and writing private files."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from platformdirs import PlatformDirs

from platui.core.errors import FileWriteError
from platui.core.text import shorten

_DIRS = PlatformDirs("platui", appauthor=False)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def config_dir() -> Path:
    """Return the folder of config.toml, themes and 0600 credential files."""
    return Path(_DIRS.user_config_dir)


def state_dir() -> Path:
    """Return the folder of what platui remembers: last place, watch list, audit log."""
    return Path(_DIRS.user_state_dir)


def data_dir() -> Path:
    """Return the folder of what the user has collected and cannot fetch again."""
    return Path(_DIRS.user_data_dir)


def cache_dir() -> Path:
    """Return the folder of what can be fetched again."""
    return Path(_DIRS.user_cache_dir)


def user_path(text: str) -> Path:
    """Return the path that a user typed; `~` is a home.

    Raises FileWriteError: nothing can have that name.
    """
    try:
        path = Path(text).expanduser()
        fits = b"\0" not in os.fsencode(path)
    except (RuntimeError, ValueError):  # nobody's home; half a character
        fits = False
    if not fits:
        raise FileWriteError(f"{shorten(text, 60)} is no path.", hint="Choose another name.")
    return path


def current_folder() -> str:
    """Return the folder that relative paths begin at, for a person to read; it may be gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return "a folder that is gone"


def absolute_path(path: Path) -> Path:
    """Return a path from the root; as it is where the folder it begins at is gone."""
    try:
        return path.absolute()
    except OSError:
        return path


def path_exists(path: Path) -> bool:
    """Return whether there is something at a path; not where nobody can look, or it has no name."""
    try:
        return path.exists()
    except OSError:
        return False


def tilde_path(path: Path) -> str:
    """Return a path as short as a shell takes it: `~` for the home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111  (Path.home raises where there is none)
    text = str(path)
    return f"~{text.removeprefix(home)}" if text.startswith(f"{home}/") else text


class FileContent(NamedTuple):
    """The beginning of a file."""

    content: bytes
    ours: bool  # Whether it belongs to us
    private: bool  # Whether nobody but its owner may touch it


def read_file(path: Path, limit: int) -> FileContent:
    """Return at most `limit` bytes of a file.

    Raises OSError: it cannot be read, or is a folder, pipe or device.
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


def write_private(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Replace `path` by `content` in one step, readable by its owner only.

    A half-written file never stands in for a good one: the bytes go to a new file beside it, which
    then takes its name. With `durable` the bytes are on the disk before the file takes the name: a
    machine that stops would leave that on empty blocks. Raises OSError: the folder cannot be made
    or written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Not secrets.token_hex: that module brings hashlib and hmac before the first frame.
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(descriptor)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
