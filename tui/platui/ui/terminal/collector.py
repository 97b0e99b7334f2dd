"""Garbage collection in pauses between keys; under constant keys, every 4 seconds.

What a full collection leaves is frozen: for a minute, others look at newer objects only, which
takes 20 to 50 ms instead of 0.1 to 0.3 s, and find all views that were opened and left since.
Where much was loaded, one of these freezes what it leaves, too.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Final

from platui.core.memory import return_free_memory

_THRESHOLDS: Final = (20_000, 20, 100)  # Full collections were the longest pauses
_QUIET: Final = 2.0  # Seconds without a key before a collection
_AT_MOST: Final = 4.0  # Maximum seconds for which keys delay a collection
_BETWEEN: Final = 60.0  # Minimum seconds between two full collections
_MANY: Final = 100_000  # New blocks of memory that take 20 ms to look at


class Collector:
    """Runs the garbage collector in the pauses between keys."""

    def __init__(self) -> None:
        self._begun = False
        self._last_key = self._delayed_since = 0.0
        self._next_check: asyncio.TimerHandle | None = None
        self._last_full = 0.0
        self._blocks = 0  # Allocated when objects were last frozen
        self._next_full: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        self._freeze()
        gc.set_threshold(*_THRESHOLDS)
        gc.enable()
        self._begun = True
        self._last_full = asyncio.get_running_loop().time()

    def delay(self) -> None:
        loop = asyncio.get_running_loop()
        self._last_key = loop.time()
        if self._begun and self._next_check is None:
            gc.disable()
            self._delayed_since = self._last_key
            self._next_check = loop.call_later(_QUIET, self._check)

    def end(self) -> None:
        if self._next_full is not None:
            self._next_full.cancel()
            self._next_full = None
        if self._next_check is not None:
            self._next_check.cancel()
            self._next_check = None
            gc.enable()

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        due = min(self._last_key + _QUIET, self._delayed_since + _AT_MOST)
        if loop.time() < due:
            self._next_check = loop.call_later(due - loop.time(), self._check)
            return
        self._next_check = None
        wait = self._last_full + _BETWEEN - loop.time()
        if wait <= 0:
            self._collect_all()
        else:
            self._collect_new()
            if self._next_full is None:  # what the last keys left does not wait for another key
                self._next_full = loop.call_later(wait, self._collect_all)
        gc.enable()

    def _collect_all(self) -> None:
        """Collect also what was left after it was frozen; Python would never do."""
        if self._next_full is not None:
            self._next_full.cancel()
            self._next_full = None
        if self._next_check is None:  # else keys have come since, and the next pause follows
            gc.unfreeze()
            gc.collect()
            self._freeze()
            return_free_memory()
            self._last_full = asyncio.get_running_loop().time()

    def _collect_new(self) -> None:
        gc.collect()
        # Not `gc.get_objects()`: a tuple that a thread is building must have no other reference.
        if sys.getallocatedblocks() - self._blocks > _MANY:
            self._freeze()
        return_free_memory()  # It takes milliseconds, and spares 20 MB

    def _freeze(self) -> None:
        gc.freeze()
        self._blocks = sys.getallocatedblocks()
