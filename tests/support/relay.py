"""A bad line between a program's terminal and whoever sits before the screen."""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from typing import Final

LATENCY: Final = 0.3
"""Seconds that a key is on its way."""

RATE: Final = 16_000
"""Bytes a second that come back."""

_PIECE: Final = 400
_TICK: Final = 0.005


class SlowLine:
    """Carries keys late and output slowly; what does not fit waits in the program's terminal.

    A terminal holds a few kilobytes, so a program that writes faster than the line carries is
    blocked, as it is by ssh when its window is full.
    """

    def __init__(self, descriptor: int, latency: float = LATENCY, rate: int = RATE) -> None:
        self._descriptor = descriptor
        self._waiting = select.poll()
        self._waiting.register(descriptor, select.POLLIN)
        self._latency = latency
        self._rate = rate
        self._keys: deque[tuple[float, bytes]] = deque()
        self._came: deque[bytes | None] = deque()
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._free_at = 0.0
        self._carrier = threading.Thread(target=self._carry, daemon=True)
        self._carrier.start()

    def read(self, seconds: float) -> bytes | None:
        """Return what has come; b"" where nothing came in time, None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._came, seconds)
            return self._came.popleft() if self._came else b""

    def write(self, data: bytes) -> None:
        """Send keys; they arrive later."""
        self._keys.append((time.monotonic() + self._latency, data))

    def close(self) -> None:
        """Carry nothing any more."""
        self._closed.set()
        self._carrier.join()

    def _carry(self) -> None:
        while not self._closed.is_set():
            now = time.monotonic()
            while self._keys and self._keys[0][0] <= now:
                os.write(self._descriptor, self._keys.popleft()[1])
            if now < self._free_at:
                time.sleep(_TICK)
            elif self._waiting.poll(_TICK * 1000) and not self._fetch():
                return

    def _fetch(self) -> bool:
        """Carry one piece; return whether there may be more."""
        try:
            piece = os.read(self._descriptor, _PIECE)
        except OSError:  # how Linux tells that nobody has the other end open
            piece = b""
        # From when it could have been carried: the time that we overslept is not lost to it.
        start = max(self._free_at, time.monotonic() - 2 * _TICK)
        self._free_at = start + len(piece) / self._rate
        with self._news:
            self._came.append(piece or None)
            self._news.notify()
        return bool(piece)
