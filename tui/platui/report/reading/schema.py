"""The JSON of a report and its structure (spec §2.1); members and users stay bytes until needed."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Raw, Struct
from msgspec.json import Decoder

from platui.core.errors import ReportError

T = TypeVar("T")


class Key(str):
    """A key created by a hook, to detect duplicates."""

    __slots__ = ()


class Project(Struct, gc=False):
    name: str | None = None
    path: str | None = None
    members: Raw = Raw(b"{}")


class Group(Struct, gc=False):
    name: str | None = None
    path: str | None = None
    members: Raw = Raw(b"{}")
    projects: dict[Key, Project] | None = None
    subgroups: dict[Key, Group] | None = None


class Platform(Struct, gc=False):
    groups: dict[Key, Group]


class Report(Struct, gc=False):
    platform: Platform
    users: Raw


class User(Struct, gc=False):
    name: str | None = None
    username: str | None = None
    email: str | None = None
    service_identity_uuid: str | None = None
    state: str | None = None


class Member(Struct, gc=False):
    max_access_level: str


def decoder(shape: type[T], saw: Callable[[Key], object] | None = None) -> Decoder[T]:
    """Return a decoder; `saw` receives every key of an entry, in order of the file."""

    def made(_type: type, text: str) -> Key:
        key = Key(text)
        if saw is not None:
            saw(key)
        return key

    return Decoder(shape, dec_hook=made)


_BOM: Final = b"\xef\xbb\xbf"

# Match each escape, so that `\\ud800` is a backslash and five letters.
_ESCAPE: Final = re.compile(
    rb"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_REPLACED: Final = rb"\ufffd"


class JsonText:
    def __init__(self, path: Path) -> None:
        """Map a file. Raises ReportError: empty; OSError: not readable."""
        with path.open("rb") as file:
            if not file.seek(0, 2):
                raise ReportError("The report is empty.")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.size = len(self._map)
        self.halves = 0  # Replaced lone surrogates
        self.skipped = len(_BOM) if self._map[: len(_BOM)] == _BOM else 0
        """Bytes of a byte order mark"""

    @property
    def view(self) -> memoryview:
        return memoryview(self._map)[self.skipped :]

    def forget(self) -> None:
        """Release the pages that were read; they are reloaded when needed."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def replace_lone_surrogates(self, folder: Path) -> bool:
        """Switch to a copy without lone surrogates, if there are any; return whether there were."""
        if self.halves:
            return False
        path = folder / "mended.json"
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as copy:
            path.unlink()
            written = 0
            for found in _ESCAPE.finditer(self._map):
                if found["half"] is not None:
                    copy.write(memoryview(self._map)[written : found.start()])
                    copy.write(_REPLACED)
                    written = found.end()
                    self.halves += 1
            if self.halves:
                copy.write(memoryview(self._map)[written:])
                copy.flush()
                self._map = mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)
        return bool(self.halves)
