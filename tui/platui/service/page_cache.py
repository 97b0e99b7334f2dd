"""Cache of responses: decoded in memory, as bytes on disk."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar
from weakref import WeakValueDictionary

from platui.api.decoding import is_prompt
from platui.core.dataclass import dataclass
from platui.core.errors import InvalidResponseError
from platui.service.cancellation import computed
from platui.service.lru_cache import LruCache
from platui.store.cache import EntryKey, StoredPage
from platui.store.logs import log_name

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint, RawAnswer
    from platui.models.values.queries import ProjectRef
    from platui.service.service_context import BackgroundWriter
    from platui.store.pages import PageStore

T = TypeVar("T")

_NEVER: Final = datetime.min.replace(tzinfo=UTC)

# bytes of responses that stay decoded in memory after their last use; decoded, they take three
# times as much
BOUND: Final = 300_000
TOUCH: Final = timedelta(seconds=60)  # a confirmed response is dated again on disk after this time


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Answer(Generic[T]):
    """A decoded response with its validators."""

    value: T
    fetched_at: datetime
    etag: str | None = None
    digest: bytes = b""  # of the body and the cached headers
    stored_at: datetime = _NEVER  # `fetched_at` on disk
    size: int = 0  # bytes of the body


_LONG: Final = 64 * 1024  # bytes of a body that is decoded in a thread


class PageCache:
    """Returns cached responses and decodes equal bytes once."""

    def __init__(
        self,
        store: PageStore,
        background_writer: BackgroundWriter,
        origin: str,
        fingerprint: str,
        bound: int = BOUND,
    ) -> None:
        self._store = store
        self._background_writer = background_writer
        self._origin = origin
        self.owner = fingerprint  # credential fingerprint: another credential may see other records
        self._recent = LruCache[str, Answer[Any]](bound, lambda answer: answer.size)
        # Answers held by a reading stay decoded, so that equal bytes return the same object.
        self._used = WeakValueDictionary[str, Answer[Any]]()

    @property
    def decoded(self) -> int:
        """Return the number of responses that are decoded in memory."""
        return len({*self._recent, *self._used})

    def change_owner(self, fingerprint: str) -> None:
        if fingerprint != self.owner:
            self.owner = fingerprint
            self._recent.clear()
            self._used.clear()

    async def recall(self, endpoint: Endpoint[T]) -> Answer[T] | None:
        cached = self._known(endpoint)
        if cached is not None:
            return cached
        key = self._key(endpoint, self.owner)
        stored = await asyncio.to_thread(self._store.get, key)
        cached = self._known(endpoint)  # A live response may have arrived meanwhile
        if stored is None or cached is not None:
            return cached
        restored = await self._restored(endpoint, key, stored)
        cached = self._known(endpoint)  # the same
        if cached is not None:
            return cached
        if restored is not None and key.fingerprint == self.owner:
            self._keep(endpoint, restored)
        return restored

    async def stored(self, endpoint: Endpoint[Any]) -> StoredPage | None:
        return await asyncio.to_thread(self._store.get, self._key(endpoint, self.owner))

    def newest(
        self, prefix: str, limit: int, seen: MutableMapping[str, int]
    ) -> Iterator[tuple[str, bytes]]:
        """Yield targets and bodies of the newest stored responses; call it in a thread."""
        return self._store.newest(EntryKey(self._origin, self.owner, prefix), limit, seen)

    async def accept(
        self,
        endpoint: Endpoint[T],
        known: Answer[T] | None,
        answer: RawAnswer,
        is_final: Callable[[T], bool],
        owner: str,
    ) -> Answer[T]:
        """Cache the response to a request of `owner`; bytes equal to `known` return its object."""
        if answer.not_modified:
            if known is None:
                raise InvalidResponseError(
                    "The platform sent 304 Not Modified for a response that was never cached."
                )
            return self._confirmed(endpoint, known, answer, owner)
        digest = _digest(answer.body, answer.headers)
        if known is not None and known.digest == digest:
            return self._confirmed(endpoint, known, answer, owner)
        value = await _decoded(endpoint, answer.body, answer.headers)
        cached = Answer(value, answer.at, answer.etag, digest, answer.at, len(answer.body))
        if owner == self.owner:
            self._keep(endpoint, cached)
        if endpoint.cacheable:
            is_settled = is_final(value)
            page = StoredPage(answer.body, answer.at, answer.headers, answer.etag or "", is_settled)
            key = self._key(endpoint, owner)
            self._background_writer.write(lambda: self._store.put(key, page))
        return cached

    def _confirmed(
        self, endpoint: Endpoint[T], known: Answer[T], answer: RawAnswer, owner: str
    ) -> Answer[T]:
        at = answer.at
        stale = at - known.stored_at >= TOUCH
        cached = replace(
            known,
            fetched_at=at,
            etag=answer.etag or known.etag,
            stored_at=at if stale else known.stored_at,
        )
        if owner == self.owner:
            self._keep(endpoint, cached)
        if stale and endpoint.cacheable:
            key = self._key(endpoint, owner)
            self._background_writer.write(lambda: self._store.touch(key, known.stored_at, at))
        return cached

    async def _restored(
        self, endpoint: Endpoint[T], key: EntryKey, stored: StoredPage
    ) -> Answer[T] | None:
        try:
            value = await _decoded(endpoint, stored.body, stored.headers)
        except InvalidResponseError:
            self._background_writer.write(lambda: self._forget(key, stored))
            return None
        digest, at = _digest(stored.body, stored.headers), stored.fetched_at
        return Answer(value, at, stored.etag or None, digest, at, len(stored.body))

    def _known(self, endpoint: Endpoint[T]) -> Answer[T] | None:
        return self._recent.get(endpoint.target) or self._used.get(endpoint.target)

    def _keep(self, endpoint: Endpoint[T], answer: Answer[T]) -> None:
        self._recent.put(endpoint.target, answer)
        self._used[endpoint.target] = answer

    def _forget(self, key: EntryKey, unreadable: StoredPage) -> None:
        if self._store.get(key) == unreadable:  # else a newer response was cached meanwhile
            self._store.forget(key)

    def log_name(self, project: ProjectRef, job: int) -> EntryKey:
        return log_name(self._origin, self.owner, project, job)

    def _key(self, endpoint: Endpoint[T], owner: str) -> EntryKey:
        return EntryKey(self._origin, owner, endpoint.target)


def _digest(body: bytes, headers: Mapping[str, str]) -> bytes:
    digest = hashlib.blake2b(body, digest_size=16)
    digest.update(repr(sorted(headers.items())).encode())
    return digest.digest()


async def _decoded(endpoint: Endpoint[T], body: bytes, headers: Mapping[str, str]) -> T:
    """Decode a body; a long one, or the first of its kind, in a thread."""
    if len(body) < _LONG and is_prompt(endpoint.decode):
        return endpoint.decode(body, headers)
    return await computed(endpoint.decode, body, headers)
