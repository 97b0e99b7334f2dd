"""What lies in platui's folders: how much of it, and whether it is whole."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from platui.core.paths import cache_dir, data_dir, state_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST_JSON: Final = 16_000_000
"""Bytes above which a file is not read through to see whether it is whole."""
ASIDE: Final = ".damaged"
"""What the name of a file ends with that was put aside."""
_NEWER: Final = re.compile(r"pages\.sqlite3\.v\d+(-wal|-shm)?")


class Holding(NamedTuple):
    """Files that are kept together."""

    name: str  # In one word
    path: Path  # Folder or file; it need not be there
    files: int
    size: int  # Bytes
    problem: str = ""  # Why it cannot be read, one sentence; empty where it can


def holdings() -> list[Holding]:
    """Return all that is kept; takes as long as reading the state and the cache's index."""
    cache, state, data = cache_dir(), state_dir(), data_dir()
    pages = cache / "pages.sqlite3"
    return [
        _holding("answers", pages, database_files(pages), database_problem(pages)),
        _holding("logs", cache / "logs", files_in(cache / "logs")),
        _holding("quota", cache / "quota", files_in(cache / "quota")),
        _holding("state", state, files_in(state), _json_problem(state)),
        _holding("reports", data / "reports", files_in(data / "reports")),
    ]


def set_aside() -> list[Path]:
    """Return files that were damaged, and that were put aside for whoever wants to look."""
    folders = (cache_dir(), state_dir(), data_dir())
    return sorted(
        {one for folder in folders for one in files_in(folder) if one.name.endswith(ASIDE)}
    )


def is_aside(path: Path) -> bool:
    """Return whether a file was put aside: as damaged, or as a newer platui's."""
    return path.name.endswith(ASIDE) or _NEWER.fullmatch(path.name) is not None


def database_problem(path: Path) -> str:
    if not path.exists():
        return ""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, timeout=2, uri=True)) as connection:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return f"{path.name} cannot be read: {error}."
    return "" if said and said[0] == "ok" else f"{path.name} is damaged."


def _holding(name: str, path: Path, files: Iterator[Path], problem: str = "") -> Holding:
    sizes = []
    for file in files:
        with contextlib.suppress(OSError):  # gone meanwhile
            sizes.append(file.stat().st_size)
    return Holding(name, path, len(sizes), sum(sizes), problem)


def database_files(path: Path) -> Iterator[Path]:
    """Yield the paths of a SQLite file and of those that SQLite keeps beside it."""
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
