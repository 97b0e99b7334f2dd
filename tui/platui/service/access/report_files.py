"""Read reports from user files or standard input (spec §4.2)."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from platui.core.dataclass import dataclass
from platui.core.errors import FileReadError
from platui.core.text import clean, shorten
from platui.service.access.intake import Intake
from platui.service.access.spool import open_part, part_path
from platui.service.cancellation import in_thread
from platui.service.files.whole_file import not_written

_PIECE: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"
_FAULTS: Final = (EOFError, zlib.error, gzip.BadGzipFile)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """The JSON of a report file, valid within `opened_file`."""

    text: Path  # the file itself, or its unpacked copy
    name: str  # sanitized text
    changed_at: datetime  # modification time (UTC), the best guess of the fetch time
    digest: str  # SHA-256 of the JSON, hexadecimal


@contextmanager
def piped_file(
    stream: BinaryIO, folder: Path, on_progress: Callable[[int], None] = lambda _: None
) -> Iterator[Path]:
    """Write a pipe to a temporary file for the block; `on_progress` gets the bytes so far.

    Raises FileReadError: not readable. ReportError: it cannot be a report.
    """
    path = part_path(folder)
    try:
        try:
            with open_part(path) as file:
                size = 0
                intake: Intake | None = Intake()
                while piece := _piece(stream):
                    if not size and piece.startswith(_GZIP):
                        intake = None  # It is checked when it is unpacked
                    size += len(piece)
                    if intake is not None:
                        intake.take(piece, size)
                    file.write(piece)
                    on_progress(size)
        except OSError as error:
            raise not_written(folder, error) from None
        yield path
    finally:
        path.unlink(missing_ok=True)


def _piece(stream: BinaryIO) -> bytes:
    try:
        return stream.read(_PIECE)
    except OSError as error:
        why = shorten(error.strerror or type(error).__name__, 80)
        raise FileReadError(f"Standard input cannot be read ({why}).") from None


@asynccontextmanager
async def opened_file(path: Path, folder: Path) -> AsyncIterator[ReportFile]:
    """Prepare a report file, unpacking gzip beside the reports.

    Raises FileReadError: not readable, or damaged. ReportError: it cannot be a report.
    """
    unpacked = part_path(folder)
    try:
        yield await in_thread(partial(_prepare, path, unpacked), lambda _: None)
    finally:
        with suppress(OSError):
            unpacked.unlink(missing_ok=True)


def _prepare(path: Path, unpacked: Path, report: Callable[[int], None]) -> ReportFile:
    try:
        if not path.is_file():
            why = "Not a file" if path.exists() else "File not found"
            raise FileReadError(f"{why}: {_shown(path)}")
        with path.open("rb") as file:
            at = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
            packed = file.read(len(_GZIP)) == _GZIP
            file.seek(0)
            if packed:
                digest = _unpack(path, file, unpacked, report)
            else:
                digest = _digest(_checked(file), report)
    except OSError as error:
        raise _unreadable(path, error) from None
    name = shorten(clean(path.name), 120)
    return ReportFile(unpacked if packed else path, name, at, digest)


def _checked(file: BinaryIO) -> Iterator[bytes]:
    intake = Intake()
    while piece := file.read(_PIECE):
        intake.take(piece, file.tell())
        yield piece


def _unpack(path: Path, file: BinaryIO, target: Path, report: Callable[[int], None]) -> str:
    try:
        with open_part(target) as out, gzip.GzipFile(fileobj=file) as packed:
            return _digest(_unpacked(path, file, packed, out), report)
    except OSError as error:  # read errors are already converted
        raise not_written(target.parent, error) from None


def _unpacked(path: Path, file: BinaryIO, packed: gzip.GzipFile, out: BinaryIO) -> Iterator[bytes]:
    intake = Intake()
    while piece := _packed_piece(path, packed):
        intake.take(piece, file.tell())
        out.write(piece)
        yield piece


def _packed_piece(path: Path, packed: gzip.GzipFile) -> bytes:
    try:
        return packed.read(_PIECE)
    except _FAULTS as error:
        raise FileReadError(
            f"Damaged gzip file ({shorten(str(error), 80)}): {_shown(path)}"
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None


def _digest(pieces: Iterator[bytes], report: Callable[[int], None]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        report(len(piece))
        digest.update(piece)
    return digest.hexdigest()


def _unreadable(path: Path, error: OSError) -> FileReadError:
    why = shorten(error.strerror or type(error).__name__, 80)
    return FileReadError(f"Cannot read {_shown(path)}: {why}")


def _shown(path: Path) -> str:
    return shorten(str(path), 200)
