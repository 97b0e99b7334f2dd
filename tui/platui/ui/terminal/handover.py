"""Hand a terminal to the next app, from another app or from the first frame, without restoring it.

Imported before the first frame: imports nothing that takes time.
"""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress

TYPE_CHECKING = False  # The constant of typing, whose import takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from platui.core.last_frame import LastFrame, LastFrames

RESTORE_SEQUENCE = (
    "\x1b[?2031l\x1b[?1006l\x1b[?1000l"  # reports of dark and light, mouse
    "\x1b[?2004l\x1b[?7h"  # pasting in one piece, wrapped lines
    "\x1b[1;1H\x1b[J"  # nothing of ours on it
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"  # keys, screen, cursor, focus
)
"""Sequence that restores a terminal."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that end an app."""
_KEYS, _SCREEN = 0, 2  # Descriptors: stdin, stderr


class TerminalHandover:
    """The original state of a terminal, passed from driver to driver."""

    def __init__(self, last_frames: LastFrames | None = None) -> None:
        """`last_frames`: where the first app stores what the next start shows first."""
        self.last_frames = last_frames
        self._held: tuple[int, int, list[Any] | None, bytes] | None = None
        self._handlers: dict[int, Any] = {}  # Of signals, before we held the terminal
        self._signalled = 0
        self.shown: LastFrame | None = None
        """The frame that a previous run drew, while the terminal shows it."""

    def show_last_frame(self) -> None:
        """Show the last frame, if one is stored for this terminal, and hold the terminal."""
        with suppress(OSError, termios.error):  # no terminal: the dashboard says what it lacks
            size = os.get_terminal_size(_SCREEN)
            frame = self.last_frames.load(size) if self.last_frames is not None else None
            # In the background, the terminal belongs to another process.
            if frame is not None and os.tcgetpgrp(_SCREEN) == os.getpgrp():
                self._show(frame)

    def _show(self, frame: LastFrame) -> None:
        before = termios.tcgetattr(_KEYS)
        self.hold(_KEYS, _SCREEN, before, SIGNALS, frame.restored)
        termios.tcsetattr(_KEYS, termios.TCSANOW, _raw(before))
        pending = memoryview(frame.shown)
        while pending:
            pending = pending[os.write(_SCREEN, pending) :]
        self.shown = frame

    @property
    def holds_terminal(self) -> bool:
        return self._held is not None

    def hold(
        self,
        keys: int,
        screen: int,
        attributes: list[Any] | None,
        numbers: Sequence[int],
        restored: bytes = RESTORE_SEQUENCE.encode(),
    ) -> None:
        """Save the state of a terminal (two descriptors); write `restored` if no app follows."""
        self._held = keys, screen, attributes, restored
        self._handlers = {number: signal.signal(number, self._note) for number in numbers}

    def take(self) -> tuple[list[Any] | None, int]:
        """Return the original terminal attributes, and a signal received meanwhile, or 0."""
        assert self._held is not None  # noqa: S101  (the caller has checked `holds_terminal`)
        attributes, signalled = self._held[2], self._signalled
        self._held, self._signalled = None, 0
        return attributes, signalled

    def restore(self) -> None:
        """Restore the terminal if no app has taken it."""
        if self._held is None:
            return
        keys, screen, attributes, restored = self._held
        self._held = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        with suppress(OSError):  # it is closed
            os.write(screen, restored)
        if attributes is not None:
            with suppress(termios.error):
                termios.tcsetattr(keys, termios.TCSANOW, attributes)

    def _note(self, number: int, _frame: object) -> None:
        self._signalled = number


def _raw(attributes: list[Any]) -> list[Any]:
    """Return attributes as Textual sets them: each key is read at once, and not echoed."""
    changed = [*attributes[:6], [*attributes[6]]]
    changed[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    changed[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    changed[6][termios.VMIN] = 1
    return changed
