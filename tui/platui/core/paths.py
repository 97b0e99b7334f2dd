"""Where platui's files live: the platform's usual user folders, and safe writing there."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

from platui.core.errors import FileWriteError
from platui.core.text import shorten

_DIRS = PlatformDirs("platui", appauthor=False)


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


def typed_path(text: str) -> Path:
    """Return the path that a user typed; `~` is a home.

    Raises:
        FileWriteError: nothing can have that name.
    """
    try:
        path = Path(text).expanduser()
        fits = b"\0" not in os.fsencode(path)
    except (RuntimeError, ValueError):  # nobody's home; half a character
        fits = False
    if not fits:
        raise FileWriteError(f"{shorten(text, 60)} is no path.", hint="Choose another name.")
    return path


def folder_here() -> str:
    """Return the folder that relative paths begin at, for a person to read; it may be gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return "a folder that is gone"


def whole_path(path: Path) -> Path:
    """Return a path from the root; as it is where the folder it begins at is gone."""
    try:
        return path.absolute()
    except OSError:
        return path


def is_there(path: Path) -> bool:
    """Return whether there is something at a path; not where nobody can look, or it has no name."""
    try:
        return path.exists()
    except OSError:
        return False


def at_home(path: Path) -> str:
    """Return a path as short as a shell takes it: `~` for the home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111  (Path.home raises where there is none)
    text = str(path)
    return f"~{text.removeprefix(home)}" if text.startswith(f"{home}/") else text


def write_private(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """Replace `path` by `content` in one step, readable by its owner only.

    A half-written file never stands in for a good one: the bytes go to a new file beside
    it, which then takes its name.

    Args:
        path: the file.
        content: all of it.
        lasting: whether it has to be on the disk before it takes the name, as a machine that
            stops would leave that on empty blocks; False: it can be made again.

    Raises:
        OSError: the folder cannot be made or written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Not secrets.token_hex: that module brings hashlib and hmac before the first frame.
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(descriptor)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
