"""Frames that changes share, where the user does not wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

_COLLECTED: Final = 0.05  # Seconds in which changes are collected for a frame
_BETWEEN: Final = 0.15  # Seconds from one such frame to the next
_RESIZED: Final = 0.004  # Seconds in which widgets with a new size draw themselves


class SharedFrames:
    """Delays the frames of a screen."""

    def __init__(self, paint: Callable[[], None]) -> None:
        self._paint = paint
        self._timer: asyncio.TimerHandle | None = None
        self._painted_at = 0.0
        self.paints_at_once = True  # Whether the user waits for the next frame
        self._afterwards: list[Callable[[], None]] | None = None  # While an awaited frame waits

    @property
    def is_pending(self) -> bool:
        return self._timer is not None

    def collect(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            due = max(loop.time() + _COLLECTED, self._painted_at + _BETWEEN)
            self._timer = loop.call_at(due, self._paint_shared)

    def wait_for_resized(self) -> None:
        """Paint the pending frame when widgets have drawn themselves, and what follows at once."""
        self.stop()
        self._afterwards = []
        self._timer = asyncio.get_running_loop().call_later(_RESIZED, self._paint_laid_out)

    def defer_until_painted(self, then: Callable[[], None]) -> bool:
        """Return whether an awaited frame waits to be painted; if so, call `then` afterwards."""
        if self._afterwards is None:
            return False
        self._afterwards.append(then)
        return True

    def stop(self) -> None:
        """Forget the pending frame, as another one is painted."""
        calls, self._afterwards = self._afterwards, None
        for call in calls or ():
            asyncio.get_running_loop().call_soon(call)  # after the painting
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _paint_shared(self) -> None:
        self._painted_at = asyncio.get_running_loop().time()
        self.stop()
        self._paint()

    def _paint_laid_out(self) -> None:
        self.stop()
        self._paint()
        self.paints_at_once = True
