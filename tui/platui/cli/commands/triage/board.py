"""Read the triage board until it is complete."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

from platui.cli.output.progress import ProgressLine, RetryWindow
from platui.cli.reading import resources
from platui.core.errors import OfflineError, OfflineReason
from platui.present.counts import counted
from platui.present.triage.labels import Names
from platui.ui.addresses import route_of

if TYPE_CHECKING:
    from platui.models.values.stored_triage import WatchSelection
    from platui.models.values.triage import PipelineRun
    from platui.models.values.triage_board import Board
    from platui.service import PlatformService

_IDLE_TIMEOUT: Final = 20.0  # Seconds to wait without progress
# Seconds to wait for schedules, stuck jobs and first commits once all else is loaded
_EXTRA_TIMEOUT: Final = 3.0


class BoardReader:
    def __init__(
        self,
        service: PlatformService,
        watched: WatchSelection | None = None,
        known: Mapping[int, str] | None = None,
    ) -> None:
        self.board: Board | None = None
        self._service = service
        self._watched = watched
        self._known = dict(known or {})

    async def boards(self) -> AsyncGenerator[Board]:
        """Yield the cached board, then each change after a refresh of all projects."""
        feed = self._service.watch(
            resources.triage.board(self._service.triage_state, self._watched)
        )
        count = -1
        async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
            async for board in boards:
                self.board = board
                if board.watched != count:
                    # The feed accepts minute-old cached data; a command needs current data.
                    count = board.watched
                    feed.refresh()
                yield board

    async def read_complete(self, *, planned: bool = False, quiet: bool = False) -> Board:
        """Return the complete board; with `planned` also schedules, stuck jobs, first commits.

        `quiet` shows no progress.
        """
        retry_window, loop = RetryWindow(), asyncio.get_running_loop()
        line = ProgressLine(loop=loop, quiet=quiet)
        progress: tuple[object, ...] = ()
        is_read, pending = False, 0
        try:
            async with (
                asyncio.timeout(_IDLE_TIMEOUT) as limit,
                aclosing(self.boards()) as boards,
            ):
                async for board in retry_window.items(boards):
                    if board.is_live and board.is_named and not board.pending_causes:
                        if not planned or not (
                            board.without_schedules or board.without_jobs or board.pending_starts
                        ):
                            return board
                        # Extend the wait while first commits keep loading.
                        if not is_read or board.pending_starts < pending:
                            is_read = True
                            limit.reschedule(loop.time() + _EXTRA_TIMEOUT)
                        pending = board.pending_starts
                        continue
                    line.show(_progress_words(board))
                    if board.error is not None:
                        retry_window.tolerate(board.error)
                    elif board.live:
                        retry_window.reached = True
                        retry_window.clear_error()
                    now = (
                        board.is_named,
                        len(board.live),
                        len(board.inaccessible),
                        board.pending_causes,
                    )
                    if now != progress:
                        progress = now
                        limit.reschedule(loop.time() + _IDLE_TIMEOUT)
        except TimeoutError:
            pass
        finally:
            line.clear()
        if self.board is not None and self.board.is_live:
            return self.board  # without the causes and schedules that did not load
        raise OfflineError(
            f"The status of the projects did not load within {_IDLE_TIMEOUT:.0f} s.",
            reason=OfflineReason.TIMEOUT,
        )

    def names(self) -> Names:
        board = self.board
        if board is None:
            return Names(self._known.items())
        base, found = self._service.profile.url, {}
        for item in board.items:
            red = None if item.incident is None else item.incident.newest_red
            green = None if item.recovery is None else item.recovery.green
            if path := path_of_runs((item.newest, red, green), base):
                found[int(item.lane.project)] = path
        named = {project: path for project, path in board.names if path}
        return Names((self._known | found | named).items())


def _progress_words(board: Board) -> str:
    causes = f", {counted(board.pending_causes, 'cause')} pending" * bool(board.pending_causes)
    loaded = f"{board.loaded:,} of {counted(board.watched, 'project')}"
    return f"Loaded {loaded}{causes} (Ctrl+C prints the loaded part)"


async def cached_board(service: PlatformService) -> Board | None:
    feed = service.watch(resources.triage.board(service.triage_state))
    feed.hold(True)
    async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
        return await anext(boards, None)


def path_of_runs(runs: Iterable[PipelineRun | None], base: str) -> str:
    for run in runs:
        place = route_of(run.web_url, base) if run is not None and run.web_url else None
        if place is not None and isinstance(place.project, str):
            return place.project
    return ""
