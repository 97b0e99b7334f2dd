"""Disk usage by store, owner and age; missing or damaged files count as absent."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from platui.core.paths import cache_dir, config_dir, data_dir, state_dir
from platui.store.document import BACKUP_SUFFIX
from platui.store.inventory import DAMAGED_SUFFIX, database_files, files_in, is_aside
from platui.store.logs import hashed_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path


class Store(NamedTuple):
    name: str  # Name in commands
    what: str  # Description
    is_again: bool  # Whether it is a cache
    is_shared: bool = False  # Whether all profiles share it


PAGES: Final = Store("pages", "cached responses of platforms", is_again=True)
LOGS: Final = Store("logs", "logs of finished jobs", is_again=True)
QUOTA: Final = Store(
    "quota", "request count shared by all processes", is_again=True, is_shared=True
)
PLACES: Final = Store("places", "saved views for the first frame", is_again=True)
CHOICES: Final = Store("choices", "time zone and confirmed actions", is_again=False)
TRIAGE: Final = Store(
    "triage", "watch list, acknowledgments, notes, past incidents", is_again=False
)
SENT: Final = Store("sent", "history of sent pipelines and schedules", is_again=False)
AUDIT: Final = Store("audit", "audit log of all writes", is_again=False, is_shared=True)
REPORTS: Final = Store("reports", "access reports", is_again=False)
TOKENS: Final = Store("tokens", "tokens in private files", is_again=False)
COPIED: Final = Store("copied", "copied text without a clipboard", is_again=False, is_shared=True)
DAMAGED: Final = Store(
    "damaged", "files moved aside: damaged, or from a newer platui", is_again=False, is_shared=True
)

STORES: Final = (
    PAGES, LOGS, QUOTA, PLACES, CHOICES, TRIAGE, SENT, AUDIT, REPORTS, TOKENS, COPIED, DAMAGED,
)  # fmt: skip


class UsageItem(NamedTuple):
    """The usage of one platform or profile."""

    of: str  # Platform address or profile file stem; empty: shared
    size: int  # Bytes
    files: int  # Or entries in a database
    oldest: float | None  # Unix seconds
    newest: float | None


class StoreUsage(NamedTuple):
    store: Store
    path: Path
    size: int  # Bytes on the disk
    items: tuple[UsageItem, ...]

    @property
    def oldest(self) -> float | None:
        return min((one.oldest for one in self.items if one.oldest is not None), default=None)

    @property
    def newest(self) -> float | None:
        return max((one.newest for one in self.items if one.newest is not None), default=None)


def storage_usage(origins: Iterable[str] = ()) -> list[StoreUsage]:
    """Return the usage of all `STORES`, looking up these platforms in hashed folders."""
    pages, packed = _entries("page "), _entries("log ")
    known = {*origins, *(one.of for one in (*pages, *packed))}
    database = pages_path()
    in_file = sum(path.stat().st_size for path in database_files(database) if path.exists())
    logs = _together([*packed, *_items(_long_logs(known))])
    return [
        StoreUsage(PAGES, database, max(0, in_file - _size(packed)), tuple(pages)),
        StoreUsage(LOGS, cache_dir() / "logs", _size(logs), tuple(logs)),
        *(
            StoreUsage(store, _root(store), _size(items), tuple(items))
            for store in STORES[2:]
            for items in [_together(_items(files_of(store)))]
        ),
    ]


def pages_path() -> Path:
    return cache_dir() / "pages.sqlite3"


def files_of(store: Store) -> list[tuple[str, Path]]:
    """Return the files of a store with their owners, except pages and logs."""
    # Unique: on some systems these folders are the same.
    return sorted(set(_FILES[store.name]()))


def _root(store: Store) -> Path:
    return {
        "quota": cache_dir() / "quota",
        "reports": data_dir() / "reports",
        "tokens": config_dir() / "credentials",
        "choices": state_dir() / "memory",
        "triage": state_dir() / "triage",
        "sent": state_dir() / "sent",
        "audit": state_dir() / "audit.jsonl",
        "copied": state_dir() / "copied.txt",
    }.get(store.name, state_dir())


def _places() -> Iterator[tuple[str, Path]]:
    for folder in ("places", "homes", "boards"):
        yield from _by_stem(state_dir() / folder)


def _of_nobody(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    return (("", path) for path in paths)


def _by_stem(folder: Path) -> Iterator[tuple[str, Path]]:
    yield from ((path.stem, path) for path in folder.glob("*.json"))
    # Including backups.
    end = f".json{BACKUP_SUFFIX}"
    yield from ((path.name[1 : -len(end)], path) for path in folder.glob(f".*{end}"))


_OF_PLATFORM: Final = re.compile(r"(.+)-[0-9a-f]{8}")


def _by_platform(folder: Path) -> Iterator[tuple[str, Path]]:
    for stem, path in _by_stem(folder):
        found = _OF_PLATFORM.fullmatch(stem)
        yield found[1] if found else stem, path


_AUDIT: Final = re.compile(r"audit\.jsonl(\.\d+)?")


def _audit() -> Iterator[tuple[str, Path]]:
    paths = state_dir().glob("audit.jsonl*")
    return _of_nobody(path for path in paths if _AUDIT.fullmatch(path.name))


def _reports() -> Iterator[tuple[str, Path]]:
    root = data_dir() / "reports"
    for path in files_in(root):
        if not path.name.endswith(DAMAGED_SUFFIX):
            yield path.relative_to(root).parts[0], path


def _tokens() -> Iterator[tuple[str, Path]]:
    root = config_dir() / "credentials"
    for path in files_in(root):
        if path.suffix in {".token", ".key"}:
            first = path.relative_to(root).parts[0]
            yield first.removesuffix(path.suffix).removesuffix(".triggers"), path


def _damaged() -> Iterator[tuple[str, Path]]:
    for folder in (cache_dir(), state_dir(), data_dir()):
        yield from _of_nobody(path for path in files_in(folder) if is_aside(path))


_FILES: Final[dict[str, Callable[[], Iterator[tuple[str, Path]]]]] = {
    "quota": lambda: _of_nobody(_root(QUOTA).glob("*.times")),
    "places": _places,
    "choices": lambda: _by_stem(_root(CHOICES)),
    "triage": lambda: _by_platform(_root(TRIAGE)),
    "sent": lambda: _by_platform(_root(SENT)),
    "audit": _audit,
    "reports": _reports,
    "tokens": _tokens,
    "copied": lambda: _of_nobody(state_dir().glob("copied.txt")),
    "damaged": _damaged,
}


def _items(files: Iterable[tuple[str, Path]]) -> Iterator[UsageItem]:
    for of, path in files:
        with contextlib.suppress(OSError):  # deleted meanwhile
            state = path.lstat()
            yield UsageItem(of, state.st_size, 1, state.st_mtime, state.st_mtime)


def _entries(kind: str) -> list[UsageItem]:
    path = pages_path()
    if not path.exists():
        return []
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, timeout=2, uri=True)) as connection:
            rows = connection.execute(_BY_PLATFORM, (kind, f"{kind}\U0010ffff")).fetchall()
    except sqlite3.Error:
        return []
    return [
        UsageItem(of, size, count, oldest, newest)
        for of, size, count, oldest, newest in rows
        if isinstance(of, str) and all(isinstance(one, int | float) for one in (size, oldest))
    ]


_BY_PLATFORM: Final = """
SELECT origin, SUM(size), COUNT(*), MIN(fetched_at), MAX(fetched_at) FROM entries
WHERE name >= ? AND name < ? GROUP BY origin ORDER BY origin
"""


def _long_logs(origins: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Yield logs in files; their folders are named by a hash of the address."""
    root, named = cache_dir() / "logs", {hashed_name(one): one for one in origins}
    return ((named.get(path.relative_to(root).parts[0], ""), path) for path in files_in(root))


def _together(items: Iterable[UsageItem]) -> list[UsageItem]:
    found: dict[str, list[UsageItem]] = {}
    for one in items:
        found.setdefault(one.of, []).append(one)
    return [
        UsageItem(
            of,
            _size(all_),
            sum(one.files for one in all_),
            min((one.oldest for one in all_ if one.oldest is not None), default=None),
            max((one.newest for one in all_ if one.newest is not None), default=None),
        )
        for of, all_ in sorted(found.items())
    ]


def _size(items: Iterable[UsageItem]) -> int:
    return sum(one.size for one in items)
