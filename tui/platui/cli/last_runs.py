"""Read the newest pipelines of several projects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import count, takewhile
from typing import TYPE_CHECKING, Final

from platui.cli.output.progress import ProgressLine, print_notice
from platui.cli.reading import gather, resources
from platui.core.errors import (
    HIDDEN,
    InvalidResponseError,
    PlatuiError,
    RejectedError,
    ServerFailedError,
)
from platui.core.suggestions import listed
from platui.present.counts import counted
from platui.present.tables.projects import LastRun

if TYPE_CHECKING:
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
    room = asyncio.Semaphore(_AT_ONCE)
    runs: dict[int, LastRun] = {}
    passed: list[LastRun] = []
    failures: list[PlatuiError] = []

    def pass_on() -> None:
        """Pass on the runs that are complete from the start."""
        known = takewhile(runs.__contains__, count(len(passed)))
        if some := [runs[index] for index in known]:
            passed.extend(some)
            take(some)

    async def ask(index: int, project: Project) -> None:
        async with room:
            runs[index] = await _last_run(service, project, failures)
        if any(one.is_known for one in runs.values()):
            line.clear()
            pass_on()
        line.show(f"{len(runs):,} of {counted(len(projects), 'project')} read (Ctrl+C stops)")

    try:
        with ProgressLine() as line:
            async with asyncio.TaskGroup() as group:
                for index, project in enumerate(projects):
                    group.create_task(ask(index, project))
    except* PlatuiError as errors:  # the first cancels the others
        raise errors.exceptions[0] from None
    except* BrokenPipeError:
        raise BrokenPipeError from None
    if failures and not any(one.is_known for one in runs.values()):
        raise failures[0]
    pass_on()
    return passed


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


async def _last_run(
    service: PlatformService, project: Project, failures: list[PlatuiError]
) -> LastRun:
    if len(failures) >= _MAX_FAILURES:
        return LastRun(project, is_known=False)
    try:
        newest = await gather(service, "pipelines", resources.pipelines.newest(project.id), 1)
    except (*HIDDEN, *FAILURES) as error:
        if isinstance(error, FAILURES):
            failures.append(error)
        return LastRun(project, is_known=False, error=error)
    return LastRun(project, newest.items[0] if newest.items else None)
