"""Long logs as files: whole or not there, private, bounded, shared by processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock

from platui.core.open_file import OpenFile
from platui.store.cache import EntryKey
from platui.store.logs import MAX_CACHED_LOG, LogFiles, log_name
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOG = b"".join(b"line %d\n" % number for number in range(1000))
NAME = EntryKey("https://h.example", "abc", "group/name 7")
ROOM = 1_000_000


@pytest.fixture
def files(tmp_path: Path) -> LogFiles:
    """Return files in a folder that is not there yet."""
    return LogFiles(tmp_path / "cache" / "logs")


def put(files: LogFiles, name: EntryKey = NAME, log: bytes = LOG, cap: int = ROOM) -> None:
    """Keep a log that comes in pieces."""
    files.put(name, len(log), [log[:100], log[100:]], cap)


def content(stored: OpenFile | None) -> bytes | None:
    """Return all bytes of a log that is kept."""
    return None if stored is None else stored.read(0, stored.size)


def paths(tmp_path: Path) -> list[Path]:
    """Return every file below the folder."""
    return [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_a_log_comes_back_for_whom_it_was_kept(files: LogFiles) -> None:
    """Another platform, credential or job finds nothing under the same name."""
    put(files)
    assert content(files.get(NAME)) == LOG
    for other in (
        NAME._replace(origin="https://i.example"),
        NAME._replace(fingerprint="xyz"),
        NAME._replace(name="group/name 8"),
    ):
        assert files.get(other) is None
    files.forget(NAME)
    assert files.get(NAME) is None
    assert files.size() == 0


def test_names_from_outside_lead_nowhere_else(files: LogFiles, tmp_path: Path) -> None:
    """Paths, NULs, surrogates and very long names are names like any other."""
    odd = [EntryKey("../..", "/", f"{part} 1") for part in ("../x", "\0", "\ud800", "x" * 5000)]
    for name in odd:
        put(files, name)
        assert content(files.get(name)) == LOG
    assert len(paths(tmp_path)) == len(odd)
    assert {path.stat().st_mode & 0o777 for path in paths(tmp_path)} == {0o600}
    folders = [path for path in (tmp_path / "cache").rglob("*") if path.is_dir()]
    assert {path.stat().st_mode & 0o777 for path in folders} <= {0o700, 0o755}


@pytest.mark.parametrize("length", [0, 10, 63, 64, 100])
def test_a_file_that_was_cut_is_not_there(files: LogFiles, tmp_path: Path, length: int) -> None:
    """Half a log is worse than none, and is let go."""
    put(files)
    os.truncate(paths(tmp_path)[0], length)
    assert files.get(NAME) is None
    assert paths(tmp_path) == []


def test_a_file_of_something_else_is_not_there(files: LogFiles, tmp_path: Path) -> None:
    """Only what begins as ours do is a log."""
    put(files)
    paths(tmp_path)[0].write_bytes(b"x" * 2000)
    assert files.get(NAME) is None


def test_a_log_that_is_read_outlives_its_name(files: LogFiles, tmp_path: Path) -> None:
    """Another process may make room; who reads the file goes on reading."""
    put(files)
    stored = files.get(NAME)
    for path in paths(tmp_path):
        path.unlink()
    assert content(stored) == LOG
    assert files.get(NAME) is None


def test_the_logs_unused_for_longest_leave(files: LogFiles, tmp_path: Path) -> None:
    """What was read lately stays within the cap; what is larger than the cap is not kept."""
    cap = 3 * (len(LOG) + 64)
    for number in range(3):
        put(files, NAME._replace(name=str(number)), cap=cap)
    for age, path in enumerate(sorted(paths(tmp_path), key=lambda path: path.stat().st_ctime_ns)):
        os.utime(path, (1_000_000 + age, 1_000_000 + age))
    assert files.get(NAME._replace(name="0")) is not None
    put(files, NAME._replace(name="3"), cap=cap)
    kept = [number for number in range(4) if files.get(NAME._replace(name=str(number)))]
    assert kept == [0, 2, 3]
    put(files, NAME._replace(name="3"), log=LOG * 4, cap=cap)
    assert files.get(NAME._replace(name="3")) is None


def test_what_a_process_left_half_written_goes(files: LogFiles, tmp_path: Path) -> None:
    """After a while: another process may be at it."""
    put(files)
    left = paths(tmp_path)[0].with_name(".some.log.0123")
    left.write_bytes(b"half")
    files.trim(ROOM)
    assert left.exists()
    os.utime(left, (1_000_000, 1_000_000))
    files.trim(ROOM)
    assert not left.exists()
    assert files.get(NAME) is not None


def test_a_full_disk_keeps_nothing_and_says_nothing(files: LogFiles, tmp_path: Path) -> None:
    """Neither half a log nor a file that was being written stays."""

    def pieces() -> Iterator[bytes]:
        yield LOG[:100]
        raise OSError(28, "No space left on device")

    assert files.put(NAME, len(LOG), pieces(), ROOM) is None
    assert files.put(NAME, len(LOG), [LOG[:-1]], ROOM) is None, "bytes are missing"
    assert paths(tmp_path) == []
    blocked = LogFiles(tmp_path / "file" / "logs")
    (tmp_path / "file").write_text("no folder")
    assert blocked.put(NAME, len(LOG), [LOG], ROOM) is None
    assert (blocked.get(NAME), blocked.size()) == (None, 0)


def test_long_logs_lie_in_files_and_share_the_cap(tmp_path: Path) -> None:
    """A short one is packed; a long one is read where it lies, and all stays within the cap."""
    cap = 4 * MAX_CACHED_LOG
    store = PageStore(tmp_path / "cache" / "pages.db", cap, FakeClock())
    long = os.urandom(MAX_CACHED_LOG + 1)
    try:
        for job in range(6):
            store.put_log(log_name("o", "f", 1, job), len(long), [long])
        store.put_log(log_name("o", "f", 1, 100), 3, [b"log"])
        assert store.get_log(log_name("o", "f", 1, 100)) == b"log"
        kept = [
            job
            for job in range(6)
            if isinstance(store.get_log(log_name("o", "f", 1, job)), OpenFile)
        ]
        assert kept == [3, 4, 5]
        assert store.size() <= cap
        store.forget_logs("other")
        assert store.get_log(log_name("o", "f", 1, 5)) is not None
        store.forget_logs("o")
        assert store.get_log(log_name("o", "f", 1, 5)) is None
        store.put_log(log_name("o", "f", 1, 1), len(long), [long])
        store.forget_logs()
        assert store.size() == 0
    finally:
        store.close()


def test_without_a_disk_long_logs_are_not_kept() -> None:
    """Memory is for what is on the screen."""
    store = PageStore(None, 100 * MAX_CACHED_LOG, FakeClock())
    long = bytes(MAX_CACHED_LOG + 1)
    assert store.put_log(log_name("o", "f", 1, 1), len(long), [long]) is None
    assert store.get_log(log_name("o", "f", 1, 1)) is None
    store.close()


def test_an_open_file_goes_with_who_holds_it(tmp_path: Path) -> None:
    """Its descriptor is closed when nobody reads it any more, and not before."""
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    file = OpenFile.open(path)
    number = os.open(path, os.O_RDONLY)
    os.close(number)
    file.skip(2)
    assert (file.size, file.read(0, 3), file.read(6, 100)) == (8, b"234", b"89")
    descriptor = number - 1
    assert os.fstat(descriptor).st_ino == path.stat().st_ino
    del file
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(descriptor)
