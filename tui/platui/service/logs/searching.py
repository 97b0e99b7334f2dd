"""Search a log or a file, in threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from platui.logs.pattern import LinePattern, make_pattern
from platui.logs.search import TextSearch
from platui.service.cancellation import computed

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.models.values.search import SearchQuery, SearchState

_AT_ONCE: Final = 0.008  # seconds of a first search in the event loop
_SOON: Final = 0.03  # seconds until the first state
_SEEN: Final = 0.03  # seconds to paint the first hit
_STEP: Final = 0.15  # seconds between two states


async def pattern_of(query: SearchQuery) -> LinePattern:
    """Compile a query. Raises PatternError: it is invalid; the message names the position."""
    if not query.is_regex:
        return make_pattern(query)
    # The first one imports the regex engine, and each is compiled.
    return await computed(make_pattern, query)


class Search:
    """A feed of a search from the current line to the end, then from the top."""

    def __init__(
        self,
        document: LogDocument,
        pattern: LinePattern,
        *,
        start: int = 0,
        ended: bool,
        before: Search | None = None,
    ) -> None:
        self._pattern = pattern
        self.so_far: TextSearch = TextSearch(
            document, pattern, start=start, before=None if before is None else before.so_far
        )
        self._document = document
        self._seen = (document.version, ended)
        self._growth = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[SearchState]:
        """Yield a state at the first hit, then regularly; PatternError: the pattern is too slow."""
        search, seconds = self.so_far, _SOON
        try:
            # A short search is faster in the event loop than in a thread, except for a regex, which
            # may be slow on a line.
            at_once = 0.0 if self._pattern.query.is_regex else _AT_ONCE
            if not search.glance(at_once):
                await computed(search.glance)
            if (state := search.state()).first is not None:
                yield state
                # Let the hit be painted before threads compete for the interpreter.
                await asyncio.sleep(_SEEN)
            while True:
                self._growth.clear()
                _, ended = self._seen
                known = bool(state.lines) or state.first is not None
                more = await computed(search.advance, seconds, ended=ended, to_first=not known)
                seconds = _STEP
                state = search.state()
                yield state
                if state.is_full:
                    return
                if not more:
                    await self._growth.wait()
        finally:
            search.cancelled = True

    def stop(self) -> None:
        self.so_far.cancelled = True

    def grew(self, *, ended: bool) -> None:
        if (seen := (self._document.version, ended)) != self._seen:
            self._seen = seen
            self._growth.set()
