"""Every request, told to whoever keeps or shows them: method, path, status; never a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import shorten
from platui.models.values.connection import RequestRecord

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.models.values.connection import Urgency

_LONGEST_PATH: Final = 500


class Journal:
    """Numbers requests as they end, and hands each on as a `RequestRecord`."""

    def __init__(self) -> None:
        self._observers: list[Callable[[RequestRecord], None]] = []
        self._number = 0

    def add(
        self,
        *,
        at: datetime,
        method: str,
        path: str,
        status: int | None,
        milliseconds: int,
        source: str,
        received: int,
        urgency: Urgency,
    ) -> None:
        """Tell the observers of one request."""
        self._number += 1
        record = RequestRecord(
            number=self._number,
            at=at,
            method=method,
            path=shorten(path, _LONGEST_PATH),
            status=status,
            milliseconds=milliseconds,
            source=source,
            received=received,
            urgency=urgency,
        )
        for observer in tuple(self._observers):
            observer(record)

    def observe(self, observer: Callable[[RequestRecord], None]) -> Callable[[], None]:
        """Call `observer` with every request from now on; returns what ends that."""
        self._observers.append(observer)

        def stop() -> None:
            if observer in self._observers:
                self._observers.remove(observer)

        return stop
