"""The request count is shared by processes, cleans itself, and is cheap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from platui.core.locks import lock
from platui.store.request_counter import FileRequestCounter

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000.0
ORIGIN = "https://h.example"


def ledger(folder: Path, user: str = "ada") -> FileRequestCounter:
    """Open the count as a process does."""
    return FileRequestCounter(folder, ORIGIN, user)


def the_file(folder: Path) -> Path:
    """Return the one count in the folder."""
    (path,) = folder.glob("*.times")
    return path


def test_requests_of_all_processes_count(tmp_path: Path) -> None:
    """Each sees the other's; those before the window don't count."""
    one, two = ledger(tmp_path), ledger(tmp_path)
    one.add(NOW - 61)
    one.add(NOW - 60)
    one.add(NOW - 30)
    two.add(NOW)
    assert one.count(NOW - 60, NOW) == two.count(NOW - 60, NOW) == 2
    assert two.count(NOW - 100, NOW) == 4
    assert two.count(NOW, NOW) == 0


def test_users_and_platforms_have_counts_of_their_own(tmp_path: Path) -> None:
    """The quota is per user of one platform (spec §8)."""
    ledger(tmp_path).add(NOW)
    assert ledger(tmp_path, "bob").count(0, NOW) == 0
    assert FileRequestCounter(tmp_path, "https://else.example", "ada").count(0, NOW) == 0
    assert ledger(tmp_path).count(0, NOW) == 1


def test_the_file_stays_small_and_right(tmp_path: Path) -> None:
    """An hour at full speed leaves two minutes at most, and the last minute exactly."""
    count = ledger(tmp_path)
    for number in range(36_000):
        count.add(NOW + number / 10)
    assert the_file(tmp_path).stat().st_size < 20_000
    last = NOW + 35_999 / 10
    assert count.count(last - 60, last) == 600


@pytest.mark.parametrize("requests", [3000, 20])
def test_times_from_a_clock_that_ran_ahead_go(tmp_path: Path, requests: int) -> None:
    """After a clock was set back, its old future must not block the budget, now or later."""
    count = ledger(tmp_path)
    for _ in range(requests):
        count.add(NOW + 3600)
    assert count.count(NOW - 60, NOW) == 0
    count.add(NOW)
    assert count.count(NOW - 60, NOW) == 1
    assert count.count(NOW + 3590, NOW + 3605) == 0


def test_clocks_that_differ_a_little_are_no_hindrance(tmp_path: Path) -> None:
    """What another process sent a moment ago may have the later time."""
    count = ledger(tmp_path)
    count.add(NOW + 1)
    count.add(NOW)
    assert count.count(NOW - 60, NOW) == 2


@pytest.mark.parametrize("damage", [b"x", b"\xff" * 8, b"junk" * 5001])
def test_a_damaged_file_counts_on(tmp_path: Path, damage: bytes) -> None:
    """Cut or foreign bytes shift nothing for long."""
    ledger(tmp_path).add(NOW)
    the_file(tmp_path).write_bytes(damage)
    count = ledger(tmp_path)
    for _ in range(10):
        count.add(NOW)
    assert count.count(NOW - 60, NOW) == 10


def test_a_removed_file_is_made_again(tmp_path: Path) -> None:
    """Somebody empties the cache folder: the processes meet again in a new file."""
    one, two = ledger(tmp_path), ledger(tmp_path)
    the_file(tmp_path).unlink()
    for count in (one, two, one, two):
        count.add(NOW)
    assert one.count(NOW - 60, NOW) == two.count(NOW - 60, NOW) == 2


@pytest.mark.parametrize("is_blocked", [False, True])
def test_a_removed_folder_is_made_again_or_the_process_counts_for_itself(
    tmp_path: Path, *, is_blocked: bool
) -> None:
    """No other file that takes the number of the closed one is written to."""
    folder = tmp_path / "requests"
    count = FileRequestCounter(folder, ORIGIN, "ada")
    shutil.rmtree(folder)
    if is_blocked:
        folder.write_text("")
    count.add(NOW)
    with (tmp_path / "other").open("wb+") as other:
        count.add(NOW)
        assert count.count(NOW - 60, NOW) == 1 + is_blocked  # the first went to the removed file
        count.close()
        assert other.read() == b""
    assert bool(count.problem) == is_blocked


def test_without_a_file_the_process_counts_for_itself(tmp_path: Path) -> None:
    """A folder that cannot be made: said once, and the own requests still count."""
    (tmp_path / "file").write_text("")
    count = FileRequestCounter(tmp_path / "file" / "x", ORIGIN, "ada")
    assert count.problem.startswith("The request count is not shared: ")
    for number in range(300):
        count.add(NOW + number)
    assert count.count(NOW + 239, NOW + 299) == 60


def test_a_stopped_process_holds_nobody_up(tmp_path: Path) -> None:
    """Its lock is waited for some milliseconds, then the request is noted without."""
    count = ledger(tmp_path)
    descriptor = os.open(the_file(tmp_path), os.O_RDWR)
    try:
        with lock(descriptor, 1) as got:
            assert got
            began = time.monotonic()
            count.add(NOW)
            assert count.count(NOW - 60, NOW) == 1
            assert time.monotonic() - began < 1
    finally:
        os.close(descriptor)


def test_counts_that_nobody_uses_are_removed(tmp_path: Path) -> None:
    """A day without a request: the file goes, others stay."""
    ledger(tmp_path).close()
    os.utime(the_file(tmp_path), (1, 1))
    ledger(tmp_path, "bob").close()
    assert ledger(tmp_path, "bob").count(0, NOW) == 0
    assert len(list(tmp_path.iterdir())) == 1


def test_the_file_is_private(tmp_path: Path) -> None:
    """Folder and file are for their owner."""
    ledger(tmp_path / "budget").add(NOW)
    assert (tmp_path / "budget").stat().st_mode & 0o777 == 0o700
    assert the_file(tmp_path / "budget").stat().st_mode & 0o777 == 0o600


def test_processes_lose_no_request(tmp_path: Path) -> None:
    """Three processes add at once, and one of them cleans first.

    Each waits for its turn here: a dashboard has a keypress to answer, and notes a request without
    the lock where another process was stopped amid its cleaning.
    """
    count = ledger(tmp_path)
    for _ in range(3000):
        count.add(NOW - 1000)
    code = """
import sys
from pathlib import Path
from platui.store import request_counter as module
module._PATIENCE = 60.0
ledger = module.FileRequestCounter(Path(sys.argv[1]), "https://h.example", "ada")
for number in range(300):
    ledger.add(1_800_000_000.0)
"""
    running = [subprocess.Popen([sys.executable, "-c", code, tmp_path]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert count.count(NOW - 60, NOW) == 900
    assert the_file(tmp_path).stat().st_size == 900 * 8


def test_a_call_is_cheap(tmp_path: Path) -> None:
    """It is made for every request, on the event loop: under 0.3 ms with a full minute in it."""
    count = ledger(tmp_path)
    for number in range(600):
        count.add(NOW + number / 10)
    took = []
    for _ in range(50):
        began = time.perf_counter()
        count.add(NOW + 60)
        count.count(NOW, NOW + 60)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.0006
