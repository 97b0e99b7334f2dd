"""The last requests, for the Requests screen: a bounded list that tells its observers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from platui.core.text import shorten
from platui.models.values.connection import RequestRecord

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.models.values.connection import Urgency

KEPT: Final = 1000
_LONGEST_PATH: Final = 500


class Journal:
    """Remembers requests as `RequestRecord`, the newest last."""

    def __init__(self, kept: int = KEPT) -> None:
        self._records: deque[RequestRecord] = deque(maxlen=kept)
        self._observers: list[Callable[[RequestRecord], None]] = []
        self._number = 0

    def records(self) -> tuple[RequestRecord, ...]:
        """Return what is remembered, oldest first."""
        return tuple(self._records)

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
    ) -> RequestRecord:
        """Remember one request and tell the observers."""
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
        self._records.append(record)
        for observer in tuple(self._observers):
            observer(record)
        return record

    def observe(self, observer: Callable[[RequestRecord], None]) -> Callable[[], None]:
        """Call `observer` with every request from now on; returns what ends that."""
        self._observers.append(observer)

        def stop() -> None:
            if observer in self._observers:
                self._observers.remove(observer)

        return stop
