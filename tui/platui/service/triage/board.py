"""The triage board, rebuilt as responses arrive and shared by all its feeds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.core.peak_count import PeakCount
from platui.models.values.triage_board import Board, Mark
from platui.service.cancellation import cancel_and_wait
from platui.service.feeds.wake_up import WakeUp
from platui.service.triage.poller import TriagePoller
from platui.service.triage.project import current_marks
from platui.service.triage.rows import FirstFailure, rows_of, with_flaky
from platui.service.triage.scheduling import ListScheduler
from platui.store.triage import MAX_MARKS

if TYPE_CHECKING:
    from platui.models.values.stored_triage import WatchSelection
    from platui.service.feeds.read_context import ReadContext
    from platui.service.triage.state import TriageState

GAP: Final = 0.1  # seconds between two boards while responses arrive
_NOTHING: Final = Mark()
# seconds after which a board is rebuilt without responses: running pipelines become late, and
# snoozes end, to the minute
TICK: Final = 30.0
_FEW: Final = 300  # lanes whose rows take 2 ms: less than a thread is worth, which wakes up twice


class TriageBoard:
    """The board of a service; sends nothing without a feed."""

    def __init__(
        self, context: ReadContext, triage_state: TriageState, watched: WatchSelection | None
    ) -> None:
        self.newest: Board | None = None
        conditions = context.conditions
        self.clock = conditions.clock
        self._zone = UTC if context.utc else None  # None: the local one
        self._triage_state = triage_state
        self._conditions = conditions
        self._wake_up = WakeUp(conditions.clock)
        self._scheduler = ListScheduler(conditions, context.poll.idle)
        self._poller = TriagePoller(
            context, triage_state, self._scheduler, self._wake_up.set, watched
        )
        self._requests = PeakCount()
        self._feeds: list[BoardFeed] = []
        self._running: asyncio.Task[None] | None = None
        self._ended: asyncio.Task[None] | None = None

    def subscribe(self, feed: BoardFeed) -> asyncio.Task[None]:
        """Add a feed that is iterated; return the task that fails if the board does."""
        self._feeds.append(feed)
        self.update_visibility()
        if self._running is None or self._running.done():
            self.newest = None
            self._running = asyncio.ensure_future(self._run(self._ended))
            self._running.add_done_callback(lambda _: self._notify())
        return self._running

    async def unsubscribe(self, feed: BoardFeed) -> None:
        """Remove a feed; the last one cancels every request."""
        self._feeds.remove(feed)
        self.update_visibility()
        if self._feeds or self._running is None:
            return
        self._ended, self._running = self._running, None
        await cancel_and_wait(self._ended)

    def update_visibility(self) -> None:
        # All feeds show the same board: a user who holds it does not want to see it change.
        awake = [] if any(feed.held for feed in self._feeds) else self._feeds
        was_seen = self._scheduler.is_seen
        self._scheduler.is_seen = any(not one.in_background for one in awake)
        self._poller.is_paused, self._poller.board_status.is_stale = not awake, True
        if self._scheduler.is_seen and not was_seen:
            self._poller.open()
        self._wake_up.set()

    def refresh(self) -> None:
        self._poller.refresh()
        self._wake_up.set()

    async def _run(self, before: asyncio.Task[None] | None) -> None:
        if before is not None and not before.done():
            await asyncio.wait({before})
        stops = (
            self._conditions.listen(self._wake_up.set),
            self._triage_state.memory.observe(lambda _: self._on_memory_change()),
        )
        clock, built_at = self.clock, 0.0
        try:
            await self._poller.begin()
            while not self._conditions.closed:
                if self._poller.tasks.fault is not None:
                    raise self._poller.tasks.fault
                await self._poller.choose()
                left = self._poller.launch()
                pause = GAP if self._poller.board_status.is_stale else TICK
                due = 0.0 if self.newest is None else built_at + pause - clock.monotonic()
                if due <= 0:
                    built_at = clock.monotonic()
                    self._poller.board_status.is_stale = False
                    board = await self._board()
                    if board != self.newest:
                        self.newest = board
                        self._notify()
                else:
                    await self._wake_up.wait(due if left is None else min(due, left))
        finally:
            for stop in stops:
                stop()
            await self._poller.close()

    def _on_memory_change(self) -> None:
        self._poller.board_status.is_stale = True
        self._wake_up.set()

    def _notify(self) -> None:
        for feed in self._feeds:
            feed.news.set()

    async def _board(self) -> Board:
        poller = self._poller
        projects = list(poller.projects.values())
        states = [state for one in projects if one.look is not None for state in one.look.states]
        incidents = poller.incidents
        poller.causes.lane_jobs.keep_only(incidents)
        causes = {
            incident.key: with_flaky(cause, poller.causes.lane_jobs.flaky(incident))
            for incident in incidents
            if (cause := poller.causes.known(incident.newest_red)) is not None
        }
        lane_jobs = poller.causes.lane_jobs
        told = (
            (one, lane_jobs.commit(one.first_red), lane_jobs.failed_before_retry(one.first_red))
            for one in incidents
        )
        first_failures = {
            one.key: FirstFailure(commit, before)
            for one, commit, before in told
            if commit is not None or before is not None
        }
        marks = current_marks(self._triage_state.memory.value.marks, projects)
        now = self.clock.now().astimezone(self._zone)
        schedules, stuck = poller.schedules, poller.stuck
        branches, late_pipelines = poller.watched.branches, stuck.late_pipelines(now)
        planned = schedules.planned()
        fetched = [one.fetched_at for one in projects if one.fetched_at is not None]
        # Built before the rows, so that all parts show the same moment.
        board = Board(
            names=poller.watched.names,
            watched=len(projects),
            known=sum(one.look is not None for one in projects),
            live=tuple(one.id for one in projects if one.is_live and not one.refused),
            with_schedules=schedules.live,
            without_schedules=schedules.unknown,
            with_jobs=stuck.looked,
            without_jobs=stuck.unknown,
            ended=tuple((one.id, ran) for one in projects for ran in one.ended),
            deleted=tuple(key for one in projects for key in one.deleted),
            inaccessible=tuple(one.id for one in projects if one.refused),
            pending_causes=len({one.key for one in incidents} - causes.keys()),
            pending_starts=poller.pending_starts,
            is_cache_read=poller.cause_reader.is_recalled,
            fetched_at=min(fetched, default=None),
            is_live=poller.is_live,
            is_named=poller.watched.is_known,
            is_listed=poller.is_listed,
            empty_groups=poller.watched.empty_groups,
            requests=self._requests.take(
                poller.budget.spent, self.clock.monotonic(), self._conditions.budget.value.limit
            ),
            interval=self._scheduler.interval,
            problem=self._triage_state.problem,
            error=poller.board_status.error,
        )
        build = partial(
            rows_of, states, causes, first_failures, marks, planned, late_pipelines, branches, now
        )
        rows = build() if len(states) <= _FEW else await asyncio.to_thread(build)
        spread = {
            item.incident.key: item.mark.acked
            for item in rows.items
            if item.incident is not None
            and item.mark.spreads
            and not marks.get(item.incident.key, _NOTHING).spreads
        }
        # Marks beyond the limit would push out others, which would be saved again, without end.
        room = MAX_MARKS - sum(one.key in marks for one in incidents)
        saved = {key: acked for key, acked in spread.items() if key in marks}
        new = ((key, acked) for key, acked in spread.items() if key not in marks)
        if saved := {**saved, **dict(islice(new, max(0, room)))}:
            # Stay acknowledged after the incidents it was acknowledged with have recovered.
            await self._triage_state.acknowledge(saved, saved)
        return replace(board, **rows._asdict())


class BoardFeed:
    def __init__(self, board: TriageBoard, *, in_background: bool) -> None:
        self.in_background = in_background
        self.held = False
        self.news = WakeUp(board.clock)
        self._board = board

    async def __aiter__(self) -> AsyncIterator[Board]:
        running = self._board.subscribe(self)
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
                    await self.news.wait(None)
        finally:
            await self._board.unsubscribe(self)

    def refresh(self) -> None:
        self._board.refresh()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self.held = held
        self._board.update_visibility()
