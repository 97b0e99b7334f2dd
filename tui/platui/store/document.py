"""A durable JSON file: damage costs at most the last change.

A backup holds the previous version. A damaged file is kept beside the new one, and one of a newer
platui is never overwritten. Read before the first frame: imports nothing heavier than `json`.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Generic, TypeVar
from zlib import crc32

from platui.core.locks import lock_beside
from platui.core.named_tuple import NamedTuple
from platui.core.observers import OnNotice, ignore_notice
from platui.core.paths import tilde_path, write_private
from platui.store.json_shape import SHAPE_ERRORS, file_stem

T = TypeVar("T")

_VERSION_FIRST: Final = re.compile(rb'\s*\{\s*"version"\s*:\s*(\d{1,9})\s*[,}]')
_PATIENCE: Final = 5.0  # Seconds to wait for another process's write, which takes milliseconds

_UNWRITABLE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})

BACKUP_SUFFIX: Final = ".before"  # suffix of the file with the previous version


class NewerVersionError(OSError):
    def __init__(self, path: Path) -> None:
        super().__init__(errno.EPROTO, "it is from a newer platui", str(path))


class LoadedDocument(NamedTuple, Generic[T]):
    document: dict[str, Any]  # All of it, including unknown fields
    value: T


class Document(Generic[T]):
    def __init__(
        self,
        path: Path | None,
        what: str,
        version: int,
        parse: Callable[[dict[str, Any]], T],
        say: OnNotice = ignore_notice,
        largest: int = 32_000_000,
    ) -> None:
        """Set the path (None: nothing is saved); `what` is the subject of messages."""
        self.path = path
        self.is_damaged = False
        """Whether it was damaged when last read, and was not replaced since."""
        self._is_alone = False
        self._what = what
        self._version = version
        self._parse = parse
        self._say = say
        self._largest = largest

    def read(self) -> LoadedDocument[T] | None:
        """Return the content, if damaged the previous; NewerVersionError: of a newer platui."""
        self.is_damaged = False
        if self.path is None:
            return None
        try:
            return self._read(self.path)
        except FileNotFoundError:
            return None
        except SHAPE_ERRORS:
            self.is_damaged = True
        found = None
        with contextlib.suppress(OSError, *SHAPE_ERRORS):
            found = self._read(_backup_of(self.path))
        if found is None:
            self._say(
                f"{self._what}: the file is damaged. The next change replaces it, and keeps a copy "
                f"beside it: {tilde_path(self.path)}"
            )
        elif not self._is_alone:
            with contextlib.suppress(OSError):  # the next write retries
                return self._restore_backup(self.path)
        return found

    def _restore_backup(self, path: Path) -> LoadedDocument[T] | None:
        """Replace a damaged file by its backup, unless another process just did."""
        with self.alone():
            found = self.read()
            if found is not None and self.is_damaged:
                aside = _link_damaged(path)
                write_private(path, _backup_of(path).read_bytes())
                self.is_damaged = False
                self._say(
                    f"{self._what}: the file was damaged. Restored the previous version; "
                    f"moved the damaged file to {tilde_path(aside)}"
                )
            return found

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the file against changes by other processes."""
        if self.path is None:
            yield
            return
        with lock_beside(self.path, _PATIENCE) as got:
            if not got:
                raise OSError(errno.EAGAIN, "another process has locked it")
            self._is_alone = True
            try:
                yield
            finally:
                self._is_alone = False

    def write(self, content: bytes) -> None:
        """Replace the file, inside `alone` and after `read`."""
        if self.path is None:
            return
        if self.is_damaged:
            aside = _link_damaged(self.path)
            self.is_damaged = False
            self._say(f"{self._what}: the file was damaged. Moved it to {tilde_path(aside)}")
        elif self.path.exists():
            backup = _backup_of(self.path)
            with contextlib.suppress(OSError):  # not every file system has hard links
                backup.unlink(missing_ok=True)
                os.link(self.path, backup, follow_symlinks=True)
        write_private(self.path, content)

    def _read(self, path: Path) -> LoadedDocument[T]:
        if path.stat().st_size > self._largest:
            raise ValueError(path)
        document = json.loads(path.read_bytes())
        version = document["version"]
        if type(version) is int and version > self._version:
            raise NewerVersionError(path)
        if type(version) is not int or version != self._version:
            raise ValueError(version)
        return LoadedDocument(document, self._parse(document))


def platform_file(folder: Path | None, profile: str, url: str) -> Path | None:
    """Return the file of one profile and platform."""
    name = f"{file_stem(profile)}-{crc32(url.encode()):08x}.json"
    return None if folder is None else folder / name


def _backup_of(path: Path) -> Path:
    return path.with_name(f".{path.name}{BACKUP_SUFFIX}")


def move_damaged(path: Path) -> Path:
    """Rename a damaged file to a unique name and return it."""
    aside = _name_of_damaged(path)
    path.rename(aside)
    return aside


def _link_damaged(path: Path) -> Path:
    """Add a unique name to a damaged file, which stays until another one replaces it."""
    aside = _name_of_damaged(path)
    try:
        os.link(path, aside, follow_symlinks=True)
    except FileExistsError:  # an earlier attempt could not replace it
        return aside
    except OSError as error:
        if error.errno in _UNWRITABLE:
            raise
        path.rename(aside)  # not every file system has hard links
    return aside


def _name_of_damaged(path: Path) -> Path:
    stat = path.lstat()
    # Modification time and inode make the name unique.
    return path.with_name(f"{path.name}.{stat.st_mtime_ns}-{stat.st_ino}.damaged")


class CacheFiles:
    """Re-creatable JSON files, one per profile; files of a newer platui are not changed."""

    def __init__(
        self, folder: Path, what: str, version: int, largest: int, say: OnNotice = ignore_notice
    ) -> None:
        """Set the folder; `what` is the singular subject of messages."""
        self._folder = folder
        self._what = what
        self._version = version
        self._largest = largest
        self._say = say

    def load(self, profile: str, parse: Callable[[dict[str, Any]], T]) -> T | None:
        path = self.path(profile)
        try:
            if path.stat().st_size > self._largest:
                raise ValueError(path)
            document = json.loads(path.read_bytes())
            if document["version"] != self._version:
                raise ValueError(document["version"])
            return parse(document)
        except OSError:
            return None
        except SHAPE_ERRORS:
            self._say(f"{self._what}: {self._moved_aside(path)}")
            return None

    def save(self, profile: str, document: dict[str, Any]) -> None:
        """Replace the file of a profile, unless it is too large."""
        path = self.path(profile)
        if _is_newer(path, self._version):
            raise NewerVersionError(path)
        versioned = {"version": self._version, **document}
        text = json.dumps(versioned, ensure_ascii=True, separators=(",", ":"))
        if len(text) <= self._largest:  # larger texts do not fit any screen
            write_private(path, text.encode(), durable=False)

    def path(self, profile: str) -> Path:
        return self._folder / f"{file_stem(profile)}.json"

    def _moved_aside(self, path: Path) -> str:
        if _is_newer(path, self._version):
            return "the file is from a newer platui and is not changed; nothing is saved."
        try:
            return f"the file was damaged. Moved it to {tilde_path(move_damaged(path))}"
        except OSError as error:
            return f"the file is damaged: {tilde_path(path)} ({error.strerror})"


def _is_newer(path: Path, version: int) -> bool:
    """Return whether a file begins with a later version, as all our files do."""
    try:
        with path.open("rb") as file:
            found = _VERSION_FIRST.match(file.read(64))
    except OSError:
        return False
    return found is not None and int(found[1]) > version
