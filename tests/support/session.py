"""The installed program in a terminal, as a user has it before them: keys in, a screen out."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from tests.support.pty import Program
from tests.support.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

PROGRAM: Final = (sys.executable, "-m", "platui")

KEYS: Final = {
    "enter": "\r", "esc": "\x1b", "tab": "\t", "pgdn": "\x1b[6~", "pgup": "\x1b[5~",
    "right": "\x1b[C", "ctrl+c": "\x03", "ctrl+l": "\x0c",
}  # fmt: skip

_ANSWERS: Final = (
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),  # synchronized output: known, off
    (re.compile(rb"\x1b\[\?2048\$p"), b"\x1b[?2048;0$y"),  # resize reports in band: unknown
)
_PATIENCE: Final = 25.0
"""Seconds for anything to happen on a machine that is busy with other tests."""

_BUFFER: Final = 2048
"""Bytes at least that a read returns when more of the same write follows."""

_BETWEEN_PIECES: Final = 20
"""Milliseconds."""


class Line(Protocol):
    """What is between the program and whoever sits before the screen."""

    def read(self, seconds: float) -> bytes | None:
        """Return what comes next; b"" where nothing came in time, None at the end."""
        ...

    def write(self, data: bytes) -> None:
        """Send keys."""
        ...

    def close(self) -> None:
        """Carry nothing any more."""
        ...


class Wire:
    """The terminal itself: nothing in between."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting = select.poll()  # unlike select(), it takes a descriptor above 1023
        self._waiting.register(descriptor, select.POLLIN)

    def read(self, seconds: float) -> bytes | None:
        """Return what the program writes next; b"" where nothing came in time, None at the end."""
        if not self._waiting.poll(seconds * 1000):
            return b""
        data = b""
        with suppress(OSError):  # how Linux tells that nobody has the other end open
            while piece := os.read(self._descriptor, 1 << 16):
                data += piece
                # A frame larger than the buffer of the terminal comes in pieces.
                if len(piece) < _BUFFER or not self._waiting.poll(_BETWEEN_PIECES):
                    break
        return data or None

    def write(self, data: bytes) -> None:
        """Type."""
        os.write(self._descriptor, data)

    def close(self) -> None:
        """Do nothing: the terminal is the program's."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of a key."""

    seconds: float
    """From the key to the last byte of what it led to."""
    size: int
    """Bytes written meanwhile."""


class Session(Program):
    """`platui …` in a terminal of its own and in a home of its own."""

    def __init__(
        self,
        *arguments: str,
        home: Path,
        environ: Mapping[str, str] | None = None,
        size: tuple[int, int] = (80, 24),
        line: Callable[[int], Line] = Wire,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        """Start it.

        Args:
            arguments: what stands behind `platui`.
            home: the home folder, and the current one: keys that save a file save it there.
            environ: what differs from our environment.
            size: columns and lines.
            line: makes what is between terminal and screen.
            program: what is run; platui where left out.
        """
        home.mkdir(parents=True, exist_ok=True)
        super().__init__(
            [*program, *arguments],
            environ={**at_home(home), **(environ or {})},
            size=size,
            folder=home,
        )
        self.screen = Screen(*size)
        self.size = 0
        self._line = line(self.child.child_fd)
        self._over = False

    def close(self) -> None:
        """End the program, by force if it has to be."""
        self._line.close()
        super().close()

    @property
    def text(self) -> str:
        """Return what is on the screen."""
        return self.screen.text

    def press(self, *keys: str) -> None:
        """Press keys, by name or as a text to type."""
        for key in keys:
            self._line.write(KEYS.get(key, key).encode())

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal, as a user does at its edge."""
        self.screen.resize(columns, rows)
        self.child.setwinsize(rows, columns)

    def listen(self, seconds: float) -> int:
        """Take what comes next, for so long at most; returns how many bytes came."""
        data = b"" if self._over else self._line.read(seconds)
        if data is None:
            self._over = True
            return 0
        self.kept.write(data)
        self.size += len(data)
        for question, answer in _ANSWERS:
            if question.search(data):
                self._line.write(answer)
        self.screen.feed(data)
        return len(data)

    def until(self, wanted: str | Callable[[str], object], seconds: float = _PATIENCE) -> str:
        """Wait until the screen shows a text (or fulfils a wish); returns the screen.

        A frame counts when all of it is there.

        Raises:
            AssertionError: it does not, in time or before the program ends.
        """
        fulfilled = wanted if callable(wanted) else (lambda text: wanted in text)
        deadline = time.monotonic() + seconds
        while self.screen.is_half_drawn or not fulfilled(self.text):
            if self._over or time.monotonic() > deadline:
                why = "the program ended" if self._over else f"not within {seconds:.0f} s"
                raise AssertionError(f"{why}: {wanted}\n{self.text}")
            self.listen(0.1)
        return self.text

    def settle(self, quiet: float = 0.6, limit: float = 60.0) -> Settled:
        """Take everything until nothing has come for a while.

        Raises:
            AssertionError: it never ends.
        """
        began = last = time.monotonic()
        before = self.size
        while (now := time.monotonic()) - last < quiet:
            if now - began > limit:
                raise AssertionError(f"still writing after {limit:.0f} s\n{self.text}")
            if self.listen(0.05):
                last = time.monotonic()
        return Settled(last - began, self.size - before)

    def end(self) -> int | None:
        """Wait for the end; returns the exit status, or None where a signal ended it.

        Raises:
            AssertionError: it goes on.
        """
        deadline = time.monotonic() + _PATIENCE
        while not self._over:
            if time.monotonic() > deadline:
                raise AssertionError(f"it does not end\n{self.text}")
            self.listen(0.1)
        self.child.wait()
        status: int | None = self.child.exitstatus
        return status


def at_home(home: Path) -> dict[str, str]:
    """Return an environment in which every folder of the user lies below one."""
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "LC_ALL": "C.UTF-8",
    }
