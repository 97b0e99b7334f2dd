"""A value that tells its observers when it changes; no framework, no threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Observable(Generic[T]):
    """Holds a value; observers are called, in order of arrival, only when it differs."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._observers: list[Callable[[T], None]] = []

    @property
    def value(self) -> T:
        """Return the value of now."""
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
