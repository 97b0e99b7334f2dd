"""Read the newest pipelines of several projects."""

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

_AT_ONCE: Final = 4  # Concurrent requests
FAILURES: Final = (ServerFailedError, InvalidResponseError, RejectedError)  # Temporary
_NAMED: Final = 5
_MAX_FAILURES: Final = 4


async def last_runs(
    service: PlatformService,
    projects: Sequence[Project],
    take: Callable[[Sequence[LastRun]], None],
) -> list[LastRun]:
    """Read one pipeline per project, a request each; pass them to `take` in order."""
    room, ordered = asyncio.Semaphore(_AT_ONCE), _InOrder(take)
    failures: list[PlatuiError] = []

    async def ask(index: int, project: Project) -> None:
        async with room:
            if len(failures) >= _MAX_FAILURES:
                ordered.put(index, LastRun(project, is_known=False))
                return
            run = await _last_run(service, project)
        if isinstance(run.error, FAILURES):
            failures.append(run.error)
        ordered.put(index, run)
        if ordered.is_known:
            line.clear()
            ordered.pass_on()
        line.show(f"{ordered.count:,} of {counted(len(projects), 'project')} read (Ctrl+C stops)")

    try:
        with ProgressLine() as line:
            async with asyncio.TaskGroup() as group:
                for index, project in enumerate(projects):
                    group.create_task(ask(index, project))
    except* PlatuiError as errors:  # the first cancels the others
        raise errors.exceptions[0] from None
    except* BrokenPipeError:
        raise BrokenPipeError from None
    if failures and not ordered.is_known:
        raise failures[0]
    ordered.pass_on()
    return ordered.passed


class _InOrder:
    def __init__(self, take: Callable[[Sequence[LastRun]], None]) -> None:
        self.passed: list[LastRun] = []
        self.is_known = False
        self._take = take
        self._runs: dict[int, LastRun] = {}

    @property
    def count(self) -> int:
        return len(self._runs)

    def put(self, index: int, run: LastRun) -> None:
        self._runs[index] = run
        self.is_known = self.is_known or run.is_known

    def pass_on(self) -> None:
        """Pass on the runs that are complete from the start."""
        some: list[LastRun] = []
        while (index := len(self.passed) + len(some)) in self._runs:
            some.append(self._runs[index])
        if some:
            self.passed += some
            self._take(some)


def report_unknown(runs: Sequence[LastRun]) -> PlatuiError | None:
    """Print the projects without a known run; return a failure worth a retry."""
    unknown = [run for run in runs if not run.is_known]
    failed = [run.error for run in unknown if isinstance(run.error, FAILURES)]
    refused = [run for run in unknown if isinstance(run.error, HIDDEN)]
    if refused:
        print_notice(f"Last pipeline not visible to this token: {_named(refused)}.")
    others = [run for run in unknown if run not in refused]
    if failed:
        print_notice(f"Last pipeline unknown: {_named(others)}. {failed[0].sentence}")
    return failed[0] if failed else None


def _named(runs: Sequence[LastRun]) -> str:
    return listed([run.project.path_with_namespace or run.project.name for run in runs], _NAMED)


async def _last_run(service: PlatformService, project: Project) -> LastRun:
    try:
        newest = await gather(service, "pipelines", resources.pipelines.newest(project.id), 1)
    except (*HIDDEN, *FAILURES) as error:
        return LastRun(project, is_known=False, error=error)
    return LastRun(project, newest.items[0] if newest.items else None)
