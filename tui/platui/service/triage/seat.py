"""A feed of the triage board."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from platui.analysis.triage.news import Ticker
from platui.models.values.triage_board import BoardNews
from platui.service.feeds.wake_up import WakeUp

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from platui.core.clock import Clock
    from platui.models.values.triage_board import Board
    from platui.service.feeds.surroundings import Surroundings
    from platui.service.triage.board import TriageBoard


class Seat:
    """A feed of the board: each iteration takes a seat at it and gets the newest one."""

    def __init__(self, board: TriageBoard, surroundings: Surroundings, *, aside: bool) -> None:
        self.aside = aside
        self.held = False
        self._board = board
        self._news = WakeUp(surroundings.clock)

    async def __aiter__(self) -> AsyncIterator[Board]:
        running = self._board.enter(self)
        shown: Board | None = None
        try:
            while True:
                board = self._board.newest
                if board is not None and board is not shown:
                    shown = board
                    yield board
                elif running.done():
                    if not running.cancelled():
                        running.result()
                    return
                else:
                    await self._news.wait(None)
        finally:
            await self._board.leave(self)

    def tell(self) -> None:
        self._news.set()

    def refresh(self) -> None:
        self._board.refresh()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self.held = held
        self._board.attend()


async def news_of(feed: Seat, clock: Clock) -> AsyncGenerator[BoardNews]:
    """Yield every board of a feed with what has happened since the one before."""
    ticker = Ticker()
    async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
        async for board in boards:
            yield BoardNews(board, ticker.tell(board, clock.now()))
