"""How the newest pipeline of each of many projects stands, as the platform tells it now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.listing import gather
from platui.cli.naming import listed
from platui.cli.patience import narrate
from platui.cli.progress_line import ProgressLine
from platui.core.errors import (
    ForbiddenError,
    NotFoundError,
    PlatuiError,
    RejectedError,
    ServerFailedError,
    UnreadableAnswerError,
)
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models import Pipeline, Project
    from platui.service import PlatformService

_AT_ONCE: Final = 4
"""Requests under way: what else uses this quota goes on meanwhile."""
_REFUSALS: Final = (ForbiddenError, NotFoundError)
FAILURES: Final = (ServerFailedError, UnreadableAnswerError, RejectedError)
"""What is not known of one project because of them, another try may tell."""
_NAMED: Final = 5
_BEARS: Final = 4
"""Projects that may fail before the rest is not asked any more."""


class LastRun(NamedTuple):
    """A project, and its newest pipeline."""

    project: Project
    pipeline: Pipeline | None = None
    is_known: bool = True
    """Whether the platform has told that there is one, or none."""
    error: PlatuiError | None = None
    """Why it is not known; None also where it was not asked any more."""


async def last_runs(
    service: PlatformService,
    projects: Sequence[Project],
    take: Callable[[Sequence[LastRun]], None],
) -> list[LastRun]:
    """Return the last run of each project, at the cost of a request for each.

    What the platform does not tell of one of them takes nothing from the others.

    Args:
        service: the platform's.
        projects: of which.
        take: is given them as they come, in their order; nothing before one is known.

    Raises:
        PlatuiError: the platform does not answer, or the quota is spent; or it failed so often
            that nothing is known.
    """
    line, room = ProgressLine(), asyncio.Semaphore(_AT_ONCE)
    row = _Row(take)
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
        async with asyncio.TaskGroup() as group:
            for place, project in enumerate(projects):
                group.create_task(ask(place, project))
    except* PlatuiError as errors:  # the others were ended by the first
        raise errors.exceptions[0] from None
    except* BrokenPipeError:
        raise BrokenPipeError from None
    finally:
        line.clear()
    if failures and not row.is_known:
        raise failures[0]
    row.give()
    return row.given


class _Row:
    """Puts what comes in any order into its own, and gives it on."""

    def __init__(self, take: Callable[[Sequence[LastRun]], None]) -> None:
        self.given: list[LastRun] = []
        self.is_known = False
        """Whether anything of it is known."""
        self._take = take
        self._told: dict[int, LastRun] = {}

    @property
    def count(self) -> int:
        """Return how many were put into it."""
        return len(self._told)

    def put(self, place: int, run: LastRun) -> None:
        """Take the run of a place."""
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


def tell_unknown(runs: Sequence[LastRun]) -> PlatuiError | None:
    """Say on stderr of which projects the last run is not known, and why.

    Returns the failure for which another try is worth while; None where there was none. What
    is not shown to a token is none.
    """
    unknown = [run for run in runs if not run.is_known]
    failed = [run.error for run in unknown if isinstance(run.error, FAILURES)]
    refused = [run for run in unknown if isinstance(run.error, _REFUSALS)]
    if refused:
        narrate(f"The last run is not shown to this token: {_named(refused)}.")
    others = [run for run in unknown if run not in refused]
    if failed:
        narrate(f"The last run is not known: {_named(others)}. {failed[0].sentence}")
    return failed[0] if failed else None


def _named(runs: Sequence[LastRun]) -> str:
    return listed([run.project.path_with_namespace or run.project.name for run in runs], _NAMED)


async def _last_run(service: PlatformService, project: Project) -> LastRun:
    try:
        newest = await gather("pipelines", service.feeds.watch_newest(project.id), 1)
    except (*_REFUSALS, *FAILURES) as error:
        return LastRun(project, is_known=False, error=error)
    return LastRun(project, newest.items[0] if newest.items else None)
