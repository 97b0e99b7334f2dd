"""The feed of a search: it says what it finds, follows what grows, and ends when it is left."""

from __future__ import annotations

import asyncio

import pytest

from platui.core.errors import PatternError
from platui.logs import Log
from platui.models.values.search import SearchQuery
from platui.service.logs.searching import Search, pattern_of


async def test_it_finds_and_goes_on_finding() -> None:
    """The next hit first, then all, then those that come."""
    log = Log(b"needle\n" + b"line\n" * 9 + b"needle\n")
    search = Search(log, await pattern_of(SearchQuery("needle")), start=5, ended=False)
    states = aiter(search)
    assert (await anext(states)).first == 10
    state = await anext(states)
    assert state.is_whole
    assert list(state.lines) == [0, 10]
    waiting = asyncio.ensure_future(anext(states))
    search.grew(ended=False)  # nothing has changed
    await asyncio.sleep(0)
    assert not waiting.done()
    log.append(b"needle\nneedle")
    search.grew(ended=False)
    assert list((await waiting).lines) == [0, 10, 11]
    log.finish()
    search.grew(ended=True)
    assert list((await anext(states)).lines) == [0, 10, 11, 12]
    await states.aclose()  # type: ignore[attr-defined]


async def test_it_ends_where_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing more to wait for."""
    monkeypatch.setattr("platui.logs.search.MOST_HITS", 10)
    search = Search(Log(b"x\n" * 100), await pattern_of(SearchQuery("x")), ended=True)
    states = [state async for state in search]
    assert states[-1].is_full


async def test_a_bad_expression_is_told_before_it_starts() -> None:
    """The place is counted from 1."""
    with pytest.raises(PatternError, match="at character 2"):
        await pattern_of(SearchQuery("(", is_regex=True))


async def test_leaving_it_ends_the_thread() -> None:
    """It looks up between two slices."""
    log = Log(b"line\n" * 300_000)
    search = Search(log, await pattern_of(SearchQuery("(?<!x)n", is_regex=True)), ended=True)
    async for state in search:
        assert not state.is_whole
        break
    states = aiter(search)
    await states.aclose()  # type: ignore[attr-defined]
    task = asyncio.ensure_future(anext(aiter(search)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert search.so_far.cancelled
