"""How far something is, on one line of a terminal that is written anew each time."""

from __future__ import annotations

import os
import sys
import time
from typing import Final

from platui.core.text import shorten

_CLEAR: Final = "\r\x1b[K"
_WIDTH: Final = 80
"""Of a terminal that does not say how wide it is."""
_EVERY: Final = 0.1
"""Seconds between two."""


class ProgressLine:
    """The line on stderr; where that is no terminal, there is none."""

    def __init__(self) -> None:
        stream = sys.stderr
        is_terminal = stream is not None and stream.isatty()
        self._is_shown = is_terminal and os.environ.get("TERM", "dumb") != "dumb"
        self._stands = False
        self._next = 0.0

    def show(self, text: str) -> None:
        """Say how far it is; what comes too soon after the last is left out."""
        now = time.monotonic()
        if not self._is_shown or now < self._next:
            return
        self._next = now + _EVERY
        self._stands = True
        try:
            width = os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
        except OSError:  # it is one, and does not tell
            width = _WIDTH
        print(_CLEAR + shorten(text, max(1, width - 1)), end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away, before anything else is said."""
        if self._stands:
            self._stands = False
            print(_CLEAR, end="", file=sys.stderr, flush=True)
