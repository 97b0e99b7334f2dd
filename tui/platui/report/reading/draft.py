"""A request to read a report; its draft folder with texts, renamed to the final one at the end."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from platui.core.dataclass import dataclass
from platui.core.errors import ReportError
from platui.core.locks import acquire
from platui.core.text import REPLACEMENT, clean
from platui.report.arrays import FIELD_END, NULL, array_path

if TYPE_CHECKING:
    Content = bytes | bytearray | memoryview | array[int]

_END: Final = ".draft"  # Not `.part`, which downloads in the same folder use


def draft_path(final: Path) -> Path:
    return final.with_name(f".{final.name}{_END}")


class Draft:
    """A folder locked for this process; the lock ends with the process."""

    def __init__(self, final: Path) -> None:
        """Create the folder. Raises ReportError: another process has it; OSError: not writable."""
        self._final = final
        self.folder = draft_path(final)
        final.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(final.parent):
            sweep_drafts(final.parent)
            if not remove_unused(self.folder):
                raise ReportError(
                    f"Another process is reading the report {final.name}.", is_of_text=False
                )
            self.folder.mkdir(mode=0o700)
            self._lock = _locked(self.folder)

    def file(self, name: str) -> BinaryIO:
        """Create a file for an array, to be written in pieces. Raises OSError."""
        return _new(array_path(self.folder, name))

    def put(self, name: str, content: Content) -> None:
        """Write an array, without changing an existing map of that name. Raises OSError."""
        self.put_file(array_path(self.folder, name), content)

    def put_file(self, path: Path, content: Content) -> None:
        new = path.with_suffix(".new")
        with _new(new) as file:
            file.write(content)
        new.replace(path)

    def finish(self) -> None:
        """Rename to the final folder, replacing an existing one. Raises OSError."""
        old = self._final.with_name(f".{self._final.name}.old{_END}")
        if self._final.exists():
            _clear(old)
            self._final.rename(old)
        self.folder.rename(self._final)
        _clear(old)
        self._release()

    def discard(self) -> None:
        _clear(self.folder)
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def sweep_drafts(parent: Path) -> None:
    """Delete the drafts of killed processes in a folder of reports."""
    for folder in parent.glob(f".*{_END}"):
        with suppress(OSError):  # deleted by another process, or not ours
            remove_unused(folder)


def remove_unused(folder: Path) -> bool:
    """Delete the draft of a killed process; return False for one in use, which stays."""
    if not folder.exists():
        return True
    lock = _locked(folder)
    if lock is None:
        return False
    try:
        _clear(folder)
    finally:
        os.close(lock)
    return not folder.exists()


def _clear(folder: Path) -> None:
    with suppress(OSError):
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


@contextmanager
def _alone(parent: Path) -> Iterator[None]:
    """Block other processes that would delete a draft without a lock."""
    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _locked(folder: Path) -> int | None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    if acquire(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _new(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    return os.fdopen(os.open(path, flags, 0o600), "wb")


LINE_END: Final = "\n"


class Texts:
    """The texts of people or places: text and fold in `ReportArrays`."""

    def __init__(self, draft: Draft, kind: str) -> None:
        self._draft = draft
        self._kind = kind
        self._text = draft.file(f"{kind}_text")
        self._fold = draft.file(f"{kind}_fold")
        self._text_at = array("Q", [0])
        self._fold_at = array("Q", [0])

    def close(self) -> None:
        self._text.close()
        self._fold.close()

    def add(self, rows: Iterable[Sequence[str]]) -> None:
        """Write the texts of more rows. Raises OSError."""
        kept = list(rows)
        self._text.write(_joined(map(_as_it_is, kept), self._text_at))
        self._fold.write(_joined(map(_as_searched, kept), self._fold_at))

    def restart(self) -> None:
        for file, at in ((self._text, self._text_at), (self._fold, self._fold_at)):
            file.seek(0)
            file.truncate()
            del at[1:]

    def flush(self) -> None:
        """Flush texts and row starts; files only grow, so maps stay valid. Raises OSError."""
        self._text.flush()
        self._fold.flush()
        self._draft.put(f"{self._kind}_at", self._text_at)
        self._draft.put(f"{self._kind}_fold_at", self._fold_at)


def text_or_empty(text: str | None) -> str:
    """Return a text that is not the null marker; empty for null."""
    return REPLACEMENT if text == NULL else text or ""


def _joined(lines: Iterable[str], ends: array[int]) -> bytes:
    """Return concatenated lines; append their ends to `ends`."""
    encoded = [line.encode() for line in lines]
    ends.extend(islice(accumulate(map(len, encoded), initial=ends[-1]), 1, None))
    return b"".join(encoded)


def _as_it_is(row: Sequence[str]) -> str:
    joined = FIELD_END.join(row) + FIELD_END
    if joined.count(FIELD_END) == len(row):
        return joined
    return FIELD_END.join(field.replace(FIELD_END, REPLACEMENT) for field in row) + FIELD_END


def _as_searched(row: Sequence[str]) -> str:
    whole = "".join(row)
    if whole.isascii() and whole.isprintable():  # most are, and `clean` would not change them
        return f"{FIELD_END.join(row).lower()}{FIELD_END}{LINE_END}"
    folded = [field if field == NULL else clean(field).casefold() for field in row]
    return f"{FIELD_END.join(folded)}{FIELD_END}{LINE_END}"


class Numbers(dict[str, int]):
    """The number of each text as written; `shown` has the numbers by normalized text."""

    def __init__(
        self, normalize: Callable[[str], str], most: int = sys.maxsize, many: str = ""
    ) -> None:
        """Number at most `most` texts; `many` is the error message for more."""
        super().__init__()
        self.shown: dict[str, int] = {}
        self._normalize = normalize
        self._most = most
        self._many = many

    def __missing__(self, written: str) -> int:
        text = self._normalize(written)
        if text not in self.shown and len(self.shown) == self._most:
            raise ReportError(self._many)
        self[written] = number = self.shown.setdefault(text, len(self.shown))
        return number


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A report to read."""

    spool: Path  # The JSON file
    folder: Path  # Target folder; its name is the report's id
    fetched_at: datetime  # End of the download (UTC)
    origin: str  # Host or file name; clean text
    digest: str  # SHA-256 of the JSON, hexadecimal
    etag: str = ""

    def line(self) -> bytes:
        return json.dumps(asdict(self), default=str).encode() + b"\n"

    @classmethod
    def of(cls, line: bytes) -> ReadRequest:
        plain = json.loads(line)
        plain |= {
            "spool": Path(plain["spool"]),
            "folder": Path(plain["folder"]),
            "fetched_at": datetime.fromisoformat(plain["fetched_at"]),
        }
        return cls(**plain)
