"""Searching a text: a log or a file, from a platform or a disk; the work is done in threads."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.logs.pattern import make_pattern
from platui.logs.search import TextSearch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument
    from platui.models.values.search import SearchQuery, SearchState

_AT_ONCE: Final = 0.008
"""Seconds for which a glance may hold the loop up."""

_SOON: Final = 0.03
"""Seconds until something is said for the first time."""

_SEEN: Final = 0.03
"""Seconds in which a first hit gets to the screen."""

_STEP: Final = 0.15
"""Seconds between one state and the next while a search runs."""


async def pattern_of(query: SearchQuery) -> LinePattern:
    """Return a query made ready to be searched for.

    Raises PatternError: it is none; the sentence says where.
    """
    if not query.is_regex:
        return make_pattern(query)
    # The first one imports an engine, and each has to be compiled.
    return await asyncio.to_thread(make_pattern, query)


class Search:
    """A feed of how far a search has come. Iterating starts it, leaving ends it.

    It begins at the line one reads, goes on to the end and then from the top to that line;
    as long as it is iterated it looks at what the text has grown by, too.
    """

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
        """Yield a state when the next hit is known, and while there are more to be found.

        Raises PatternError: the pattern takes too long on this text.
        """
        search, seconds = self.so_far, _SOON
        try:
            # To hand to a thread what ends at once takes longer than to do it. An expression
            # may take long on a line, though.
            at_once = 0.0 if self._pattern.query.is_regex else _AT_ONCE
            if not search.glance(at_once):
                await asyncio.to_thread(search.glance)
            if (state := search.state()).first is not None:
                yield state
                # It is to be seen before the threads share the interpreter with its painting.
                await asyncio.sleep(_SEEN)
            while True:
                self._growth.clear()
                _, ended = self._seen
                known = bool(state.lines) or state.first is not None
                more = await asyncio.to_thread(
                    search.advance, seconds, ended=ended, to_first=not known
                )
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
