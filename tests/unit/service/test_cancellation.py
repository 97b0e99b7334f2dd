"""The end of the program waits for what saves, and not for what computes."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from threading import Event, current_thread
from typing import TYPE_CHECKING

import pytest

from platui.logs import Log
from platui.service.cancellation import computed
from platui.service.logs.copy import LogCopy
from platui.service.logs.indexing import IN_THE_LOOP, index_in_background

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME: ContextVar[str] = ContextVar("NAME")


@pytest.fixture
def endless() -> Iterator[Event]:
    """Return an event for a thread to wait for, which ends after the test."""
    event = Event()
    yield event
    event.set()


async def test_what_was_computed_is_returned_or_raised() -> None:
    """In a thread, with the context of the caller."""
    NAME.set("caller")
    assert await computed(lambda: (NAME.get(), current_thread().daemon)) == ("caller", True)
    assert await computed(divmod, 7, 2) == (3, 1)
    assert await computed(sorted, [1, 2], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        await computed(divmod, 7, 0)


def test_the_loop_ends_while_something_is_computed(endless: Event) -> None:
    """Otherwise this test would not end."""

    async def leave() -> None:
        task = asyncio.ensure_future(computed(endless.wait))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(leave())


def test_the_loop_ends_while_a_log_is_indexed(
    endless: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that arrived since then are not indexed first."""
    monkeypatch.setattr(Log, "take_in", lambda _: endless.wait())

    async def read() -> None:
        copy = LogCopy()
        async with index_in_background(copy, lambda: None) as on_bytes:
            for _ in range(2):
                copy.begin(copy.size)
                copy.take(b"line\n" * IN_THE_LOOP)
                await on_bytes()
                await asyncio.sleep(0.01)
            await asyncio.Event().wait()

    async def leave() -> None:
        task = asyncio.ensure_future(read())
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(leave())
