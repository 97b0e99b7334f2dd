"""Answers kept: decoded in memory, as bytes on disk."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from platui.api.decoding import is_prompt
from platui.core.errors import UnreadableAnswerError
from platui.store.pages import PageKey, StoredPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from platui.api.operations import Answer, Operation
    from platui.service.scribe import Scribe
    from platui.store.pages import PageStore

T = TypeVar("T")

BOUND: Final = 512
"""Answers held decoded; what is older is read from disk again."""

TOUCH: Final = timedelta(seconds=60)
"""After this a confirmed answer is dated anew on disk; sooner is not worth a write."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A decoded answer, and what tells whether a newer one is the same."""

    value: T
    fetched_at: datetime
    etag: str | None
    digest: bytes
    headers: Mapping[str, str]
    stored_at: datetime
    """What the disk believes `fetched_at` to be."""


_LONG: Final = 64 * 1024
"""Bytes of a body from which decoding would hold up a key or two."""


class PageCache:
    """Gives back what was answered before, and decodes equal bytes once."""

    def __init__(
        self,
        store: PageStore,
        scribe: Scribe,
        origin: str,
        fingerprint: str,
        bound: int = BOUND,
    ) -> None:
        self._store = store
        self._scribe = scribe
        self._origin = origin
        self.owner = fingerprint
        """Fingerprint of the credential whose answers these are: another may see other things."""
        self._bound = bound
        self._kept: OrderedDict[str, Kept[Any]] = OrderedDict()

    def change_owner(self, fingerprint: str) -> None:
        """Serve another credential from now on."""
        if fingerprint != self.owner:
            self.owner = fingerprint
            self._kept.clear()

    async def recall(self, operation: Operation[T]) -> Kept[T] | None:
        """Return what is known, from memory or else from disk."""
        kept = self._kept.get(operation.key)
        if kept is not None:
            self._kept.move_to_end(operation.key)
            return kept
        key = self._key(operation, self.owner)
        stored = await asyncio.to_thread(self._store.get, key)
        if stored is None:
            return None
        kept = await self._restored(operation, key, stored)
        if kept is not None and key.fingerprint == self.owner:
            self._keep(operation, kept)
        return kept

    async def stored(self, operation: Operation[Any]) -> StoredPage | None:
        """Return the very bytes of an answer that is kept."""
        return await asyncio.to_thread(self._store.get, self._key(operation, self.owner))

    async def accept(
        self,
        operation: Operation[T],
        known: Kept[T] | None,
        answer: Answer,
        settles: Callable[[T], bool],
        owner: str,
    ) -> Kept[T]:
        """Take an answer in; equal bytes give the value of before, the same object.

        Args:
            operation: what was asked.
            known: what was known when it was asked, and whose ETag went along.
            answer: what came.
            settles: whether a value cannot change any more.
            owner: whose credential asked.

        Raises:
            UnreadableAnswerError: the answer is not what the spec promises.
        """
        if answer.not_modified:
            if known is None:
                raise UnreadableAnswerError("The platform says that nothing changed since never.")
            return self._confirmed(operation, known, answer, owner)
        digest = hashlib.blake2b(answer.body, digest_size=16).digest()
        if known is not None and known.digest == digest and known.headers == answer.headers:
            return self._confirmed(operation, known, answer, owner)
        value = await _decoded(operation, answer.body, answer.headers)
        kept = Kept(value, answer.at, answer.etag, digest, answer.headers, answer.at)
        if owner == self.owner:
            self._keep(operation, kept)
        if operation.kept:
            settled = settles(value)
            page = StoredPage(answer.body, answer.at, answer.headers, answer.etag or "", settled)
            key = self._key(operation, owner)
            self._scribe.write(lambda: self._store.put(key, page))
        return kept

    def _confirmed(
        self, operation: Operation[T], known: Kept[T], answer: Answer, owner: str
    ) -> Kept[T]:
        """Return what was known, with the time at which it was still true."""
        at = answer.at
        stale = at - known.stored_at >= TOUCH
        kept = replace(
            known,
            fetched_at=at,
            etag=answer.etag or known.etag,
            stored_at=at if stale else known.stored_at,
        )
        if owner == self.owner:
            self._keep(operation, kept)
        if stale and operation.kept:
            key = self._key(operation, owner)
            self._scribe.write(lambda: self._store.touch(key, at))
        return kept

    async def _restored(
        self, operation: Operation[T], key: PageKey, stored: StoredPage
    ) -> Kept[T] | None:
        """Return an answer of disk, decoded; None where an older platui wrote it otherwise."""
        try:
            value = await _decoded(operation, stored.body, stored.headers)
        except UnreadableAnswerError:
            self._scribe.write(lambda: self._store.forget(key))
            return None
        digest = hashlib.blake2b(stored.body, digest_size=16).digest()
        at = stored.fetched_at
        return Kept(value, at, stored.etag or None, digest, dict(stored.headers), at)

    def _keep(self, operation: Operation[T], kept: Kept[T]) -> None:
        self._kept[operation.key] = kept
        self._kept.move_to_end(operation.key)
        if len(self._kept) > self._bound:
            self._kept.popitem(last=False)

    def _key(self, operation: Operation[T], owner: str) -> PageKey:
        return PageKey(self._origin, owner, operation.key)


async def _decoded(operation: Operation[T], body: bytes, headers: Mapping[str, str]) -> T:
    """Decode a body; neither a long one nor the first of its kind must hold the loop."""
    if len(body) < _LONG and is_prompt(operation.decode):
        return operation.decode(body, headers)
    return await asyncio.to_thread(operation.decode, body, headers)
