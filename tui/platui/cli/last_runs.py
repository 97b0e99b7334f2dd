"""How the newest pipeline of each of many projects stands, as the platform tells it now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.listing import gather
from platui.cli.progress_line import ProgressLine
from platui.core.errors import ForbiddenError, NotFoundError, PlatuiError
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models import Pipeline, Project
    from platui.service import PlatformService

_AT_ONCE: Final = 4
"""Requests under way: what else uses this quota goes on meanwhile."""


class LastRun(NamedTuple):
    """A project, and its newest pipeline."""

    project: Project
    pipeline: Pipeline | None = None
    is_known: bool = True
    """Whether the platform has told that there is one, or none."""


async def last_runs(service: PlatformService, projects: Sequence[Project]) -> list[LastRun]:
    """Return the last run of each project, at the cost of a request for each.

    Raises:
        PlatuiError: the platform does not answer, or the quota is spent.
    """
    line, room, done = ProgressLine("platui"), asyncio.Semaphore(_AT_ONCE), 0

    async def ask(project: Project) -> LastRun:
        nonlocal done
        async with room:
            run = await _last_run(service, project)
        done += 1
        line.show(f"{done:,} of {counted(len(projects), 'project')} asked (ctrl+c stops)")
        return run

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ask(one)) for one in projects]
    except* PlatuiError as errors:  # the others were ended by the first
        raise errors.exceptions[0] from None
    finally:
        line.clear()
    return [task.result() for task in tasks]


async def _last_run(service: PlatformService, project: Project) -> LastRun:
    try:
        newest = await gather("pipelines", service.feeds.watch_newest(project.id), 1)
    except (ForbiddenError, NotFoundError):
        return LastRun(project, is_known=False)
    return LastRun(project, newest.items[0] if newest.items else None)
