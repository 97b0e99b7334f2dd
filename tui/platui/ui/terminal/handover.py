"""Hand a terminal from one app to the next, without restoring it in between."""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress
from typing import Any, Final

RESTORE_SEQUENCE: Final = (
    "\x1b[?2031l\x1b[?1006l\x1b[?1000l"  # reports of dark and light, mouse
    "\x1b[?2004l\x1b[?7h"  # pasting in one piece, wrapped lines
    "\x1b[1;1H\x1b[J"  # nothing of ours on it
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"  # keys, screen, cursor, focus
)
"""Sequence that restores a terminal."""


class TerminalHandover:
    """The original state of a terminal, passed from driver to driver."""

    def __init__(self) -> None:
        self._held: tuple[int, int, list[Any] | None, str] | None = None
        self._signalled = 0

    @property
    def is_held(self) -> bool:
        return self._held is not None

    def hold(
        self,
        keys: int,
        screen: int,
        attributes: list[Any] | None,
        numbers: tuple[int, ...],
        restored: str = RESTORE_SEQUENCE,
    ) -> None:
        """Save the state of a terminal (two descriptors); write `restored` if no app follows."""
        self._held = keys, screen, attributes, restored
        for number in numbers:
            signal.signal(number, self._note)

    def take(self) -> tuple[list[Any] | None, int]:
        """Return the original terminal attributes, and a signal received meanwhile, or 0."""
        assert self._held is not None  # noqa: S101  (the caller has checked `is_held`)
        attributes, signalled = self._held[2], self._signalled
        self._held, self._signalled = None, 0
        return attributes, signalled

    def restore(self) -> None:
        """Restore the terminal if no app has taken it."""
        if self._held is None:
            return
        keys, screen, attributes, restored = self._held
        self._held = None
        with suppress(OSError):  # it is closed
            os.write(screen, restored.encode())
        if attributes is not None:
            with suppress(termios.error):
                termios.tcsetattr(keys, termios.TCSANOW, attributes)

    def _note(self, number: int, _frame: object) -> None:
        self._signalled = number
