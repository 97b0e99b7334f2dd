"""Read the triage board until it is complete."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

from platui.cli.output.progress import ProgressLine, RetryWindow
from platui.cli.reading import resources
from platui.core.errors import OfflineError, OfflineReason
from platui.present.counts import counted
from platui.present.triage.names import Names
from platui.ui.addresses import route_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping

    from platui.models.values.stored_triage import WatchSelection
    from platui.models.values.triage import PipelineRun
    from platui.models.values.triage_board import Board, BoardItem
    from platui.service import PlatformService

_STILL: Final = 20.0
"""Seconds without anything new after which nobody waits any more."""
_SCHEDULES: Final = 3.0
"""Seconds for which it is worth waiting which schedules did not fire, once all else is known."""


class Asking:
    """Looks at the board of one command."""

    def __init__(
        self,
        service: PlatformService,
        watched: WatchSelection | None = None,
        known: Mapping[int, str] | None = None,
    ) -> None:
        """`watched` replaces the watch list; `known` are names of projects that were asked for."""
        self.board: Board | None = None
        self._service = service
        self._watched = watched
        self._known = dict(known or {})

    async def boards(self) -> AsyncGenerator[Board]:
        """Yield the board as caches know it, then each change; each project is asked for anew."""
        feed = self._service.watch(
            resources.triage.board(self._service.triage_state, self._watched)
        )
        count = -1
        async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
            async for board in boards:
                self.board = board
                if board.watched != count:
                    # What a cache has of a minute ago would be enough for a dashboard that stays.
                    count = board.watched
                    feed.refresh()
                yield board

    async def whole(self, *, planned: bool = False) -> Board:
        """Return the whole board; with `planned` also schedules, stuck jobs and first commits."""
        # Where one project does not answer, nothing may come after what the others have told.
        with ProgressLine(loop=asyncio.get_running_loop()) as line:
            return await self._whole(line, planned=planned)

    async def _whole(self, line: ProgressLine, *, planned: bool) -> Board:
        patience = RetryWindow()
        far: tuple[object, ...] = ()
        is_read, untold = False, 0
        loop = asyncio.get_running_loop()
        try:
            async with (
                asyncio.timeout(_STILL) as limit,
                aclosing(self.boards()) as boards,
            ):
                async for board in patience.items(boards):
                    if is_whole(board):
                        if not planned or not (
                            board.without_schedules or board.without_jobs or board.pending_starts
                        ):
                            return board
                        # Who began it is worth waiting for as long as more of it is told.
                        if not is_read or board.pending_starts < untold:
                            is_read = True
                            limit.reschedule(loop.time() + _SCHEDULES)
                        untold = board.pending_starts
                        continue
                    line.show(_how_far(board))
                    if board.error is not None:
                        patience.tolerate(board.error)
                    elif board.live:
                        patience.reached = True
                        patience.clear_error()
                    now = (
                        board.is_named,
                        len(board.live),
                        len(board.inaccessible),
                        board.pending_causes,
                    )
                    if now != far:
                        far = now
                        limit.reschedule(loop.time() + _STILL)
        except TimeoutError:
            pass
        if self.board is not None and self.board.is_live:
            return self.board  # without the causes and the schedules that nobody tells
        raise OfflineError(
            f"The platform did not tell how everything stands within {_STILL:.0f} s.",
            reason=OfflineReason.TIMEOUT,
        )

    def names(self) -> Names:
        board = self.board
        if board is None:
            return Names(self._known.items())
        base = self._service.profile.url
        found = {
            int(item.lane.project): path
            for item in board.items
            if (path := path_in(_runs_of(item), base))
        }
        told = {project: path for project, path in board.names if path}
        return Names((self._known | found | told).items())


async def kept_board(service: PlatformService) -> Board | None:
    feed = service.watch(resources.triage.board(service.triage_state))
    feed.hold(True)
    async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
        return await anext(boards, None)


def is_whole(board: Board) -> bool:
    return board.is_live and board.is_named and not board.pending_causes


def _how_far(board: Board) -> str:
    words = f"Asked for {board.loaded:,} of {counted(board.watched, 'project')}"
    causes = (
        f", {counted(board.pending_causes, 'cause')} to be read" if board.pending_causes else ""
    )
    return f"{words}{causes} (ctrl+c prints what is known)"


def _runs_of(item: BoardItem) -> Iterator[PipelineRun]:
    if item.newest is not None:
        yield item.newest
    if item.incident is not None:
        yield item.incident.newest_red
    if item.recovery is not None:
        yield item.recovery.green


def path_in(runs: Iterable[PipelineRun], base: str) -> str:
    """Return a project's path by the addresses of its pipelines; empty where they do not tell."""
    for run in runs:
        place = route_of(run.web_url, base) if run.web_url else None
        if place is not None and isinstance(place.project, str):
            return place.project
    return ""
