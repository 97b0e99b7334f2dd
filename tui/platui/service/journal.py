"""The last requests, for the Requests screen."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.observers import Observable

if TYPE_CHECKING:
    from platui.models.values.connection import RequestRecord

BOUND: Final = 500


class RequestJournal:
    """Keeps the newest records; `newest` tells observers that there is another."""

    def __init__(self, bound: int = BOUND) -> None:
        self._records: deque[RequestRecord] = deque(maxlen=bound)
        self._count = 0
        self.newest: Observable[int] = Observable(0)

    def add(self, record: RequestRecord) -> None:
        """Take one more record."""
        # Numbered here: each API counts its own.
        self._count += 1
        self._records.appendleft(replace(record, number=self._count))
        self.newest.set(self._count)

    def recent(self) -> tuple[RequestRecord, ...]:
        """Return the records, newest first."""
        return tuple(self._records)
