"""Observable values, and notices to the user, each shown once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

OnNotice = Callable[[str], None]

T = TypeVar("T")


class Observers(Generic[T]):
    """Callbacks, called in order of registration."""

    def __init__(self) -> None:
        self._all: list[Callable[[T], None]] = []

    def notify(self, value: T) -> None:
        for observer in tuple(self._all):
            observer(value)

    def observe(self, observer: Callable[[T], None]) -> Callable[[], None]:
        """Register `observer`; return a function that removes it."""
        self._all.append(observer)

        def stop() -> None:
            if observer in self._all:
                self._all.remove(observer)

        return stop


class Observable(Generic[T]):
    """A value whose observers are called when it changes."""

    def __init__(self, value: T) -> None:
        self.value = value
        self._observers = Observers[T]()
        self.observe = self._observers.observe

    def set(self, value: T) -> None:
        """Replace the value; notify the observers unless the new one equals the old one."""
        if value != self.value:
            self.value = value
            self.notify()

    def notify(self) -> None:
        """Call the observers with the current value, whether it changed or not."""
        self._observers.notify(self.value)


def ignore_notice(_: str) -> None:
    """Discard a notice."""


class Notices:
    """Passes each notice on once; buffers notices until there is a subscriber."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: set[str] = set()
        self._waiting: list[str] = []
        self._subscriber: OnNotice | None = None

    def add(self, text: str) -> None:
        """Pass on a notice, unless it was passed on before. Thread-safe."""
        with self._lock:
            if text in self._known:
                return
            self._known.add(text)
            subscriber = self._subscriber
            if subscriber is None:
                self._waiting.append(text)
        if subscriber is not None:
            subscriber(text)

    def subscribe(self, subscriber: OnNotice) -> None:
        """Call `subscriber` with past and future notices, in the thread that adds each."""
        with self._lock:
            self._subscriber = subscriber
            waiting, self._waiting = self._waiting, []
        for text in waiting:
            subscriber(text)
