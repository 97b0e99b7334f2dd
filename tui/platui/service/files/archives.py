"""Browse the artifacts archive of a job: download it, list its files, read and save one."""

from __future__ import annotations

import asyncio
import errno
import io
import re
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice, starmap
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from platui.core.errors import (
    MISSING,
    InvalidResponseError,
    NotFoundError,
    NotSupportedError,
    PlatuiError,
)
from platui.models.values.feeds import Progress
from platui.models.values.files import ArchiveEntry
from platui.service.files.whole_file import whole_file

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.service.files.downloading import Downloads

MOST_LISTED: Final = 10_000  # Files of an archive
_LARGEST: Final = 500_000_000  # Bytes of an archive; temporary files may be in memory
_LARGEST_INDEX: Final = 8_000_000  # Bytes of the list of files: about 100,000 files
_LARGEST_SHOWN: Final = 20_000_000  # Bytes of a file, decompressed
_LARGEST_SAVED: Final = 20_000_000_000
_KEPT: Final = 3  # Archives, of which one is shown: each has a file of its size
_CHUNK: Final = 1 << 18

# The end of the list of files, of zip and of zip64: offset and format of its size in bytes
_ENDS: Final = ((b"PK\x05\x06", 12, "<L"), (b"PK\x06\x06", 40, "<Q"))
_END_WITHIN: Final = 66_000  # Bytes from the end: a comment of 64 KiB may follow

_BOUNDED: Final = frozenset({ZIP_STORED, ZIP_DEFLATED})  # Others decompress without a limit
_BROKEN: Final = (BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError, ValueError)


class JobArchive:
    """An archive in a temporary file; its methods block, so call them in a thread."""

    def __init__(self, file: IO[bytes]) -> None:
        """Read the list of files. Raises InvalidResponseError: no zip archive, or too many."""
        self._file = file
        if _index_size(file) > _LARGEST_INDEX:
            raise InvalidResponseError("The archive has too many files to list.", hint=_SAVE)
        try:
            self._zip = ZipFile(file)
        except (*_BROKEN, OSError) as error:
            raise _unreadable(error) from None
        # Of equal names, the last one is read. Folders end in "/"; a damaged name may be empty.
        sizes = {one.filename: one.file_size for one in self._zip.infolist()}
        sizes = {name: size for name, size in sizes.items() if name and not name.endswith("/")}
        self.total = len(sizes)
        self.entries = tuple(starmap(ArchiveEntry, islice(sizes.items(), MOST_LISTED)))

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises PlatuiError: missing, damaged or too large."""
        content = io.BytesIO()
        self._copy(name, content, _LARGEST_SHOWN)
        return content.getvalue()

    def save(
        self,
        name: str,
        target: Path,
        *,
        replace: bool = False,
        report: Callable[[Progress], None] = lambda _: None,
    ) -> int:
        """Save a file, complete or not at all; return its bytes. `report` may raise to stop it."""
        with whole_file(target, replace=replace) as file:
            return self._copy(name, file, _LARGEST_SAVED, report)

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    def _copy(
        self,
        name: str,
        to: IO[bytes],
        most: int,
        report: Callable[[Progress], None] = lambda _: None,
    ) -> int:
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            raise NotFoundError("This file is not in the archive.", status=404, hint="") from None
        if info.file_size > most:
            raise NotSupportedError(
                f"The file is larger than {most // 1_000_000:,} MB.", hint=_SAVE
            )
        if info.compress_type not in _BOUNDED:
            raise _damaged()
        size = 0
        for piece in self._content(info):
            size += to.write(piece)
            report(Progress(size, info.file_size))
        return size

    def _content(self, info: ZipInfo) -> Iterator[bytes]:
        """Yield a file in pieces, no more than its listed size. Raises InvalidResponseError."""
        try:
            with self._zip.open(info) as file:
                while chunk := file.read(_CHUNK):
                    yield chunk
        except (*_BROKEN, OSError) as error:
            raise _unreadable(error) from None


class Archives:
    """The archives that were browsed last, in temporary files without names."""

    def __init__(self, downloads: Downloads) -> None:
        self._downloads = downloads
        self._open: dict[tuple[ProjectRef, int], JobArchive] = {}

    async def open(
        self, project: ProjectRef, job: int, on_progress: Callable[[Progress], None]
    ) -> JobArchive:
        """Return the archive of a job, downloaded once. Raises PlatuiError."""
        if (known := self._open.pop((project, job), None)) is not None:
            self._open[project, job] = known  # now the newest: what is shown is not closed
            return known

        def check(progress: Progress) -> None:
            if max(progress.received, progress.total or 0) > _LARGEST:
                most = _LARGEST // 1_000_000
                raise NotSupportedError(f"The archive is larger than {most} MB.", hint=_SAVE)
            on_progress(progress)

        try:
            archive = await self._download(project, job, check)
        except MISSING:
            raise NotSupportedError(
                "This job has no archive of artifacts.",
                hint="It may have expired, or the platform does not support it.",
            ) from None
        except OSError as error:
            raise PlatuiError(f"Cannot store the archive: {error.strerror}") from None
        self._open[project, job] = archive
        while len(self._open) > _KEPT:
            self._open.pop(next(iter(self._open))).close()
        return archive

    async def _download(
        self, project: ProjectRef, job: int, check: Callable[[Progress], None]
    ) -> JobArchive:
        file = tempfile.TemporaryFile(prefix="platui-")  # noqa: SIM115  (kept open)
        try:
            await self._downloads.fill(project, job, file, check)
            return await asyncio.to_thread(JobArchive, file)
        except BaseException:
            # Closing writes what is buffered, and fails, too, if the disk is full.
            with suppress(OSError):
                file.close()
            raise

    def close(self) -> None:
        for archive in self._open.values():
            archive.close()
        self._open.clear()


_SAVE: Final = "Save the archive from the log of its job, or with platui artifacts --save."


def _damaged() -> InvalidResponseError:
    sentence = "The archive is damaged, encrypted or compressed in an unsupported way."
    return InvalidResponseError(sentence, hint=_SAVE)


def _unreadable(error: Exception) -> Exception:
    """Return the error to raise: the archive is damaged, unless the disk failed."""
    # EINVAL: the archive names an offset before the file.
    is_of_disk = isinstance(error, OSError) and error.errno != errno.EINVAL
    return error if is_of_disk else _damaged()


def _index_size(file: IO[bytes]) -> int:
    """Return the largest size that the end of an archive declares for its list of files."""
    start = max(0, file.seek(0, io.SEEK_END) - _END_WITHIN)
    file.seek(start)
    tail = file.read()
    sizes = [0]
    for sign, offset, form in _ENDS:
        # A comment may hold another sign: the largest size counts.
        for found in re.finditer(re.escape(sign), tail):
            at = found.start() + offset
            field = tail[at : at + struct.calcsize(form)]
            if len(field) == struct.calcsize(form):
                sizes.append(struct.unpack(form, field)[0])
    return max(sizes)
