"""Sentences about what the user did not ask for and has to know, said from any thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Say = Callable[[str], None]


def unheard(_: str) -> None:
    """Take a sentence that nobody listens to."""


class Remarks:
    """Hands on each sentence once; what was said before anybody listened is not lost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: set[str] = set()
        self._waiting: list[str] = []
        self._hear: Say | None = None

    def say(self, sentence: str) -> None:
        """Say something, from any thread."""
        with self._lock:
            if sentence in self._known:
                return
            self._known.add(sentence)
            hear = self._hear
            if hear is None:
                self._waiting.append(sentence)
        if hear is not None:
            hear(sentence)

    def listen(self, hear: Say) -> None:
        """Hear what was said, and what will be: in the thread of whoever says it."""
        with self._lock:
            self._hear = hear
            waiting, self._waiting = self._waiting, []
        for sentence in waiting:
            hear(sentence)
