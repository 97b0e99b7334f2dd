"""Observable values, and sentences that the user has to know, each said once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Say = Callable[[str], None]


T = TypeVar("T")


class Observable(Generic[T]):
    """Holds a value; observers are called, in order of arrival, only when it differs."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._observers: list[Callable[[T], None]] = []

    @property
    def value(self) -> T:
        return self._value

    def set(self, value: T) -> None:
        """Take a new value and tell everybody, unless it equals the old one."""
        if value == self._value:
            return
        self._value = value
        self.tell()

    def tell(self) -> None:
        """Tell everybody the value of now: what it stands for may have changed around it."""
        for observer in tuple(self._observers):
            observer(self._value)

    def observe(self, observer: Callable[[T], None]) -> Callable[[], None]:
        """Call `observer` at every change from now on; returns what ends that."""
        self._observers.append(observer)

        def stop() -> None:
            if observer in self._observers:
                self._observers.remove(observer)

        return stop


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
