"""Answers kept in memory and on disk."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from tests.support.clock import START, FakeClock

from platui.api import endpoints
from platui.api.decoding import PageDecoder, RecordDecoder, is_prompt
from platui.api.endpoint import Endpoint, RawAnswer
from platui.core.errors import InvalidResponseError
from platui.models.values.queries import PipelinesQuery
from platui.models.wire import Record
from platui.service import page_cache
from platui.service.page_cache import PageCache
from platui.service.resources.resource import never
from platui.service.service_context import BackgroundWriter
from platui.store.cache import EntryKey, StoredPage
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

    from platui.models.values.feeds import Page
    from platui.models.wire import Pipeline
    from platui.service.page_cache import Answer

ORIGIN = "https://data.example.com"
PIPELINES = endpoints.pipelines.pipelines(PipelinesQuery(1)).page()
BODY = json.dumps([{"id": 3, "status": "failed"}, {"id": 2, "status": "success"}]).encode()


def _answer(body: bytes = BODY, at: datetime = START, next_page: str = "") -> RawAnswer:
    return RawAnswer(body, {"x-next-page": next_page}, at, etag='"a"')


def _unchanged(at: datetime) -> RawAnswer:
    return RawAnswer(b"", {}, at, etag='"a"', not_modified=True)


class Shelf:
    """A cache over a store in a folder, as two runs of the program would see it."""

    def __init__(self, folder: Path) -> None:
        self.store = PageStore(folder / "pages.sqlite3", 10_000_000, FakeClock())
        self.background_writer = BackgroundWriter()

    def cache(self, owner: str = "me", bound: int = 512) -> PageCache:
        """Return a cache that remembers nothing in memory."""
        return PageCache(self.store, self.background_writer, ORIGIN, owner, bound)

    async def accept(
        self, cache: PageCache, known: Answer[Page[Pipeline]] | None, answer: RawAnswer
    ) -> Answer[Page[Pipeline]]:
        """Let an answer come in, and be written."""
        kept = await cache.accept(PIPELINES, known, answer, never, cache.owner)
        await self.background_writer.close()
        return kept


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    """Open a store for one test."""
    shelf = Shelf(tmp_path)
    yield shelf
    await shelf.background_writer.close()
    shelf.store.close()


async def test_what_was_answered_survives_the_program(shelf: Shelf) -> None:
    """Another run finds the value, its age and its ETag."""
    await shelf.accept(shelf.cache(), None, _answer())
    kept = await shelf.cache().recall(PIPELINES)
    assert kept is not None
    assert [pipeline.id for pipeline in kept.value.items] == [3, 2]
    assert kept.fetched_at == START
    assert kept.etag == '"a"'


@pytest.mark.parametrize("slow", ["read", "decode"])
async def test_an_answer_that_comes_while_the_disk_is_read_is_the_newer_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    """The stored one neither is returned nor takes its place in memory."""
    await shelf.accept(shelf.cache(), None, _answer())
    cache, under_way, go_on = shelf.cache(), threading.Event(), threading.Event()
    read, decode = shelf.store.get, PIPELINES.decode

    def wait() -> None:
        under_way.set()
        assert go_on.wait(5)

    def slow_read(key: EntryKey) -> StoredPage | None:
        wait()
        return read(key)

    def slow_decode(body: bytes, headers: Mapping[str, str]) -> Page[Pipeline]:
        wait()
        return decode(body, headers)

    endpoint = PIPELINES
    if slow == "read":
        monkeypatch.setattr(shelf.store, "get", slow_read)
    else:
        endpoint = replace(PIPELINES, decode=slow_decode)
        monkeypatch.setattr(page_cache, "_LONG", 0)  # all is decoded in threads
    recalled = asyncio.ensure_future(cache.recall(endpoint))
    assert await asyncio.to_thread(under_way.wait, 5)
    newest = await cache.accept(PIPELINES, None, _answer(b"[]"), never, "me")
    go_on.set()
    assert await recalled is newest
    assert await cache.recall(PIPELINES) is newest


class Traced(Record):
    """A record that knows which threads it was made a validator in."""

    id: int
    built_in: ClassVar[list[threading.Thread]] = []

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Take note of the thread."""
        cls.built_in.append(threading.current_thread())
        return handler(source)


@pytest.mark.parametrize("decode", [RecordDecoder(Traced), PageDecoder(Traced, 1, 20)])
async def test_the_first_of_a_kind_does_not_hold_the_loop(
    shelf: Shelf, decode: RecordDecoder[Traced] | PageDecoder[Traced]
) -> None:
    """Its validator is built in a thread; from then on a short answer needs none."""
    body = b'[{"id": 1}]' if isinstance(decode, PageDecoder) else b'{"id": 1}'
    operation: Endpoint[object] = Endpoint("traced", decode)
    assert not is_prompt(decode)
    await shelf.cache().accept(operation, None, _answer(body), never, "me")
    assert is_prompt(decode)
    assert Traced.built_in
    assert threading.current_thread() not in Traced.built_in


