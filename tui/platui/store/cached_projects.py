"""Paths of projects that are kept, for who types one: looked up at once, and nothing changed."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Final

from platui.store.cache import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAGES: Final = """
SELECT body FROM entries
WHERE origin = ? AND name >= 'page projects?' AND name < 'page projects@'
ORDER BY fetched_at DESC LIMIT 40
"""
"""Pages of lists of projects, the newest first; `@` comes after `?`."""

_WAIT: Final = 0.2
"""Seconds for another process's write: somebody has pressed a key."""


def known_projects(path: Path, origin: str) -> list[str]:
    """Return the full paths of the projects of a platform that any list has brought, in order.

    They may have been seen with another credential of the same user: who reads this is whose file
    it is, and a path says no more than that there is one.
    """
    found: set[str] = set()
    try:
        # Read-only: a file that is not there is not made, and one of another version stays.
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", timeout=_WAIT, uri=True)) as kept:
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
        return  # a damage that SQLite does not see
    for one in records if isinstance(records, list) else ():
        path = one.get("path_with_namespace") if isinstance(one, dict) else None
        if isinstance(path, str):
            yield path
