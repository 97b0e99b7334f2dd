"""One record of the platform, as what a feed polls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from platui.models.values.snapshots import Source
from platui.service.reader import EVER, Entry, never

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.api.operations import Operation
    from platui.models.values.connection import Urgency
    from platui.service.cadence import Rhythm
    from platui.service.reader import Reader

T = TypeVar("T")


class ObjectSubject(Generic[T]):
    """A project, a pipeline, a job."""

    more = False
    loads_itself = False

    def __init__(
        self,
        reader: Reader,
        operation: Operation[T],
        rhythm: Rhythm,
        running: Callable[[Entry[T]], bool] = never,
        settled: Callable[[Entry[T]], bool] = never,
        noted: Callable[[Entry[T]], None] | None = None,
    ) -> None:
        self.rhythm = rhythm
        self.source = Source.NOTHING
        self._reader = reader
        self._operation = operation
        self._running = running
        self._settled = settled
        self._noted = noted
        self._entry: Entry[T] | None = None

    @property
    def value(self) -> T | None:
        """Return the record."""
        return None if self._entry is None else self._entry.value

    @property
    def fetched_at(self) -> datetime | None:
        """Return when the platform said so."""
        return None if self._entry is None else self._entry.fetched_at

    @property
    def transfer(self) -> float:
        """Return the seconds that the last transfer took."""
        return 0.0 if self._entry is None else self._entry.transfer

    @property
    def running(self) -> bool:
        """Return whether it may change any moment."""
        return self._entry is not None and self._running(self._entry)

    @property
    def settled(self) -> bool:
        """Return whether it cannot change any more."""
        return self._entry is not None and self._settled(self._entry)

    def mark_loading(self, loading: bool) -> None:  # noqa: FBT001  (a switch)
        """Ignore it: a record is no list."""

    async def recall(self) -> None:
        """Take what the cache has."""
        self._entry = await self._reader.recall(self._operation)
        if self._entry is not None:
            self.source = Source.CACHE

    async def renew(self, urgency: Urgency) -> None:
        """Ask the platform."""
        self._entry = await self._reader.fetch(
            self._operation, urgency, lambda value: self._settled(Entry(value, EVER))
        )
        self.source = Source.LIVE
        if self._noted is not None:
            self._noted(self._entry)

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Do nothing: a record has no pages."""
