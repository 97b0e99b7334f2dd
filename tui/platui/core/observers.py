"""Observable values, and sentences that the user has to know, each said once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Say = Callable[[str], None]


T = TypeVar("T")


class Observers(Generic[T]):
    """Those who are told something, in order of arrival."""

    def __init__(self) -> None:
        self._all: list[Callable[[T], None]] = []

    def tell(self, what: T) -> None:
        for observer in tuple(self._all):
            observer(what)

    def observe(self, observer: Callable[[T], None]) -> Callable[[], None]:
        """Call `observer` with all that is told from now on; returns what ends that."""
        self._all.append(observer)

        def stop() -> None:
            if observer in self._all:
                self._all.remove(observer)

        return stop


class Observable(Generic[T]):
    """Holds a value; observers are called, in order of arrival, only when it differs."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._observers = Observers[T]()
        self.observe = self._observers.observe

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
        self._observers.tell(self._value)


def ignore_notice(_: str) -> None:
    """Take a sentence that nobody listens to."""


class Notices:
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
