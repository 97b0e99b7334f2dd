"""Print a summary of a platform if the terminal cannot show the dashboard."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

from platui.cli.reading import read, resources, time_limit
from platui.core.text import clean
from platui.models.values.log import LogState
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.present.jobs import first_failed
from platui.present.logs.status import LogFacts, log_status
from platui.present.pipelines import health, health_words
from platui.present.projects import projects_summary
from platui.present.tables.column_widths import aligned
from platui.present.tables.pipelines import PIPELINES
from platui.present.tables.project_rows import ProjectRows
from platui.present.tables.spec import Context

if TYPE_CHECKING:
    from platui.models.values.table import Row
    from platui.models.wire import Pipeline
    from platui.service import PlatformService

_PROJECTS: Final = 12
_PIPELINES: Final = 5
_LOG_LINES: Final = 12
_UNBOUNDED: Final = 1 << 30


def print_summary(service: PlatformService, project: str) -> None:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # glyphs missing in the encoding
    asyncio.run(_print(service, project))


async def _print(service: PlatformService, project: str) -> None:
    try:
        await service.start()
        await _projects(service)
        failed = await _pipelines(service, project)
        if failed is not None:
            await _failed_job(service, project, failed)
    finally:
        await service.close()


async def _projects(service: PlatformService) -> None:
    all_ = resources.projects.projects(ProjectsQuery())
    listing = await read(service, "its projects", all_, pages=1)
    projects = listing.items
    wanted = [project.id for project in projects][:_PROJECTS]
    feed = service.watch(resources.projects.latest())
    feed.show(wanted)
    latest: dict[int, Pipeline | None] = {}
    async with time_limit("the status of projects"):
        async for known in feed:
            latest = {number: item.pipeline for number, item in known.items()}
            if set(wanted) <= set(latest):
                break
    print(" · ".join(text for text, _ in projects_summary(len(projects), listing.total, latest)))
    shown = [project for project in projects if project.id in latest]
    _table(ProjectRows().rows(shown, latest, (), service.clock.now()))


async def _pipelines(service: PlatformService, project: str) -> int | None:
    listing = await read(
        service, "the pipelines", resources.pipelines.pipelines(PipelinesQuery(project)), pages=1
    )
    pipelines = listing.items
    now = service.clock.now()
    figures = " · ".join(text for text, _ in health_words(health(pipelines, now)))
    print(f"\n{clean(project)}: {figures}")
    _table(PIPELINES.rows(pipelines[:_PIPELINES], Context(now)))
    return next((item.id for item in pipelines if item.status == "failed"), None)


async def _failed_job(service: PlatformService, project: str, pipeline: int) -> None:
    query = JobsQuery(project, pipeline)
    listing = await read(service, "the jobs", resources.jobs.jobs(query))
    jobs = listing.items
    job = first_failed(jobs)
    if job is None:
        return
    state = log_status(job, LogFacts(), service.clock.now(), _UNBOUNDED)
    line = " · ".join(text for text, _ in state)
    print(f"\n#{pipeline} › {clean(job.stage)} › {clean(job.name)}: {line}")
    async with time_limit("a job's log"):
        async for update in service.watch(resources.logs.job_log(project, job.id)):
            if update.error is not None:
                raise update.error
            if update.state is LogState.ENDED:
                last = update.document.line_count
                for y in range(max(0, last - _LOG_LINES), last):
                    print(f"  {update.document.text(y)}")
                break


def _table(rows: Sequence[Row]) -> None:
    for line in aligned([tuple(cell.text for cell in row.cells) for row in rows]):
        print(f"  {line}")
