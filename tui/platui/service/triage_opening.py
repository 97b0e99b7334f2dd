"""The triage board before what knows causes is there: that is imported in a thread, once."""

from __future__ import annotations

import asyncio
import importlib
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from platui.models.values.triage_board import Board
    from platui.service.protocols import BoardFeed

_HEAVY: Final = ("platui.service.log_errors", "platui.service.triage_board")
"""A tenth of a second of patterns: more than a key may wait."""


class OpeningBoard:
    """A board feed that is made when it is iterated."""

    def __init__(self, make: Callable[[], BoardFeed]) -> None:
        self._make = make
        self._feed: BoardFeed | None = None
        self._held = False

    async def __aiter__(self) -> AsyncIterator[Board]:
        """Yield what the real feed yields."""
        for name in _HEAVY:
            await asyncio.to_thread(importlib.import_module, name)
        if self._feed is None:
            self._feed = self._make()
            self._feed.hold(self._held)
        async with aclosing(cast("AsyncGenerator[Board]", aiter(self._feed))) as real:
            async for board in real:
                yield board

    def refresh(self) -> None:
        """Ask for every watched project now; before the first board that is being done."""
        if self._feed is not None:
            self._feed.refresh()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) asking."""
        self._held = held
        if self._feed is not None:
            self._feed.hold(held)
