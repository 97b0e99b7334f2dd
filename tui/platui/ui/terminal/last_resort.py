"""End a process whose exit takes too long, with its terminal restored."""

from __future__ import annotations

import os
import select
import signal
import termios
import threading
from contextlib import suppress
from typing import Any, Final

from platui.core.named_tuple import NamedTuple

_GRACE: Final = 2.0  # Seconds for a clean exit after a signal, before the process is killed


class HeldTerminal(NamedTuple):
    """A terminal in application mode, and what restores it."""

    keys: int
    screen: int
    attributes: list[Any] | None
    sequence: bytes

    def restore(self) -> None:
        # In the background, it belongs to another process.
        if os.tcgetpgrp(self.screen) != os.getpgrp():
            return
        if self.attributes is not None:
            termios.tcsetattr(self.keys, termios.TCSANOW, self.attributes)
        if select.select([], [self.screen], [], 0)[1]:  # else it takes nothing
            os.write(self.screen, self.sequence)


class LastResort:
    """Kills the process some time after a signal."""

    def __init__(self) -> None:
        self.terminal: HeldTerminal | None = None
        self.is_interrupted = False

    def hold(self, terminal: HeldTerminal) -> None:
        """Restore this terminal on a forced exit; cancel the timer of an earlier interrupt."""
        self.terminal = terminal
        signal.setitimer(signal.ITIMER_REAL, 0)

    def start(self, number: int) -> None:
        timer = threading.Timer(_GRACE, self._end, (128 + number,))
        timer.daemon = True
        timer.start()

    def take_interrupts(self) -> None:
        """Let an interrupt only limit the time of the exit: KeyboardInterrupt is a traceback."""
        signal.signal(signal.SIGINT, self._interrupted)

    def _interrupted(self, number: int, _frame: object) -> None:
        self.is_interrupted = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # No thread: the signal may come while one starts, and holds its locks.
        signal.signal(signal.SIGALRM, lambda *_: self._end(128 + number))
        signal.setitimer(signal.ITIMER_REAL, _GRACE)

    def _end(self, status: int) -> None:
        if self.terminal is not None:
            with suppress(OSError, termios.error):  # it is gone
                self.terminal.restore()
        os._exit(status)
