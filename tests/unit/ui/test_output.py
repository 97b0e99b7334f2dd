"""What is written to a terminal arrives whole and in order, and is never waited for."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import resource
import threading
import tty
from typing import TYPE_CHECKING, Any

import pytest

from platui.ui.terminal.output import DirectOutput

if TYPE_CHECKING:
    from collections.abc import Iterator

MUCH = b"".join(b"%07d\n" % number for number in range(100_000))
MANY = 1500


@pytest.fixture
def line() -> Iterator[tuple[int, str]]:
    """Yield a terminal's other end, and the path of its device; what it takes is not changed."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    yield ours, os.ttyname(theirs)
    os.close(theirs)
    os.close(ours)


async def test_what_is_flushed_is_there(line: tuple[int, str]) -> None:
    """Without a turn of the loop, and in one piece."""
    ours, path = line
    output = DirectOutput(asyncio.get_running_loop(), path)
    for piece in (b"begin ", b"frame", b" end"):
        output.write(piece)
    output.flush()
    assert os.read(ours, 100) == b"begin frame end"
    output.close()


async def test_what_is_not_flushed_comes_all_the_same(line: tuple[int, str]) -> None:
    """At the next turn of the loop: not everybody who writes says when that was all."""
    ours, path = line
    output = DirectOutput(asyncio.get_running_loop(), path)
    output.write(b"bell")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert os.read(ours, 100) == b"bell"
    output.close()


async def test_a_line_that_stalls_holds_nobody_up(line: tuple[int, str]) -> None:
    """What it does not take is kept, in order; whoever asked is told once it has all of it."""
    ours, path = line
    output = DirectOutput(asyncio.get_running_loop(), path)
    output.write(MUCH)
    output.flush()
    assert output.is_behind
    clear = asyncio.Event()
    output.once_clear(clear.set)
    output.write(b"and more")
    output.flush()
    received = bytearray()
    while len(received) < len(MUCH) + len(b"and more"):
        # In a thread: there may be nothing yet, and the loop has to write it.
        received += await asyncio.to_thread(os.read, ours, 1 << 16)
    assert received == MUCH + b"and more"
    await clear.wait()
    assert not output.is_behind
    output.close()


async def test_closing_waits_for_the_last_byte(line: tuple[int, str]) -> None:
    """What gives the terminal back must not be lost behind a frame."""
    ours, path = line
    received = bytearray()

    def read() -> None:
        while len(received) < len(MUCH):
            received.extend(os.read(ours, 1 << 16))

    output = DirectOutput(asyncio.get_running_loop(), path)
    output.write(MUCH)
    output.flush()
    reader = threading.Thread(target=read)
    reader.start()
    output.close()
    reader.join()
    assert received == MUCH
    output.write(b"late")  # to nobody, and no other file that has its number by now
    output.flush()
    await asyncio.sleep(0)


async def test_closing_waits_however_many_files_are_open(
    line: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number above those that select() knows is no reason to leave a terminal as it is."""
    ours, path = line
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limits[1] != resource.RLIM_INFINITY and limits[1] <= MANY:
        pytest.skip("so many files may not be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], MANY + 1), limits[1]))
    opened = os.open

    def open_high(*arguments: Any) -> int:
        low = opened(*arguments)
        high = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, MANY)
        os.close(low)
        return high

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", open_high)
        output = DirectOutput(asyncio.get_running_loop(), path)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    received = bytearray()

    def read() -> None:
        while len(received) < len(MUCH):
            received.extend(os.read(ours, 1 << 16))

    output.write(MUCH)
    output.flush()
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    output.close()
    reader.join()
    assert received == MUCH


async def test_a_terminal_that_went_away_takes_anything() -> None:
    """There is nobody to be told of it."""
    ours, theirs = pty.openpty()
    output = DirectOutput(asyncio.get_running_loop(), os.ttyname(theirs))
    os.close(theirs)
    os.close(ours)
    output.write(MUCH)
    output.flush()
    assert not output.is_behind
    output.close()


def test_the_file_of_the_shell_stays_as_it_was(line: tuple[int, str]) -> None:
    """A program that is started from here, or the shell behind it, must find it waiting."""
    _, path = line
    shared = os.open(path, os.O_RDWR | os.O_NOCTTY)
    loop = asyncio.new_event_loop()
    output = DirectOutput(loop, path)
    assert os.get_blocking(shared)
    output.close()
    loop.close()
    os.close(shared)
