"""How far something is: one line of a terminal, and nothing in a file or a pipe."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Final

from platui.core.text import shorten

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

_CLEAR: Final = "\r\x1b[K"
_WIDTH: Final = 80
"""Of a terminal that does not say how wide it is."""
_EVERY: Final = 0.1
"""Seconds between two."""

_standing: set[ProgressLine] = set()
"""Those that stand on the terminal, which has one cursor for everybody who says something."""


def give_way() -> None:
    """Take what stands away, before something is said that stays; the next step shows it again."""
    for line in tuple(_standing):
        line.step_aside()


class ProgressLine:
    """The line on stderr; where that is no terminal, there is none: what reads it wants errors."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Prepare it.

        Args:
            clock: tells seconds that never go back.
            loop: shows what came too soon when its time has come; None: that is left out, which
                is right only where more comes until the end.
        """
        stream = sys.stderr
        is_terminal = stream is not None and stream.isatty()
        self._is_shown = is_terminal and os.environ.get("TERM", "dumb") != "dumb"
        self._clock = clock
        self._next = clock()
        self._loop = loop
        self._later: asyncio.TimerHandle | None = None
        """Shows what came too soon."""

    def show(self, text: str) -> None:
        """Say how far it is; of what comes too soon after the last, only the newest, and later."""
        self._forget()
        if not self._is_shown:
            return
        now = self._clock()
        if now < self._next:
            if self._loop is not None:
                self._later = self._loop.call_later(self._next - now, self._print, text)
            return
        self._print(text)

    def clear(self) -> None:
        """Take the line away, before anything else is said."""
        self._forget()
        self.step_aside()

    def step_aside(self) -> None:
        """Leave the terminal's line to something else; what is to be shown later still is."""
        if self in _standing:
            _standing.discard(self)
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    def _forget(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None

    def _print(self, text: str) -> None:
        self._later, now = None, self._clock()
        self._next = now + _EVERY
        _standing.add(self)
        try:
            width = os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
        except OSError:  # it is one, and does not tell
            width = _WIDTH
        print(_CLEAR + shorten(text, max(1, width - 1)), end="", file=sys.stderr, flush=True)
