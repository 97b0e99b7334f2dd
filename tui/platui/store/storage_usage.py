"""Disk usage by store, owner and age, and deletion while other processes may use the data.

Missing or damaged files count as absent.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileWriteError
from platui.core.last_frame import FRAMES, SUFFIX
from platui.core.locks import lock_beside
from platui.core.named_tuple import NamedTuple
from platui.core.paths import cache_dir, config_dir, data_dir, state_dir, tilde_path
from platui.core.text import shorten
from platui.store.audit import AuditFile
from platui.store.database import open_read_only
from platui.store.document import BACKUP_SUFFIX
from platui.store.inventory import DAMAGED_SUFFIX, database_files, files_in, is_aside
from platui.store.json_shape import file_stem
from platui.store.logs import hashed_name
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from platui.core.clock import Clock

    OwnedFiles = Iterable[tuple[str, Path]]  # Profile file stem (empty: shared) and file


class Store(NamedTuple):
    name: str  # Name in commands
    what: str  # Description
    is_again: bool = False  # Whether it is a cache
    is_shared: bool = False  # Whether all profiles share it


PAGES: Final = Store("pages", "cached responses of platforms", is_again=True)
LOGS: Final = Store("logs", "logs of finished jobs", is_again=True)
QUOTA: Final = Store(
    "quota", "request count shared by all processes", is_again=True, is_shared=True
)
PLACES: Final = Store("places", "saved views and last frames, for the first frame", is_again=True)
CHOICES: Final = Store("choices", "time zone and confirmed actions")
TRIAGE: Final = Store("triage", "watch list, acknowledgments, notes, past incidents")
SENT: Final = Store("sent", "history of sent pipelines and schedules")
AUDIT: Final = Store("audit", "audit log of all writes", is_shared=True)
REPORTS: Final = Store("reports", "access reports")
TOKENS: Final = Store("tokens", "tokens in private files")
COPIED: Final = Store("copied", "copied text without a clipboard", is_shared=True)
DAMAGED: Final = Store(
    "damaged", "files moved aside: damaged, or from a newer platui", is_shared=True
)

STORES: Final = (
    PAGES, LOGS, QUOTA, PLACES, CHOICES, TRIAGE, SENT, AUDIT, REPORTS, TOKENS, COPIED, DAMAGED,
)  # fmt: skip


class UsageItem(NamedTuple):
    """The usage of one platform or profile."""

    of: str  # Platform address or profile file stem; empty: shared
    size: int  # Bytes
    files: int  # Or entries in a database
    oldest: float  # Unix seconds
    newest: float


class StoreUsage(NamedTuple):
    store: Store
    path: Path
    size: int  # Bytes on the disk
    items: tuple[UsageItem, ...]

    @property
    def oldest(self) -> float | None:
        return min((one.oldest for one in self.items), default=None)

    @property
    def newest(self) -> float | None:
        return max((one.newest for one in self.items), default=None)


def storage_usage(origins: Iterable[str] = ()) -> list[StoreUsage]:
    """Return the usage of all `STORES`, looking up these platforms in hashed folders."""
    pages, packed = _entries("page "), _entries("log ")
    known = {*origins, *(one.of for one in (*pages, *packed))}
    database = pages_path()
    in_file = sum(path.stat().st_size for path in database_files(database) if path.exists())
    # Folders of logs are named by a hash of the address.
    root, named = cache_dir() / "logs", {hashed_name(one): one for one in known}
    files = ((named.get(path.relative_to(root).parts[0], ""), path) for path in files_in(root))
    logs = _together([*packed, *_items(files)])
    return [
        StoreUsage(PAGES, database, max(0, in_file - _size(packed)), tuple(pages)),
        StoreUsage(LOGS, root, _size(logs), tuple(logs)),
        *(
            StoreUsage(store, folder() / name, _size(items), tuple(items))
            for store in STORES[2:]
            for folder, name, _ in [_FILES[store.name]]
            for items in [_together(_items(files_of(store)))]
        ),
    ]


def pages_path() -> Path:
    return cache_dir() / "pages.sqlite3"


def files_of(store: Store) -> list[tuple[str, Path]]:
    """Return the files of a store with their owners, except pages and logs."""
    folder, name, list_files = _FILES[store.name]
    # Unique: on some systems these folders are the same.
    return sorted(set(list_files(folder() / name)))


_AUDIT_NAME: Final = "audit.jsonl"


def _of_nobody(paths: Iterable[Path]) -> OwnedFiles:
    return (("", path) for path in paths)


def _by_stem(folder: Path) -> OwnedFiles:
    yield from ((path.stem, path) for path in folder.glob("*.json"))
    # Including backups.
    end = f".json{BACKUP_SUFFIX}"
    yield from ((path.name[1 : -len(end)], path) for path in folder.glob(f".*{end}"))


def _by_platform(folder: Path) -> OwnedFiles:
    for stem, path in _by_stem(folder):
        found = re.fullmatch(r"(.+)-[0-9a-f]{8}", stem)
        yield found[1] if found else stem, path


def _places(state: Path) -> OwnedFiles:
    for folder in ("places", "homes", "boards", "visited"):
        yield from _by_stem(state / folder)
    yield from ((path.name.rsplit(".", 2)[0], path) for path in (state / FRAMES).glob(f"*{SUFFIX}"))


def _audit(current: Path) -> OwnedFiles:
    paths = current.parent.glob(f"{current.name}*")
    return _of_nobody(one for one in paths if re.fullmatch(r"audit\.jsonl(\.\d+)?", one.name))


def _reports(root: Path) -> OwnedFiles:
    for path in files_in(root):
        if not path.name.endswith(DAMAGED_SUFFIX):
            yield path.relative_to(root).parts[0], path


def _tokens(root: Path) -> OwnedFiles:
    for path in files_in(root):
        if path.suffix in {".token", ".key"}:
            first = path.relative_to(root).parts[0]
            yield first.removesuffix(path.suffix).removesuffix(".triggers"), path


def _damaged(state: Path) -> OwnedFiles:
    folders = (cache_dir(), state, data_dir())
    return _of_nobody(one for folder in folders for one in files_in(folder) if is_aside(one))


_FILES: Final[dict[str, tuple[Callable[[], Path], str, Callable[[Path], OwnedFiles]]]] = {
    "quota": (cache_dir, "quota", lambda folder: _of_nobody(folder.glob("*.times"))),
    "places": (state_dir, "", _places),
    "choices": (state_dir, "memory", _by_stem),
    "triage": (state_dir, "triage", _by_platform),
    "sent": (state_dir, "sent", _by_platform),
    "audit": (state_dir, _AUDIT_NAME, _audit),
    "reports": (data_dir, "reports", _reports),
    "tokens": (config_dir, "credentials", _tokens),
    "copied": (state_dir, "copied.txt", lambda file: _of_nobody(file.parent.glob(file.name))),
    "damaged": (state_dir, "", _damaged),
}
"""Folder, name in it, and the files of each store."""


def _items(files: OwnedFiles) -> Iterator[UsageItem]:
    for of, path in files:
        with contextlib.suppress(OSError):  # deleted meanwhile
            state = path.lstat()
            oldest = state.st_mtime
            if path.name.startswith(_AUDIT_NAME):  # of many entries
                begun = AuditFile(path).begins_at()
                oldest = oldest if begun is None else min(oldest, begun.timestamp())
            yield UsageItem(of, state.st_size, 1, oldest, state.st_mtime)


def _entries(kind: str) -> list[UsageItem]:
    path = pages_path()
    if not path.exists():
        return []
    try:
        with open_read_only(path) as connection:
            rows = connection.execute(_BY_PLATFORM, (kind, f"{kind}\U0010ffff")).fetchall()
    except sqlite3.Error:
        return []
    # Damage that SQLite does not detect is skipped.
    return [
        UsageItem(*row)
        for row in rows
        if isinstance(row[0], str) and all(isinstance(one, int | float) for one in row[1:])
    ]


_BY_PLATFORM: Final = """
SELECT origin, SUM(size), COUNT(*), MIN(fetched_at), MAX(fetched_at) FROM entries
WHERE name >= ? AND name < ? GROUP BY origin ORDER BY origin
"""


def _together(items: Iterable[UsageItem]) -> list[UsageItem]:
    found: dict[str, list[UsageItem]] = {}
    for one in items:
        found.setdefault(one.of, []).append(one)
    return [
        UsageItem(
            of,
            _size(all_),
            sum(one.files for one in all_),
            min(one.oldest for one in all_),
            max(one.newest for one in all_),
        )
        for of, all_ in sorted(found.items())
    ]


def _size(items: Iterable[UsageItem]) -> int:
    return sum(one.size for one in items)


_PATIENCE: Final = 5.0
_LOCKED: Final = frozenset({AUDIT, CHOICES, SENT, TRIAGE})  # Changed under a lock
_GONE: Final = ".draft"  # suffix of folders that are deleted whenever reports are read


def clear(store: Store, clock: Clock, profile: str | None, origin: str | None) -> None:
    """Delete what can be deleted of a profile (None: all)."""
    if store in {PAGES, LOGS}:
        if profile is None or origin is not None:
            _clear_database(store, clock, origin)
        return
    stem = None if profile is None else file_stem(profile)
    paths = [path for of, path in files_of(store) if stem in {None, of}]
    if store == REPORTS:
        root = data_dir() / "reports"
        for folder in sorted({path.relative_to(root).parts[0] for path in paths}):
            # Open reports stay readable.
            aside = root / f".{folder}.{os.urandom(6).hex()}{_GONE}"
            with _file_write_errors(root / folder):
                (root / folder).rename(aside)
                shutil.rmtree(aside, ignore_errors=True)
        return
    for path in paths:
        locks = store in _LOCKED
        with (
            _file_write_errors(path),
            lock_beside(path, _PATIENCE) if locks else contextlib.nullcontext(),
        ):
            path.unlink(missing_ok=True)


def _clear_database(store: Store, clock: Clock, origin: str | None) -> None:
    if not pages_path().parent.is_dir():
        return
    pages = PageStore(pages_path(), 1, clock)
    try:
        if store == PAGES:
            pages.forget_answers(origin)
        else:
            pages.forget_logs(origin)
        if pages.problem:
            raise FileWriteError(pages.problem)
    finally:
        pages.close()


@contextlib.contextmanager
def _file_write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = shorten(error.strerror or type(error).__name__, 80)
        raise FileWriteError(
            f"{shorten(tilde_path(path), 200)} cannot be deleted ({why})."
        ) from None
