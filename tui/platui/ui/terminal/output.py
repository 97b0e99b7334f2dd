"""Non-blocking output to the terminal."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import asyncio


class DirectOutput:
    """A second descriptor of the terminal: O_NONBLOCK on the first would stay set for the shell."""

    def __init__(self, loop: asyncio.AbstractEventLoop, path: str) -> None:
        """Open the terminal device. Raises OSError if that is not allowed, as after `su`."""
        self._loop = loop
        self._fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        self._pending = bytearray()
        self._flushes = False  # Whether a write is scheduled in the loop
        self.is_behind = False  # Whether output is pending
        self._once_clear: dict[Callable[[], object], None] = {}
        self._gone = False

    def once_clear(self, call: Callable[[], object]) -> None:
        """Call a function when all output is written; each function only once."""
        self._once_clear[call] = None

    def write(self, data: bytes) -> None:
        """Write in the next iteration of the loop, or at `flush`."""
        self._pending += data
        if not self._flushes:
            self._flushes = True
            self._loop.call_soon(self._soon)

    def flush(self) -> None:
        """Write as much as the terminal accepts now."""
        if not self.is_behind and self._put():
            self.is_behind = True
            self._loop.add_writer(self._fd, self._more)

    def close(self) -> None:
        """Write the rest, waiting for the terminal, and close it."""
        if self.is_behind:
            self._loop.remove_writer(self._fd)
        room = select.poll()  # select() is limited to descriptors below 1024
        room.register(self._fd, select.POLLOUT)
        while self._put():
            room.poll()
        self._gone = True
        self._once_clear.clear()
        os.close(self._fd)

    def _soon(self) -> None:
        self._flushes = False
        self.flush()

    def _more(self) -> None:
        if self._put():
            return
        self._loop.remove_writer(self._fd)
        self.is_behind = False
        calls, self._once_clear = self._once_clear, {}
        for call in calls:
            call()

    def _put(self) -> bool:
        while self._pending and not self._gone:
            try:
                written = os.write(self._fd, self._pending)
            except (BlockingIOError, InterruptedError):
                return True
            except OSError:
                self._gone = True
            else:
                del self._pending[:written]
        self._pending.clear()
        return False


class HangupSafeFile:
    """A terminal as a file; output after a hangup is dropped."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._gone = False

    def write(self, text: str) -> int:
        if not self._gone:
            try:
                return self._file.write(text)
            except OSError:
                self._gone = True
        return len(text)

    def flush(self) -> None:
        if not self._gone:
            try:
                self._file.flush()
            except OSError:
                self._gone = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
