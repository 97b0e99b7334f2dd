"""The journal of requests: method, path, status; never a secret."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.models.values.connection import RequestRecord

_LONGEST_PATH: Final = 500


class Journal:
    """Numbers ended requests, and passes each to observers as a `RequestRecord`."""

    def __init__(self) -> None:
        self._observers: list[Callable[[RequestRecord], None]] = []
        self._number = 0

    def add(self, record: RequestRecord) -> None:
        self._number += 1
        path = shorten(record.path, _LONGEST_PATH)
        record = replace(record, number=self._number, path=path)
        for observer in tuple(self._observers):
            observer(record)

    def observe(self, observer: Callable[[RequestRecord], None]) -> Callable[[], None]:
        """Call `observer` with each request from now on; return a function that stops it."""
        self._observers.append(observer)

        def stop() -> None:
            if observer in self._observers:
                self._observers.remove(observer)

        return stop
