"""Keys and values of the on-disk cache; names of its projects for completion."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Final

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.store.database import open_read_only

VERSION: Final = 1

_PROJECTS: Final = """
SELECT body FROM entries
WHERE origin = ? AND name >= 'page projects?' AND name < 'page projects@'
ORDER BY fetched_at DESC LIMIT 40
"""
"""Pages of project lists, newest first; `@` follows `?` in ASCII."""

_WAIT: Final = 0.2  # Seconds to wait for another process's write: the user has pressed a key


class EntryKey(NamedTuple):
    origin: str
    fingerprint: str  # Of the credential: users see different data
    name: str


def entry_key(kind: str, key: EntryKey) -> EntryKey:
    """Return the key with the kind in its name; lone surrogates, which SQLite rejects, escaped."""
    texts = (key.origin, key.fingerprint, f"{kind} {key.name}")
    return EntryKey(*(text.encode("utf-8", "backslashreplace").decode() for text in texts))


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One response, or the log of a job."""

    body: bytes
    fetched_at: datetime  # Fetched or last confirmed (UTC)
    headers: Mapping[str, str] = field(default_factory=dict)  # Needed for decoding: pages, totals
    etag: str = ""
    settled: bool = False  # Whether it is final


def known_projects(path: Path, origin: str) -> list[str]:
    """Return the full paths of all cached projects of a platform, sorted; fast and read-only."""
    found: set[str] = set()
    with contextlib.suppress(sqlite3.Error), open_read_only(path, _WAIT) as kept:
        if kept.execute("PRAGMA user_version").fetchone() != (VERSION,):
            return []
        for (body,) in kept.execute(_PROJECTS, (origin,)):
            try:
                records = json.loads(zlib.decompress(body))
            except (ValueError, TypeError, zlib.error):
                continue  # damage that SQLite does not detect
            for one in records if isinstance(records, list) else ():
                name = one.get("path_with_namespace") if isinstance(one, dict) else None
                if isinstance(name, str):
                    found.add(name)
    return sorted(found)
