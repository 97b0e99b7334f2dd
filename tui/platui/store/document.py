"""A JSON file of ours that lasts: what damages it costs the last change at most.

Beside it lies what it said before that change. A damaged file is put aside under another name, and
one of a newer platui is left as it is: neither is written over. Read before the first frame:
nothing heavier than `json`.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from platui.core.locks import lock_beside
from platui.core.observers import ignore_notice
from platui.core.paths import tilde_path, write_private
from platui.store.json_shape import SHAPE_ERRORS, file_stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from platui.core.observers import Say

T = TypeVar("T")

_VERSION_FIRST: Final = re.compile(rb'\s*\{\s*"version"\s*:\s*(\d{1,9})\s*[,}]')
_PATIENCE: Final = 5.0
"""Seconds to wait for another process, whose own write takes some thousandths."""

BACKUP_SUFFIX: Final = ".before"
"""What the name of a file ends with that says what another one said before its last change."""


class NewerVersionError(OSError):
    """A file is of a newer platui: it can be read by that one, and is not to be written over."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EPROTO, "it is of a newer platui", str(path))


class LoadedDocument(NamedTuple, Generic[T]):
    """What a file says."""

    document: dict[str, Any]
    """All of it, also what this version does not know."""
    value: T


class Document(Generic[T]):
    """One file, and how it is read."""

    def __init__(
        self,
        path: Path,
        what: str,
        version: int,
        parse: Callable[[dict[str, Any]], T],
        say: Say = ignore_notice,
        largest: int = 32_000_000,
    ) -> None:
        """Take where it is; nothing is read yet.

        `what` begins a sentence in the singular; `parse` raises one of `shape.SHAPE_ERRORS`; a file
        of more than `largest` bytes is not ours.
        """
        self.path = path
        self.is_damaged = False
        """Whether it was when it was read last, and is still in the way of a new one."""
        self._is_alone = False
        self._before = path.with_name(f".{path.name}{BACKUP_SUFFIX}")
        self._what = what
        self._version = version
        self._parse = parse
        self._say = say
        self._largest = largest

    def read(self) -> LoadedDocument[T] | None:
        """Return what it says; None where there is nothing that can be read.

        Of a damaged file: its previous version. Raises NewerVersionError: it is of a
        newer platui; OSError: it is there and cannot be read.
        """
        self.is_damaged = False
        try:
            return self._read(self.path)
        except FileNotFoundError:
            return None
        except SHAPE_ERRORS:
            self.is_damaged = True
        found = None
        with contextlib.suppress(OSError, *SHAPE_ERRORS):
            found = self._read(self._before)
        if found is None:
            self._say(f"{self._what} is damaged, and begins anew: {tilde_path(self.path)}")
        elif not self._is_alone:
            with contextlib.suppress(OSError):  # else whoever writes it next tries again
                return self._mended()
        return found

    def _mended(self) -> LoadedDocument[T] | None:
        """Put what it said before in the place of what is damaged, unless somebody just did.

        Raises OSError: another process does not come to an end, or the folder cannot be written.
        """
        with self.alone():
            found = self.read()
            if found is not None and self.is_damaged:
                aside = move_damaged(self.path)
                write_private(self.path, self._before.read_bytes())
                self.is_damaged = False
                self._say(
                    f"{self._what} was damaged, and goes on as it was before its last change; "
                    f"the file is kept as {tilde_path(aside)}"
                )
            return found

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other process change it while the block lasts.

        Raises OSError: another one does not come to an end, or the folder cannot be written.
        """
        with lock_beside(self.path, _PATIENCE) as got:
            if not got:
                raise OSError(errno.EAGAIN, "another process has locked it")
            self._is_alone = True
            try:
                yield
            finally:
                self._is_alone = False

    def write(self, content: bytes) -> None:
        """Replace it, inside `alone` and after `read`, by what says more.

        Raises OSError: it cannot be written, or a damaged one not be put aside.
        """
        if self.is_damaged:
            aside = move_damaged(self.path)
            self.is_damaged = False
            self._say(f"{self._what} was damaged; the file is kept as {tilde_path(aside)}")
        else:
            self._keep_before()
        write_private(self.path, content)

    def _keep_before(self) -> None:
        """Give what it says now a second name; a file system without such does without."""
        with contextlib.suppress(OSError):
            self._before.unlink(missing_ok=True)
            os.link(self.path, self._before, follow_symlinks=True)

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


def move_damaged(path: Path) -> Path:
    """Give a file that nobody can read another name, which no file has yet; returns that.

    Raises OSError: the folder cannot be written.
    """
    stat = path.lstat()
    # By when it was written and which file it is: two of one name are one and the same.
    aside = path.with_name(f"{path.name}.{stat.st_mtime_ns}-{stat.st_ino}.damaged")
    path.rename(aside)
    return aside


class CacheFiles:
    """JSON files that can be made again, one a profile; a newer platui's are left as they are."""

    def __init__(
        self, folder: Path, what: str, version: int, largest: int, say: Say = ignore_notice
    ) -> None:
        """Take where they are.

        `what` begins a sentence in the singular; a file of more than `largest` bytes is not ours.
        """
        self._folder = folder
        self._what = what
        self._version = version
        self._largest = largest
        self._say = say

    def load(self, profile: str, parse: Callable[[dict[str, Any]], T]) -> T | None:
        path = self._path(profile)
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
            self._make_way(path)
            return None

    def save(self, profile: str, document: dict[str, Any]) -> None:
        """Replace the file of a profile, unless it would be larger than one of ours.

        Raises OSError: it cannot be written, or is of a newer platui.
        """
        path = self._path(profile)
        if _is_newer(path, self._version):
            raise NewerVersionError(path)
        versioned = {"version": self._version, **document}
        text = json.dumps(versioned, ensure_ascii=True, separators=(",", ":"))
        if len(text) <= self._largest:  # else of texts that are longer than any screen
            write_private(path, text.encode(), durable=False)

    def _path(self, profile: str) -> Path:
        return self._folder / f"{file_stem(profile)}.json"

    def _make_way(self, path: Path) -> None:
        what = self._what
        if _is_newer(path, self._version):
            self._say(f"{what} is of a newer platui; it is left alone, and this one is not kept.")
            return
        try:
            self._say(f"{what} was damaged; the file is kept as {tilde_path(move_damaged(path))}")
        except OSError as error:
            self._say(f"{what} is damaged: {tilde_path(path)} ({error.strerror})")


def _is_newer(path: Path, version: int) -> bool:
    """Return whether a file begins with a later version: every one of ours begins with its own."""
    try:
        with path.open("rb") as file:
            found = _VERSION_FIRST.match(file.read(64))
    except OSError:
        return False
    return found is not None and int(found[1]) > version
