"""Output to the terminal: written by the event loop without waiting."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from typing import TextIO


class DirectOutput:
    """A terminal, opened once more so that writing to it need not wait.

    Textual's thread takes as long to wake up as the frame to write. What a slow terminal does not
    take is kept. A second descriptor: O_NONBLOCK on the first would stay for the shell.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, path: str) -> None:
        """Open the terminal's device. Raises OSError where it is not ours, as after `su`."""
        self._loop = loop
        self._fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        self._pending = bytearray()
        self._flushes = False
        """Whether a write is scheduled in the loop."""
        self.is_behind = False  # Whether output is still pending
        self._once_clear: dict[Callable[[], object], None] = {}
        self._gone = False

    def once_clear(self, call: Callable[[], object]) -> None:
        """Call a function once everything is written; each function only once."""
        self._once_clear[call] = None

    def write(self, data: bytes) -> None:
        """Write at the next turn of the loop, unless flushed before."""
        self._pending += data
        if not self._flushes:
            self._flushes = True
            self._loop.call_soon(self._soon)

    def flush(self) -> None:
        """Write as much as the terminal takes now."""
        if not self.is_behind and self._put():
            self.is_behind = True
            self._loop.add_writer(self._fd, self._more)

    def close(self) -> None:
        """Write the rest, however long the terminal takes, and close it."""
        if self.is_behind:
            self._loop.remove_writer(self._fd)
        room = select.poll()  # select() knows no file whose number is above 1023
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
                # The terminal is gone: drop the output.
                self._gone = True
            else:
                del self._pending[:written]
        self._pending.clear()
        return False


class HangupSafeFile:
    """A terminal as a file; output after the terminal is gone is dropped."""

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
