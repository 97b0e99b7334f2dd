"""The last green run of a job: in the newest green pipeline of its ref, before its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.endpoints import jobs, pipelines
from platui.core.errors import PlatuiError
from platui.models.values.comparison import JobRun, LastSuccessSearch
from platui.models.values.connection import Urgency
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.models.values.statuses import ENDED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from platui.api.endpoint import Endpoint
    from platui.models.values.feeds import Page
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Job
    from platui.service.reader import Reader

T = TypeVar("T")

MOST_PAGES: Final = 5
"""Pages of pipelines that are read; where a platform ignores filters they hold all pipelines."""

MOST_PIPELINES: Final = 5
"""Green pipelines of a ref in which the job is looked for."""

_SUCCESS: Final = "success"


def run_of(job: Job, pipeline: int | None = None) -> JobRun:
    number = job.pipeline.id if job.pipeline is not None else pipeline
    ref = job.ref or (job.pipeline.ref if job.pipeline is not None else "")
    return JobRun(number, job.id, job.name, ref, job.status, job.web_url, job.finished_at)


class SuccessfulRuns:
    """Looks for green runs; what is known of finished pipelines is not asked for again."""

    def __init__(self, reader: Reader, project: ProjectRef) -> None:
        self._reader = reader
        self._project = project

    async def find(
        self, this: JobRun, tell: Callable[[LastSuccessSearch], None]
    ) -> LastSuccessSearch:
        """Return the last green run of the same job, or how far it was looked for.

        A ref that was never green (a new branch, a tag, a merge request) is compared with
        whatever ref was green last: that is said in the answer.

        Raises PlatuiError: no usable answer.
        """
        tell(search := LastSuccessSearch(this.ref))
        search = await self._find(this, this.ref, search, tell)
        if search.run is None and not search.without and this.ref:
            tell(search := replace(search, has_no_success=True))
            search = await self._find(this, "", search, tell)
        return search

    async def _find(
        self,
        this: JobRun,
        ref: str,
        search: LastSuccessSearch,
        tell: Callable[[LastSuccessSearch], None],
    ) -> LastSuccessSearch:
        tried = 0
        async for pipeline in self._green_before(this, ref):
            if pipeline is None or tried == MOST_PIPELINES:
                return replace(search, is_whole=False)
            tried += 1
            tell(replace(search, checking=pipeline))
            run = await self._run_in(pipeline, this.name)
            if run is not None:
                return replace(search, run=run)
            search = replace(search, without=(*search.without, pipeline))
        return search

    async def _green_before(self, this: JobRun, ref: str) -> AsyncIterator[int | None]:
        """Yield green pipelines before a run's own, newest first; None: there may be more."""
        query = PipelinesQuery(self._project, _SUCCESS, ref)
        number = 1
        for _ in range(MOST_PAGES):
            page = await self._ask(pipelines.pipelines(query).page(number))
            # Pages shift while they are read, and not every platform sorts them.
            for pipeline in sorted({one.id for one in page.items}, reverse=True):
                if this.pipeline is None or pipeline < this.pipeline:
                    yield pipeline
            if page.next is None:
                return
            number = page.next
        yield None

    async def _run_in(self, pipeline: int, name: str) -> JobRun | None:
        newest: Job | None = None
        number: int | None = 1
        while number is not None:
            listed = jobs.jobs(JobsQuery(self._project, pipeline))
            page = await self._ask(listed.page(number), _have_ended)
            for job in page.items:
                if job.name == name and job.status == _SUCCESS:
                    newest = job if newest is None or job.id > newest.id else newest
            number = page.next
        return None if newest is None else run_of(newest, pipeline)

    async def _ask(
        self, endpoint: Endpoint[T], is_final: Callable[[T], bool] = lambda _: False
    ) -> T:
        """Return what the platform says; what is kept where that is for good, or all there is."""
        kept = await self._reader.recall(endpoint)
        if kept is not None and is_final(kept.value):
            return kept.value
        try:
            return (await self._reader.fetch(endpoint, Urgency.USER, is_final)).value
        except PlatuiError:
            if kept is None:
                raise
            return kept.value


def _have_ended(page: Page[Job]) -> bool:
    return bool(page.items) and all(job.status in ENDED for job in page.items)
