"""Archives of jobs: listed, read and saved within bounds, whatever is in them."""

from __future__ import annotations

import asyncio
import errno
import io
import struct
import tempfile
import threading
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from platui.core.errors import (
    FileWriteError,
    InvalidResponseError,
    NotFoundError,
    NotSupportedError,
    PlatuiError,
)
from platui.models.values.feeds import Progress
from platui.service.files import archives, whole_file
from platui.service.files.archives import JobArchive
from platui.ui.dialogs.save import archive_file_dialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from platui.service.files.downloading import Downloads


def zipped(**files: bytes) -> io.BytesIO:
    """Return an archive with these files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file


def test_files_are_listed_and_read() -> None:
    """With the size they have when decompressed; folders are not listed."""
    archive = JobArchive(zipped(**{"a/": b"", "a/b.txt": b"x" * 1000, "c": b""}))
    assert [(one.name, one.size) for one in archive.entries] == [("a/b.txt", 1000), ("c", 0)]
    assert archive.read("a/b.txt") == b"x" * 1000
    with pytest.raises(NotFoundError):
        archive.read("../c")


@pytest.mark.parametrize("empty", ["", "\0a"])
def test_a_name_may_be_empty_or_begin_with_nul(empty: str) -> None:
    """Such an entry is not listed; the others are."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in (empty, "b"):
            archive.writestr(zipfile.ZipInfo(name), b"text")
    assert [one.name for one in JobArchive(file).entries] == ["b"]


def test_a_file_is_saved_where_the_user_says(tmp_path: Path) -> None:
    """A name with `..` chooses no folder; an existing file is not replaced."""
    archive = JobArchive(zipped(**{"../../evil": b"1"}))
    [entry] = archive.entries
    assert archive.save(entry.name, tmp_path / "here") == 1
    assert [one.name for one in tmp_path.iterdir()] == ["here"]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + b"\1" * 18])
def test_what_is_no_archive_is_said(content: bytes) -> None:
    """Also an archive that was cut."""
    with pytest.raises(InvalidResponseError):
        JobArchive(io.BytesIO(content))


def test_damage_in_a_file_is_said() -> None:
    """Only that file is lost."""
    file = zipped(a=b"some text that is compressed" * 9, b=b"b")
    data = bytearray(file.getvalue())
    data[40:50] = b"\xff" * 10
    archive = JobArchive(io.BytesIO(bytes(data)))
    with pytest.raises(InvalidResponseError):
        archive.read("a")
    assert archive.read("b") == b"b"


def test_an_offset_before_the_file_is_damage(tmp_path: Path) -> None:
    """A file cannot seek there, and says so with an error of the disk."""
    path = tmp_path / "a.zip"
    data = bytearray(zipped(a=b"text").getvalue())
    end = data.rindex(b"PK\x05\x06")
    data[end + 16 : end + 20] = struct.pack("<L", 1 << 30)
    path.write_bytes(data)
    with path.open("rb") as file, pytest.raises(InvalidResponseError):
        JobArchive(file).read("a")


def test_an_error_of_the_target_is_no_damage(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Some file systems refuse a write with the error of an impossible offset."""

    class Refusing(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(whole_file, "open_new", lambda _: Refusing())
    with pytest.raises(FileWriteError, match=r"Cannot write .*: Invalid argument"):
        JobArchive(zipped(a=b"text")).save("a", tmp_path / "a")


def test_bounds_hold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of the number of files, of the list of files, and of what is decompressed."""
    monkeypatch.setattr(archives, "MOST_LISTED", 2)
    archive = JobArchive(zipped(a=b"", b=b"", c=b"x" * 100))
    assert (len(archive.entries), archive.total) == (2, 3)
    monkeypatch.setattr(archives, "_LARGEST_SHOWN", 99)
    with pytest.raises(NotSupportedError):
        archive.read("c")
    assert archive.save("c", tmp_path / "c") == 100
    monkeypatch.setattr(archives, "_LARGEST_INDEX", 9)
    with pytest.raises(InvalidResponseError):
        JobArchive(zipped(a=b""))


def test_what_decompresses_without_a_limit_is_refused() -> None:
    """A few bytes of bzip2 may be a gigabyte, held at once."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a", b"x" * 1000)
    with pytest.raises(InvalidResponseError):
        JobArchive(file).read("a")


def test_the_largest_list_of_files_counts() -> None:
    """A comment may hold another end, which declares a small one."""
    ends = b"".join(b"PK\x06\x06" + bytes(36) + struct.pack("<Q", size) for size in (9**9, 60))
    with pytest.raises(InvalidResponseError, match="too many files"):
        JobArchive(io.BytesIO(ends))


def test_a_file_is_not_saved_if_its_report_stops_it(tmp_path: Path) -> None:
    """Complete or not at all; what is there stays."""
    archive = JobArchive(zipped(a=b"new"))
    target = tmp_path / "here"
    target.write_text("mine")
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        archive.save("a", target, replace=True, report=stop)
    assert seen == [(3, 3)]
    assert (target.read_text(), [one.name for one in tmp_path.iterdir()]) == ("mine", ["here"])


async def test_a_save_that_is_stopped_saves_nothing(tmp_path: Path) -> None:
    """As the dialog says; the thread that writes it hears of it."""
    begun, ended = threading.Event(), threading.Event()

    class Slow:
        """An archive with a large file."""

        def save(self, _: str, __: Path, *, report: Callable[[Progress], None], **___: Any) -> int:
            """Write until it is stopped."""
            begun.set()
            try:
                for size in range(3_000):
                    report(Progress(size, 3_000))
                    time.sleep(0.01)
            finally:
                ended.set()
            return 3_000

    dialog = archive_file_dialog(cast("JobArchive", Slow()), "large.bin")
    [form] = dialog._formats
    writing = asyncio.ensure_future(form.write(tmp_path / "x", dialog.note, replace=False))
    assert await asyncio.to_thread(begun.wait, 10.0)
    writing.cancel()
    await asyncio.wait([writing])
    assert await asyncio.to_thread(ended.wait, 10.0)


async def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the file then fails, too: it writes what is left."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")

    class Platform:
        """Sends a few bytes, which stay in the buffer until it is full."""

        async def fill(self, _: int, __: int, file: IO[bytes], ___: object) -> None:
            """Write them."""
            for _piece in range(10_000):
                file.write(b"x" * 1_000)

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: full.open("wb"))
    kept = archives.Archives(cast("Downloads", Platform()))
    with pytest.raises(PlatuiError, match="Cannot store the archive: No space left"):
        await kept.open(1, 1, lambda _: None)


async def test_the_archive_that_was_opened_last_stays_open() -> None:
    """Others are closed, however often this one is opened again: each has a file of its size."""

    class Platform:
        """Sends an archive for each job."""

        async def fill(self, _: int, job: int, file: IO[bytes], __: object) -> None:
            """Write it."""
            file.write(zipped(a=b"%d" % job).getvalue())

    kept = archives.Archives(cast("Downloads", Platform()))
    first, second = [await kept.open(1, job, lambda _: None) for job in (1, 2)]
    for job in (3, 4):
        assert await kept.open(1, 1, lambda _: None) is first
        await kept.open(1, job, lambda _: None)
    assert first.read("a") == b"1"
    with pytest.raises(InvalidResponseError):
        second.read("a")
    kept.close()
