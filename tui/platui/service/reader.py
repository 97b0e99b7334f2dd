"""One read of the platform: cached, shared with equal ones, and told to the line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from platui.core.errors import PlatuiError, UnreadableAnswerError
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.api.caller import Caller
    from platui.api.operations import Answer, Operation
    from platui.service.line_watch import LineWatch
    from platui.service.page_cache import PageCache
    from platui.service.single_flight import SingleFlight
    from platui.service.transfers import Transfers
    from platui.store.pages import StoredPage

T = TypeVar("T")

_AT_LEAST: Final = {
    Urgency.USER: (Urgency.USER,),
    Urgency.VISIBLE: (Urgency.USER, Urgency.VISIBLE),
    Urgency.BACKGROUND: (Urgency.USER, Urgency.VISIBLE, Urgency.BACKGROUND),
}
"""The flights one may join: none that waits longer at the gate than one would oneself."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A value of the platform, and when and how fast it came."""

    value: T
    fetched_at: datetime
    transfer: float = 0.0
    """Seconds that the last request for it took."""


EVER: Final = datetime.max.replace(tzinfo=UTC)
"""A moment after all others: what is known then has been overtaken by nothing."""


def never(_: object) -> bool:
    """Return that nothing settles: such a value may always change."""
    return False


class Reader:
    """Reads operations; the same object comes back as long as the platform says the same."""

    def __init__(
        self,
        caller: Caller,
        cache: PageCache,
        flights: SingleFlight[tuple[str, Urgency, str], Any],
        line: LineWatch,
        transfers: Transfers,
    ) -> None:
        self._caller = caller
        self._cache = cache
        self._flights = flights
        self._line = line
        self._transfers = transfers

    async def recall(self, operation: Operation[T]) -> Entry[T] | None:
        """Return what is known without asking the platform."""
        kept = await self._cache.recall(operation)
        return None if kept is None else Entry(kept.value, kept.fetched_at)

    async def fetch(
        self,
        operation: Operation[T],
        urgency: Urgency,
        settles: Callable[[T], bool] = never,
    ) -> Entry[T]:
        """Ask the platform.

        Args:
            operation: what to ask.
            urgency: who waits for it.
            settles: whether a value cannot change any more.

        Raises:
            PlatuiError: no usable answer.
        """
        owner = self._cache.owner
        for level in _AT_LEAST[urgency]:
            if (operation.key, level, owner) in self._flights:
                urgency = level
                break
        key = (operation.key, urgency, owner)
        entry: Entry[T] = await self._flights.run(
            key, lambda: self._ask(operation, urgency, settles)
        )
        return entry

    async def stored(self, operation: Operation[Any]) -> StoredPage | None:
        """Return the very bytes that are kept, without asking the platform."""
        return await self._cache.stored(operation)

    async def fetch_bytes(
        self, operation: Operation[T], settles: Callable[[T], bool] = never
    ) -> Answer:
        """Ask the platform for the very bytes; they are kept like those of any other read.

        Raises:
            PlatuiError: no answer. One that nobody can decode is an answer here.
        """
        owner, number = self._cache.owner, self._line.begin()
        try:
            answer = await self._caller.fetch(operation, Urgency.USER)
        except PlatuiError as error:
            self._line.failed(error, number)
            raise
        self._line.answered(number)
        with suppress(UnreadableAnswerError):
            await self._cache.accept(operation, None, answer, settles, owner)
        return answer

    async def _ask(
        self, operation: Operation[T], urgency: Urgency, settles: Callable[[T], bool]
    ) -> Entry[T]:
        """Send one request, and take its answer into the cache."""
        owner = self._cache.owner
        known = await self._cache.recall(operation)
        etag = None if known is None else known.etag
        number = self._line.begin()
        try:
            answer = await self._caller.fetch(operation, urgency, etag=etag)
            kept = await self._cache.accept(operation, known, answer, settles, owner)
        except PlatuiError as error:
            self._line.failed(error, number)
            raise
        self._line.answered(number)
        return Entry(kept.value, kept.fetched_at, self._transfers.seconds(operation.target))
