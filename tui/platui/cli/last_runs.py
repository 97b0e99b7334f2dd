"""Read the newest pipeline of each of many projects."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.cli.output.progress import ProgressLine, print_notice
from platui.cli.reading import gather, resources
from platui.cli.suggestions import listed
from platui.core.errors import (
    HIDDEN,
    InvalidResponseError,
    PlatuiError,
    RejectedError,
    ServerFailedError,
)
from platui.present.counts import counted
from platui.present.tables.projects import LastRun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.wire import Project
    from platui.service import PlatformService

_AT_ONCE: Final = 4
"""Requests under way: what else uses this quota goes on meanwhile."""
FAILURES: Final = (ServerFailedError, InvalidResponseError, RejectedError)
"""What is not known of one project because of them, another try may tell."""
_NAMED: Final = 5
_BEARS: Final = 4
"""Projects that may fail before the rest is not asked any more."""


async def last_runs(
    service: PlatformService,
    projects: Sequence[Project],
    take: Callable[[Sequence[LastRun]], None],
) -> list[LastRun]:
    """It takes a request for each; where one fails, the others are read all the same."""
    room, row = asyncio.Semaphore(_AT_ONCE), _Row(take)
    failures: list[PlatuiError] = []

    async def ask(place: int, project: Project) -> None:
        async with room:
            if len(failures) >= _BEARS:
                row.put(place, LastRun(project, is_known=False))
                return
            run = await _last_run(service, project)
        if isinstance(run.error, FAILURES):
            failures.append(run.error)
        row.put(place, run)
        if row.is_known:
            line.clear()
            row.give()
        line.show(f"{row.count:,} of {counted(len(projects), 'project')} asked (ctrl+c stops)")

    try:
        with ProgressLine() as line:
            async with asyncio.TaskGroup() as group:
                for place, project in enumerate(projects):
                    group.create_task(ask(place, project))
    except* PlatuiError as errors:  # the others were ended by the first
        raise errors.exceptions[0] from None
    except* BrokenPipeError:
        raise BrokenPipeError from None
    if failures and not row.is_known:
        raise failures[0]
    row.give()
    return row.given


class _Row:
    def __init__(self, take: Callable[[Sequence[LastRun]], None]) -> None:
        self.given: list[LastRun] = []
        self.is_known = False
        self._take = take
        self._told: dict[int, LastRun] = {}

    @property
    def count(self) -> int:
        return len(self._told)

    def put(self, place: int, run: LastRun) -> None:
        self._told[place] = run
        self.is_known = self.is_known or run.is_known

    def give(self) -> None:
        """Give on what has nothing missing before it."""
        some: list[LastRun] = []
        while (place := len(self.given) + len(some)) in self._told:
            some.append(self._told[place])
        if some:
            self.given += some
            self._take(some)


def warn_unknown(runs: Sequence[LastRun]) -> PlatuiError | None:
    """Return the failure for which another try is worth while; what is not shown is none."""
    unknown = [run for run in runs if not run.is_known]
    failed = [run.error for run in unknown if isinstance(run.error, FAILURES)]
    refused = [run for run in unknown if isinstance(run.error, HIDDEN)]
    if refused:
        print_notice(f"The last run is not shown to this token: {_named(refused)}.")
    others = [run for run in unknown if run not in refused]
    if failed:
        print_notice(f"The last run is not known: {_named(others)}. {failed[0].sentence}")
    return failed[0] if failed else None


def _named(runs: Sequence[LastRun]) -> str:
    return listed([run.project.path_with_namespace or run.project.name for run in runs], _NAMED)


async def _last_run(service: PlatformService, project: Project) -> LastRun:
    try:
        newest = await gather(service, "pipelines", resources.pipelines.newest(project.id), 1)
    except (*HIDDEN, *FAILURES) as error:
        return LastRun(project, is_known=False, error=error)
    return LastRun(project, newest.items[0] if newest.items else None)
