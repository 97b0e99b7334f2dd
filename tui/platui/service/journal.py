"""The last requests, for the Requests screen."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from platui.core.observers import Observable

if TYPE_CHECKING:
    from platui.models.values.connection import RequestRecord

BOUND: Final = 500


class RequestJournal:
    """Keeps the newest records; `newest` tells observers that there is another."""

    def __init__(self, bound: int = BOUND) -> None:
        self._records: deque[RequestRecord] = deque(maxlen=bound)
        self.newest: Observable[int] = Observable(0)

    def add(self, record: RequestRecord) -> None:
        """Take one more record."""
        self._records.appendleft(record)
        self.newest.set(record.number)

    def recent(self) -> tuple[RequestRecord, ...]:
        """Return the records, newest first."""
        return tuple(self._records)
