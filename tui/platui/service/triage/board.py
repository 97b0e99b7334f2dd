"""The triage board: made anew as answers come in, one for all who look at it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from platui.analysis.triage.news import Ticker
from platui.models.values.triage_board import Board, BoardUpdate, Mark
from platui.service.feeds.wake_up import WakeUp
from platui.service.triage.poller import TriagePoller
from platui.service.triage.project import current_marks
from platui.service.triage.rows import rows_of, with_flaky
from platui.service.triage.scheduling import Turns

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from platui.core.clock import Clock
    from platui.models.values.stored_triage import WatchSelection
    from platui.service.feeds.poll_conditions import Surroundings
    from platui.service.feeds.read_context import ReadContext
    from platui.service.triage.state import TriageState

GAP: Final = 0.1
"""Seconds between two boards while answers come in."""
_NOTHING: Final = Mark()
TICK: Final = 5.0
"""Seconds after which a board is made anew although nothing came: what runs may be late."""


class TriageBoard:
    """The board of a service. It costs nothing while nobody has a seat before it."""

    def __init__(
        self,
        context: ReadContext,
        book: TriageState,
        watched: WatchSelection | None = None,
    ) -> None:
        self.newest: Board | None = None
        surroundings = context.surroundings
        self._book = book
        self._around = surroundings
        self._wake_up = WakeUp(surroundings.clock)
        self._turns = Turns(surroundings, context.poll.idle)
        self._poller = TriagePoller(context, book, self._turns, self._wake_up.set, watched)
        self._seats: list[BoardFeed] = []
        self._running: asyncio.Task[None] | None = None
        self._ended: asyncio.Task[None] | None = None

    def enter(self, seat: BoardFeed) -> asyncio.Task[None]:
        """Take a seat that is iterated from now on; return what fails where the board does."""
        self._seats.append(seat)
        self.attend()
        if self._running is None or self._running.done():
            self.newest = None
            self._running = asyncio.ensure_future(self._run(self._ended))
            self._running.add_done_callback(lambda _: self._tell())
        return self._running

    async def leave(self, seat: BoardFeed) -> None:
        """Give a seat up; the last one ends every request."""
        self._seats.remove(seat)
        self.attend()
        if self._seats or self._running is None:
            return
        self._ended, self._running = self._running, None
        self._ended.cancel()
        await asyncio.wait({self._ended})

    def attend(self) -> None:
        awake = [seat for seat in self._seats if not seat.held]
        was_seen, self._turns.is_seen = self._turns.is_seen, any(not one.aside for one in awake)
        self._poller.is_held, self._poller.outcome.is_stale = not awake, True
        if self._turns.is_seen and not was_seen:
            self._poller.open()
        self._wake_up.set()

    def refresh(self) -> None:
        self._poller.refresh()
        self._wake_up.set()

    async def _run(self, before: asyncio.Task[None] | None) -> None:
        if before is not None and not before.done():
            await asyncio.wait({before})
        stops = (
            self._around.listen(self._wake_up.set),
            self._book.memory.observe(lambda _: self._said()),
        )
        clock, made_at = self._around.clock, 0.0
        try:
            await self._poller.begin()
            while not self._around.closed:
                if self._poller.tasks.fault is not None:
                    raise self._poller.tasks.fault
                await self._poller.choose()
                left = self._poller.launch()
                pause = GAP if self._poller.outcome.is_stale else TICK
                due = 0.0 if self.newest is None else made_at + pause - clock.monotonic()
                if due <= 0:
                    made_at = clock.monotonic()
                    await self._make()
                else:
                    await self._wake_up.wait(due if left is None else min(due, left))
        finally:
            for stop in stops:
                stop()
            await self._poller.land()

    def _said(self) -> None:
        self._poller.outcome.is_stale = True
        self._wake_up.set()

    async def _make(self) -> None:
        self._poller.outcome.is_stale = False
        board = await self._board()
        if board != self.newest:
            self.newest = board
            self._tell()

    def _tell(self) -> None:
        for seat in self._seats:
            seat.tell()

    async def _board(self) -> Board:
        rounds = self._poller
        projects = list(rounds.projects.values())
        states = [state for one in projects if one.look is not None for state in one.look.states]
        incidents = rounds.incidents
        rounds.causes.among(incidents)
        causes = {
            incident.key: with_flaky(cause, rounds.causes.flaky(incident))
            for incident in incidents
            if (cause := rounds.causes.known(incident.newest_red)) is not None
        }
        commits = {
            incident.key: commit
            for incident in incidents
            if (commit := rounds.causes.commit(incident.first_red)) is not None
        }
        marks = current_marks(self._book.memory.value.marks, projects)
        now = self._around.clock.now().astimezone()
        schedules, stuck = rounds.schedules, rounds.stuck
        branches, late_pipelines = rounds.watched.branches, stuck.late_pipelines(now)
        making = asyncio.to_thread(
            rows_of,
            states,
            causes,
            commits,
            marks,
            schedules.planned(),
            late_pipelines,
            branches,
            now,
        )
        told = [one.fetched_at for one in projects if one.fetched_at is not None]
        # All of it is of one moment: answers come in while the rows are made.
        board = Board(
            names=rounds.watched.names,
            watched=len(projects),
            known=sum(one.look is not None for one in projects),
            live=tuple(one.id for one in projects if one.is_live and not one.refused),
            planned=schedules.live,
            unplanned=schedules.unknown,
            looked=stuck.looked,
            unlooked=stuck.unknown,
            ended=tuple((one.id, ran) for one in projects for ran in one.ended),
            refused=tuple(one.id for one in projects if one.refused),
            awaited=len({one.key for one in incidents} - causes.keys()),
            untold=rounds.untold,
            is_recalled=rounds.reading.is_recalled,
            fetched_at=min(told, default=None),
            is_live=rounds.is_live,
            is_named=rounds.watched.is_known,
            spent=rounds.ration.spent,
            interval=self._turns.interval,
            problem=self._book.problem,
            error=rounds.outcome.error,
        )
        rows = await making
        joined = {
            item.incident.key: item.mark.acked
            for item in rows.items
            if item.incident is not None
            and item.mark.spreads
            and not marks.get(item.incident.key, _NOTHING).spreads
        }
        if joined:
            # It stays known when those are green with which it was acknowledged.
            await self._book.acknowledge(joined, joined)
        return replace(
            board,
            items=rows.items,
            groups=rows.groups,
            counts=rows.counts,
            last_run=rows.last_run,
        )


class BoardFeed:
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


async def news_of(feed: BoardFeed, clock: Clock) -> AsyncGenerator[BoardUpdate]:
    """Yield every board of a feed with what has happened since the one before."""
    ticker = Ticker()
    async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
        async for board in boards:
            yield BoardUpdate(board, ticker.tell(board, clock.now()))
