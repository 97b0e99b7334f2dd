"""Size, integrity and cleanup of platui's folders; user input is never cleaned up."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from platui.core.last_frame import FRAMES, SUFFIX
from platui.core.named_tuple import NamedTuple
from platui.core.paths import cache_dir, config_dir, data_dir, state_dir
from platui.store.database import open_read_only

_LARGEST_JSON: Final = 16_000_000  # Bytes above which a file is not checked
DAMAGED_SUFFIX: Final = ".damaged"
_NEWER: Final = re.compile(r"pages\.sqlite3\.v\d+(-wal|-shm)?")


class StoredFiles(NamedTuple):
    name: str  # One word
    path: Path  # Folder or file; may be missing
    files: int
    size: int  # Bytes
    problem: str = ""  # Why it is unreadable, one sentence


def stored_files() -> list[StoredFiles]:
    """Return all files by kind; reads the state and the cache's index."""
    cache, state, data = cache_dir(), state_dir(), data_dir()
    pages = cache / "pages.sqlite3"
    return [
        _files_of_kind("answers", pages, database_files(pages), database_problem(pages)),
        _files_of_kind("logs", cache / "logs", files_in(cache / "logs")),
        _files_of_kind("quota", cache / "quota", files_in(cache / "quota")),
        _files_of_kind("state", state, files_in(state), _json_problem(state)),
        _files_of_kind("reports", data / "reports", files_in(data / "reports")),
    ]


def damaged_files() -> list[Path]:
    folders = (cache_dir(), state_dir(), data_dir())
    return sorted(
        {one for folder in folders for one in files_in(folder) if one.name.endswith(DAMAGED_SUFFIX)}
    )


def is_aside(path: Path) -> bool:
    """Return whether a file was moved aside: damaged, or from a newer platui."""
    return path.name.endswith(DAMAGED_SUFFIX) or _NEWER.fullmatch(path.name) is not None


def database_problem(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        with open_read_only(path) as connection:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return f"{path.name} cannot be read: {error}."
    return "" if said and said[0] == "ok" else f"{path.name} is damaged."


def _files_of_kind(name: str, path: Path, files: Iterator[Path], problem: str = "") -> StoredFiles:
    sizes = []
    for file in files:
        with contextlib.suppress(OSError):  # gone meanwhile
            sizes.append(file.stat().st_size)
    return StoredFiles(name, path, len(sizes), sum(sizes), problem)


def database_files(path: Path) -> Iterator[Path]:
    return (path.with_name(path.name + end) for end in ("", "-wal", "-shm"))


def files_in(folder: Path) -> Iterator[Path]:
    for root, _, names in os.walk(folder):
        yield from (Path(root, name) for name in names)


def _json_problem(folder: Path) -> str:
    for path in files_in(folder):
        if path.suffix != ".json":
            continue
        try:
            if path.stat().st_size <= _LARGEST_JSON:
                json.loads(path.read_bytes())
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{path.name} cannot be read: {error.strerror}."
        except (ValueError, RecursionError):
            return f"{path.name} is damaged."
    return ""


_DAY: Final = 86_400.0

PART_DAYS: Final = 1  # Of partially written files
# Of a folder's files
_DAYS: Final = {"places": 90, "homes": 90, "boards": 90, "visited": 90, "sent": 400, FRAMES: 30}
COPIED_DAYS: Final = 7
DAMAGED_DAYS: Final = 180

_PART: Final = re.compile(r"\..+\.[0-9a-f]{12}")  # A temporary file that was to replace another one


def is_due(now: float | None = None) -> bool:
    """Return whether no cleanup ran on the day of `now` (Unix seconds), and mark it as run."""
    now = time.time() if now is None else now
    stamp = state_dir() / ".swept"
    try:
        with contextlib.suppress(FileNotFoundError):
            if 0 <= now - stamp.stat().st_mtime < _DAY:
                return False
        stamp.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        os.utime(stamp, (now, now))
    except OSError:
        return False  # nothing to clean up either
    return True


def sweep(now: float | None = None) -> list[Path]:
    """Delete expired files and return them; takes as long as listing the folders."""
    now = time.time() if now is None else now
    gone = []
    for path, days in _aging():
        with contextlib.suppress(OSError):  # deleted by another process, or not allowed
            state = path.lstat()
            # The time of renaming counts too: moved files keep their modification time.
            if now - max(state.st_mtime, state.st_ctime) > days * _DAY:
                path.unlink()
                gone.append(path)
    return gone


def _aging() -> Iterator[tuple[Path, int]]:
    state = state_dir()
    for folder in (state, cache_dir(), data_dir() / "reports", config_dir() / "credentials"):
        for path in files_in(folder):
            if _PART.fullmatch(path.name):
                yield path, PART_DAYS
            elif is_aside(path):
                yield path, DAMAGED_DAYS
    for path in config_dir().glob(".config.toml.*"):
        if _PART.fullmatch(path.name):
            yield path, PART_DAYS
    for name, days in _DAYS.items():
        files = (state / name).glob("*")
        yield from ((path, days) for path in files if path.suffix in {".json", SUFFIX})
    yield state / "copied.txt", COPIED_DAYS
