"""Find the last successful run of a job: in earlier successful pipelines of its ref."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.endpoints import jobs, pipelines
from platui.core.errors import PlatuiError
from platui.models.values.comparison import JobRun, LastSuccessSearch
from platui.models.values.connection import Urgency
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectRef
from platui.service.resources.pipelines import all_ended

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint
    from platui.models.wire import Job
    from platui.service.reader import Reader

T = TypeVar("T")

# pages of pipelines to read; without filter support they contain all pipelines
MOST_PAGES: Final = 5

MOST_PIPELINES: Final = 5  # successful pipelines of a ref to search

_SUCCESS: Final = "success"


def run_of(job: Job, pipeline: int | None = None) -> JobRun:
    number = job.pipeline.id if job.pipeline is not None else pipeline
    ref = job.ref or (job.pipeline.ref if job.pipeline is not None else "")
    return JobRun(number, job.id, job.name, ref, job.status, job.web_url, job.finished_at)


class SuccessfulRuns:
    """Finds successful runs; finished pipelines are fetched once."""

    def __init__(self, reader: Reader, project: ProjectRef) -> None:
        self._reader = reader
        self._project = project

    async def find(
        self, this: JobRun, on_progress: Callable[[LastSuccessSearch], None]
    ) -> LastSuccessSearch:
        """Return the last successful run of the job, on all refs if its own had no success."""
        on_progress(search := LastSuccessSearch(this.ref))
        search = await self._find(this, this.ref, search, on_progress)
        if search.run is None and not search.without and this.ref:
            on_progress(search := replace(search, has_no_success=True))
            search = await self._find(this, "", search, on_progress)
        return search

    async def _find(
        self,
        this: JobRun,
        ref: str,
        search: LastSuccessSearch,
        on_progress: Callable[[LastSuccessSearch], None],
    ) -> LastSuccessSearch:
        tried = 0
        async for pipeline in self._successful_before(this, ref):
            if pipeline is None or tried == MOST_PIPELINES:
                return replace(search, is_whole=False)
            tried += 1
            on_progress(replace(search, checking=pipeline))
            run = await self._run_in(pipeline, this.name)
            if run is not None:
                return replace(search, run=run)
            search = replace(search, without=(*search.without, pipeline))
        return search

    async def _successful_before(self, this: JobRun, ref: str) -> AsyncIterator[int | None]:
        """Yield successful pipelines before a run's own, newest first; None: there may be more."""
        query = PipelinesQuery(self._project, _SUCCESS, ref)
        number = 1
        for _ in range(MOST_PAGES):
            page = await self._ask(pipelines.pipelines(query).page(number))
            # Pages shift while they are read, and some platforms do not sort them.
            for pipeline in sorted({one.id for one in page.items}, reverse=True):
                if this.pipeline is None or pipeline < this.pipeline:
                    yield pipeline
            if page.next is None:
                return
            number = page.next
        yield None

    async def _run_in(self, pipeline: int, name: str) -> JobRun | None:
        newest: Job | None = None
        seen: set[int] = set()
        number: int | None = 1
        while number is not None:
            listed = jobs.jobs(JobsQuery(self._project, pipeline))
            page = await self._ask(listed.page(number), lambda page: all_ended(page.items))
            for job in page.items:
                if job.name == name and job.status == _SUCCESS:
                    newest = job if newest is None or job.id > newest.id else newest
            ids = {job.id for job in page.items}
            if ids <= seen:  # some platforms page for ever
                break
            seen |= ids
            number = page.next
        return None if newest is None else run_of(newest, pipeline)

    async def _ask(
        self, endpoint: Endpoint[T], is_final: Callable[[T], bool] = lambda _: False
    ) -> T:
        """Fetch an endpoint; use the cache if final, or if the request fails."""
        cached = await self._reader.recall(endpoint)
        if cached is not None and is_final(cached.value):
            return cached.value
        try:
            return (await self._reader.fetch(endpoint, Urgency.USER, is_final)).value
        except PlatuiError:
            if cached is None:
                raise
            return cached.value
