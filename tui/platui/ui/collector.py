"""The garbage collector, run in the pauses between keys."""

from __future__ import annotations

import asyncio
import gc
from typing import Final

_CALM: Final = (20_000, 20, 100)
"""Thresholds: passes over all of a dashboard's objects were its longest pauses."""
_QUIET: Final = 2.0  # Seconds without a key after which a pass is in nobody's way
_AT_MOST: Final = 30.0
"""Seconds for which keys can put it off: nearly all memory is given back without it."""


class Collector:
    """Runs the collector in the pauses of the one who types."""

    def __init__(self) -> None:
        self._begun = False
        self._last_key = self._held_since = 0.0
        self._look_again: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Let it run, but no more over what the start has made for good."""
        gc.freeze()
        gc.set_threshold(*_CALM)
        gc.enable()
        self._begun = True

    def put_off(self) -> None:
        """Let a key go first."""
        loop = asyncio.get_running_loop()
        self._last_key = loop.time()
        if self._begun and self._look_again is None:
            gc.disable()
            self._held_since = self._last_key
            self._look_again = loop.call_later(_QUIET, self._look)

    def end(self) -> None:
        if self._look_again is not None:
            self._look_again.cancel()
            self._look_again = None
            gc.enable()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        due = min(self._last_key + _QUIET, self._held_since + _AT_MOST)
        if loop.time() < due:
            self._look_again = loop.call_later(due - loop.time(), self._look)
        else:
            self._look_again = None
            gc.enable()
