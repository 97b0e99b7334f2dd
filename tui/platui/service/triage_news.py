"""The triage board for who does not look at it: each board with what is new on it."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from platui.analysis.triage.news import Ticker
from platui.models.values.triage_news import BoardNews

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from platui.core.clock import Clock
    from platui.models.values.triage_board import Board
    from platui.service.protocols import BoardFeed


async def news_of(feed: BoardFeed, clock: Clock) -> AsyncGenerator[BoardNews]:
    """Yield every board of a feed with what has happened since the one before."""
    ticker = Ticker()
    async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
        async for board in boards:
            yield BoardNews(board, ticker.tell(board, clock.now()))
