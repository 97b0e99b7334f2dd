"""Paths of cached projects, for completion; fast and read-only."""

from __future__ import annotations

import json
import sqlite3
import zlib
from typing import TYPE_CHECKING, Final

from platui.store.cache import VERSION
from platui.store.database import open_read_only

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAGES: Final = """
SELECT body FROM entries
WHERE origin = ? AND name >= 'page projects?' AND name < 'page projects@'
ORDER BY fetched_at DESC LIMIT 40
"""
"""Pages of project lists, newest first; `@` follows `?` in ASCII."""

_WAIT: Final = 0.2  # Seconds to wait for another process's write: the user has pressed a key


def known_projects(path: Path, origin: str) -> list[str]:
    """Return the full paths of all cached projects of a platform, sorted."""
    found: set[str] = set()
    try:
        # Read-only: creates no file and keeps one of another version.
        with open_read_only(path, _WAIT) as kept:
            if kept.execute("PRAGMA user_version").fetchone() != (VERSION,):
                return []
            for (body,) in kept.execute(_PAGES, (origin,)):
                found.update(_paths(body))
    except sqlite3.Error:
        return sorted(found)
    return sorted(found)


def _paths(body: bytes) -> Iterator[str]:
    try:
        records = json.loads(zlib.decompress(body))
    except (ValueError, TypeError, zlib.error):
        return  # damage that SQLite does not detect
    for one in records if isinstance(records, list) else ():
        path = one.get("path_with_namespace") if isinstance(one, dict) else None
        if isinstance(path, str):
            yield path
