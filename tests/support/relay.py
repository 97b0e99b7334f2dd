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


class Throttle:
    """When pieces that are sent one after the other have come."""

    def __init__(self, rate: float, delay: float = 0.0) -> None:
        """Begin with a line that is free.

        Args:
            rate: bytes a second.
            delay: seconds that each byte is on its way, besides.
        """
        self._rate = rate
        self._delay = delay
        self.free_at = 0.0
        """From when another piece can be sent."""

    def send(self, size: int, now: float) -> float:
        """Return when a piece has come that is sent as soon as the line is free."""
        # From when it could have been carried: the time that we overslept is not lost to it.
        self.free_at = max(self.free_at, now - 2 * _TICK) + size / self._rate
        return self.free_at + self._delay


class SlowLine:
    """Carries keys late and output slowly; what does not fit waits in the program's terminal.

    A terminal holds a few kilobytes, so a program that writes faster than the line carries is
    blocked, as it is by ssh when its window is full.
    """

    def __init__(
        self, descriptor: int, latency: float = LATENCY, rate: int = RATE, *, back: float = 0.0
    ) -> None:
        """Carry keys and output of a terminal.

        Args:
            descriptor: the end of the terminal that is not the program's.
            latency: seconds that a key is on its way.
            rate: bytes of output a second.
            back: seconds that output is on its way, besides.
        """
        self._descriptor = descriptor
        self._waiting = select.poll()
        self._waiting.register(descriptor, select.POLLIN)
        self._latency = latency
        self._throttle = Throttle(rate, back)
        self._keys: deque[tuple[float, bytes]] = deque()
        self._came: deque[tuple[float, bytes | None]] = deque()
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._carrier = threading.Thread(target=self._carry, daemon=True)
        self._carrier.start()

    def read(self, seconds: float) -> bytes | None:
        """Return what has come; b"" where nothing came in time, None at the end."""
        end = time.monotonic() + seconds
        with self._news:
            if not self._news.wait_for(lambda: self._came, seconds):
                return b""
            due = self._came[0][0]
        time.sleep(max(0.0, min(due, end) - time.monotonic()))
        return self._came.popleft()[1] if due <= end else b""

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
            if now < self._throttle.free_at:
                time.sleep(_TICK)
            elif self._waiting.poll(_TICK * 1000) and not self._fetch():
                return

    def _fetch(self) -> bool:
        """Carry one piece; return whether there may be more."""
        try:
            piece = os.read(self._descriptor, _PIECE)
        except OSError:  # how Linux tells that nobody has the other end open
            piece = b""
        due = self._throttle.send(len(piece), time.monotonic())
        with self._news:
            self._came.append((due, piece or None))
            self._news.notify()
        return bool(piece)
