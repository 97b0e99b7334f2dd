"""A program in a real terminal of its own, as a test sees it."""

from __future__ import annotations

import io
import os
import sys
import termios
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pexpect
import psutil
from tests.support.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

APPS = Path(__file__).parent / "apps"

SWITCHES = {
    "\x1b[?1049h": "\x1b[?1049l",  # alternate screen
    "\x1b[?1000h": "\x1b[?1000l",  # mouse clicks
    "\x1b[?1006h": "\x1b[?1006l",  # in that notation
    "\x1b[?2004h": "\x1b[?2004l",  # bracketed paste
    "\x1b[?1004h": "\x1b[?1004l",  # focus reports
    "\x1b[?25l": "\x1b[?25h",  # cursor hidden
    "\x1b[?7l": "\x1b[?7h",  # lines not wrapped
}
"""What a full-screen program switches on, and what switches each off again."""


class Program:
    """A program in one terminal; everything it writes is kept."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        size: tuple[int, int] = (80, 24),
        preexec: Callable[[], None] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start a program.

        Args:
            command: program and arguments.
            environ: what differs from our environment.
            size: columns and lines.
            preexec: what the child does before it becomes the program.
            folder: its current folder; ours where left out.
        """
        columns, rows = size
        self.kept = io.BytesIO()
        self.child: Any = pexpect.spawn(
            command[0],
            list(command[1:]),
            env={**os.environ, "TERM": "xterm-256color", **(environ or {})},
            dimensions=(rows, columns),
            timeout=20,
            preexec_fn=preexec,
            cwd=folder,
        )
        self.child.logfile_read = self.kept
        self.child.delaybeforesend = None
        self.modes_before = termios.tcgetattr(self.child.child_fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the program, by force if it has to be."""
        if self.child.closed:
            return
        try:
            self.child.close(force=True)
        except pexpect.ExceptionPexpect:  # killed, but not gone within the 0.1 s that it waits
            self.child.wait()

    @property
    def written(self) -> str:
        """Return everything that was written so far."""
        return self.kept.getvalue().decode(errors="replace")

    @property
    def process(self) -> psutil.Process:
        """Return the running program."""
        return psutil.Process(self.child.pid)

    def expect(self, text: str) -> None:
        """Wait until the program writes this."""
        self.child.expect_exact(text.encode())

    def until_shown(self, text: str) -> None:
        """Wait until the screen shows this; what stands there already is not written again."""
        rows, columns = self.child.getwinsize()
        screen = Screen(columns, rows)
        screen.feed(self.kept.getvalue())
        while not any(text in line for line in screen.lines):
            screen.feed(self.child.read_nonblocking(1 << 16, self.child.timeout))

    def send(self, keys: str | bytes) -> None:
        """Press keys."""
        self.child.send(keys)

    def drop_line(self) -> None:
        """Let the terminal vanish, as a closed window or a broken connection does."""
        self.child.ptyproc.fileobj.close()
        self.child.ptyproc.closed = self.child.closed = True

    def end(self) -> int | None:
        """Wait for the end; returns the exit status, or None where a signal ended it."""
        self.child.expect(pexpect.EOF)
        self.child.wait()
        status: int | None = self.child.exitstatus
        return status

    def terminal_is_itself(self) -> bool:
        """Return whether every switch is off again, and echo and line editing are back."""
        written = self.written
        left_on = [on for on, off in SWITCHES.items() if written.rfind(on) > written.rfind(off)]
        return not left_on and self.has_modes_of_before()

    def has_modes_of_before(self) -> bool:
        """Return whether the line discipline is as it was before the program began."""
        return termios.tcgetattr(self.child.child_fd)[:4] == self.modes_before[:4]


class Pty(Program):
    """One of the apps beside this file, in one terminal."""

    def __init__(
        self,
        app: str,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        preexec: Callable[[], None] | None = None,
    ) -> None:
        command = [sys.executable, str(APPS / app), *arguments]
        super().__init__(command, environ=environ, preexec=preexec)