async def test_another_credential_finds_nothing(shelf: Shelf) -> None:
    """What one user may see is not another's."""
    cache = shelf.cache()
    await shelf.accept(cache, None, _answer())
    cache.change_owner("somebody else")
    assert await cache.recall(PIPELINES) is None
    cache.change_owner("me")
    assert await cache.recall(PIPELINES) is not None


async def test_an_answer_that_comes_after_the_token_changed_is_the_old_owners(
    shelf: Shelf,
) -> None:
    """A request that was under way must not fill the new user's cache."""
    cache = shelf.cache()
    cache.change_owner("somebody else")
    await cache.accept(PIPELINES, None, _answer(), never, "me")
    await shelf.background_writer.close()
    assert await cache.recall(PIPELINES) is None
    assert await shelf.cache("me").recall(PIPELINES) is not None


async def test_equal_bytes_are_the_same_object(shelf: Shelf) -> None:
    """A platform without ETags costs the bytes, not the decoding and not a repaint."""
    cache = shelf.cache()
    first = await shelf.accept(cache, None, _answer())
    later = START + timedelta(seconds=10)
    again = await shelf.accept(cache, first, _answer(at=later))
    assert again.value is first.value
    assert again.fetched_at == later


async def test_equal_bytes_with_another_next_page_are_not_the_same(shelf: Shelf) -> None:
    """Where the headers say that the list goes on now, the page differs."""
    cache = shelf.cache()
    first = await shelf.accept(cache, None, _answer())
    again = await shelf.accept(cache, first, _answer(next_page="2"))
    assert first.value.next is None
    assert again.value.next == 2


async def test_not_modified_renews_the_age(shelf: Shelf) -> None:
    """A 304 keeps the object; the disk learns of it once a minute at most."""
    cache = shelf.cache()
    first = await shelf.accept(cache, None, _answer())
    soon, late = START + timedelta(seconds=30), START + timedelta(seconds=61)
    second = await shelf.accept(cache, first, _unchanged(soon))
    assert second.value is first.value
    assert second.fetched_at == soon
    key = EntryKey(ORIGIN, "me", PIPELINES.target)
    stored = shelf.store.get(key)
    assert stored is not None
    assert stored.fetched_at == START
    await shelf.accept(cache, second, _unchanged(late))
    stored = shelf.store.get(key)
    assert stored is not None
    assert stored.fetched_at == late


async def test_not_modified_of_nothing_is_unreadable(shelf: Shelf) -> None:
    """A platform that answers 304 to a plain GET has said nothing."""
    with pytest.raises(InvalidResponseError):
        await shelf.cache().accept(PIPELINES, None, _unchanged(START), never, "me")


async def test_memory_is_bounded_and_the_disk_remembers(shelf: Shelf) -> None:
    """What leaves memory is read again, as long as nobody holds it."""
    cache = shelf.cache(bound=len(BODY) + 1)
    first: Answer[Page[Pipeline]] | None = await shelf.accept(cache, None, _answer())
    assert first is not None
    value = first.value
    other = endpoints.pipelines.pipelines(PipelinesQuery(2)).page()
    await cache.accept(other, None, _answer(b"[]"), never, "me")
    assert await cache.recall(PIPELINES) is first
    first = None
    await cache.accept(other, None, _answer(b"[ ]"), never, "me")
    assert cache.decoded == 1
    again = await cache.recall(PIPELINES)
    assert again is not None
    assert again.value is not value
    assert again.value == value


async def test_what_cannot_be_read_any_more_is_forgotten(shelf: Shelf) -> None:
    """A damaged entry is as good as none."""
    await shelf.accept(shelf.cache(), None, _answer())
    key = EntryKey(ORIGIN, "me", PIPELINES.target)
    stored = shelf.store.get(key)
    assert stored is not None
    shelf.store.put(key, type(stored)(b"<html>", stored.fetched_at))
    assert await shelf.cache().recall(PIPELINES) is None
    await shelf.background_writer.close()
    assert shelf.store.get(key) is None


async def test_a_newer_answer_is_kept_while_an_unreadable_one_is_forgotten(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be written between the reading of the old one and its removal."""
    key = EntryKey(ORIGIN, "me", PIPELINES.target)
    shelf.store.put(key, StoredPage(b"<html>", START))
    cache, under_way, go_on = shelf.cache(), threading.Event(), threading.Event()

    def slow_decode(body: bytes, headers: Mapping[str, str]) -> Page[Pipeline]:
        under_way.set()
        assert go_on.wait(5)
        return PIPELINES.decode(body, headers)

    monkeypatch.setattr(page_cache, "_LONG", 0)  # all is decoded in threads
    recalled = asyncio.ensure_future(cache.recall(replace(PIPELINES, decode=slow_decode)))
    assert await asyncio.to_thread(under_way.wait, 5)
    newest = await cache.accept(PIPELINES, None, _answer(), never, "me")
    go_on.set()
    assert await recalled is newest
    await shelf.background_writer.close()
    kept = shelf.store.get(key)
    assert kept is not None
    assert kept.body == BODY
