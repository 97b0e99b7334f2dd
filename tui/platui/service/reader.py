"""Read endpoints: cached, deduplicated, and reported to the connection state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.core.dataclass import dataclass
from platui.core.errors import HIDDEN, ApiError, InvalidResponseError, PlatuiError
from platui.models.values.connection import RequestRecord, Urgency
from platui.service.lru_cache import LruCache
from platui.service.resources.resource import never
from platui.service.single_flight import SingleFlight

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.api.endpoint import Endpoint, RawAnswer
    from platui.core.clock import Clock
    from platui.service.connection_state import ConnectionWatch, ObservedRequest
    from platui.service.page_cache import Answer, PageCache
    from platui.store.cache import StoredPage


T = TypeVar("T")

# endpoint, urgency at the start and credential fingerprint of a request
_Key = tuple[str, Urgency, str]

# running requests that a new one may join: those of the same or a higher urgency
_AT_LEAST: Final = {
    Urgency.USER: (Urgency.USER,),
    Urgency.VISIBLE: (Urgency.USER, Urgency.VISIBLE),
    Urgency.BACKGROUND: (Urgency.USER, Urgency.VISIBLE, Urgency.BACKGROUND),
}

FRESH: Final = 1.5  # seconds in which a response to one feed of a view serves the others

_BOUND: Final = 256


@dataclass(slots=True)
class _Sending:
    """The progress of a request to the platform."""

    urgency: Urgency  # highest urgency of those who joined before the gate
    owner: str  # fingerprint of the credential at the start; once sent, of the one it carries
    request: ObservedRequest | None = None  # once it has reached the gate
    is_sent: bool = False  # passed the gate, and no retry is pending

    @property
    def answers_soon(self) -> bool:
        """Return whether a more urgent request would get no earlier or newer response."""
        return self.is_sent or self.request is None

    async def leave(self, owner: str) -> None:
        self.is_sent, self.owner = True, owner
        if self.request is not None:
            await self.request.sent()

    def receive(self) -> None:
        if self.request is not None:
            self.request.received()

    def fail(self, error: PlatuiError) -> None:
        self.is_sent = False
        if self.request is not None and isinstance(error, ApiError):
            self.request.answered()


class Reader:
    """Reads endpoints; an unchanged response returns the same object."""

    def __init__(
        self, caller: ApiClient, cache: PageCache, line: ConnectionWatch, clock: Clock
    ) -> None:
        self._caller = caller
        self._cache = cache
        self._line = line
        self._clock = clock
        self._flights: SingleFlight[_Key, Any] = SingleFlight()
        self._sending: dict[_Key, _Sending] = {}
        self._transfers = LruCache[str, float](_BOUND)  # seconds of the last request, by path
        self._refusals = LruCache[tuple[str, str], tuple[PlatuiError, float]](_BOUND)
        """Rejections by endpoint and credential, with their monotonic second."""

    @property
    def cache(self) -> PageCache:
        return self._cache

    async def recall(self, endpoint: Endpoint[T]) -> Answer[T] | None:
        return await self._cache.recall(endpoint)

    async def fetch(
        self,
        endpoint: Endpoint[T],
        urgency: Urgency,
        is_final: Callable[[T], bool] = never,
    ) -> Answer[T]:
        owner = self._cache.owner
        key = (endpoint.target, urgency, owner)
        for level in Urgency:
            other = (endpoint.target, level, owner)
            if other in self._flights and (
                level in _AT_LEAST[urgency] or self._sending[other].answers_soon
            ):
                key = other
                break
        if key not in self._flights:
            self._sending[key] = _Sending(urgency, owner)
        elif urgency in _AT_LEAST[self._sending[key].urgency]:
            self._sending[key].urgency = urgency
        sending = self._sending[key]
        try:
            answer: Answer[T] = await self._flights.run(
                key, lambda: self._ask(endpoint, sending, is_final)
            )
        finally:
            if key not in self._flights:
                self._sending.pop(key, None)
        return answer

    def note_transfer(self, record: RequestRecord) -> None:
        self._transfers.put(record.path, record.milliseconds / 1000)

    def transfer(self, endpoint: Endpoint[Any]) -> float:
        """Return the duration of the last request in seconds; 0 if unknown."""
        return self._transfers.get(endpoint.target) or 0.0

    async def fetch_unless_refused(
        self,
        endpoint: Endpoint[T],
        urgency: Urgency,
        is_final: Callable[[T], bool] = never,
    ) -> Answer[T]:
        """Fetch an endpoint, unless it was rejected a moment ago. Raises as `fetch`."""
        refused = self._refusals.get((endpoint.target, self._cache.owner))
        if refused is not None and self._clock.monotonic() - refused[1] < FRESH:
            raise refused[0]
        return await self.fetch(endpoint, urgency, is_final)

    def invalidate(self, endpoint: Endpoint[Any]) -> None:
        """Make the next read fetch, ignoring a recent rejection and requests sent before."""
        owner = self._cache.owner
        self._refusals.drop((endpoint.target, owner))
        for urgency in Urgency:
            key = (endpoint.target, urgency, owner)
            if (sending := self._sending.get(key)) is not None and sending.is_sent:
                self._flights.forget(key)
                del self._sending[key]

    async def stored(self, endpoint: Endpoint[Any]) -> StoredPage | None:
        return await self._cache.stored(endpoint)

    async def fetch_bytes(
        self, endpoint: Endpoint[T], is_final: Callable[[T], bool] = never
    ) -> RawAnswer:
        """Fetch the raw response and cache it. Raises PlatuiError: no response."""
        sending = _Sending(Urgency.USER, self._cache.owner)
        with self._line.observed() as sending.request:
            answer = await self._send(endpoint, sending)
        with suppress(InvalidResponseError):
            await self._cache.accept(endpoint, None, answer, is_final, sending.owner)
        return answer

    async def _ask(
        self, endpoint: Endpoint[T], sending: _Sending, is_final: Callable[[T], bool]
    ) -> Answer[T]:
        owner = sending.owner
        known = await self._cache.recall(endpoint)
        try:
            with self._line.observed() as sending.request:
                answer = await self._send(endpoint, sending, None if known is None else known.etag)
                if sending.owner != owner:
                    # The token was replaced while the request waited: `known` is of the one before.
                    known = None
                    if answer.not_modified:
                        answer = await self._send(endpoint, sending)
                kept = await self._cache.accept(endpoint, known, answer, is_final, sending.owner)
                self._refusals.drop((endpoint.target, sending.owner))
        except HIDDEN as error:
            refusal = error, self._clock.monotonic()
            self._refusals.put((endpoint.target, sending.owner), refusal)
            raise
        return kept

    async def _send(
        self, endpoint: Endpoint[Any], sending: _Sending, etag: str | None = None
    ) -> RawAnswer:
        return await self._caller.fetch(
            endpoint,
            sending.urgency,
            etag=etag,
            before_send=lambda: sending.leave(self._cache.owner),
            on_data=sending.receive,
            on_failure=sending.fail,
        )
