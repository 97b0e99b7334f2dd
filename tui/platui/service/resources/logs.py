"""Logs of jobs: single, merged, compared and searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from platui.core.lazy_module import LazyModule
from platui.models.values.queries import JobsQuery, ProjectRef
from platui.service.resources.jobs import jobs
from platui.service.resources.pipelines import pipeline as pipeline_record
from platui.service.resources.resource import FeedSource

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values import comparison, log, previews
    from platui.models.values import search as hits
    from platui.models.values.many_logs import FollowerNotice
    from platui.models.values.previews import PreviewTarget
    from platui.models.values.search import SearchQuery
    from platui.models.wire import Job
    from platui.service.feeds.read_context import ReadContext
    from platui.service.logs import comparing as log_comparing
    from platui.service.logs import many_logs
    from platui.service.logs import pipeline_search as searching
    from platui.service.logs import previews as log_previews
    from platui.service.logs import tail as log_tail
else:
    comparison = LazyModule("platui.models.values.comparison")
    log = LazyModule("platui.models.values.log")
    previews = LazyModule("platui.models.values.previews")
    hits = LazyModule("platui.models.values.search")
    log_comparing = LazyModule("platui.service.logs.comparing")
    log_previews = LazyModule("platui.service.logs.previews")
    log_tail = LazyModule("platui.service.logs.tail")
    many_logs = LazyModule("platui.service.logs.many_logs")
    searching = LazyModule("platui.service.logs.pipeline_search")


def job_log(
    project: ProjectRef, job: int, *, errors_may_wait: bool = False
) -> FeedSource[log.LogFeed]:
    """Return the log of one job; older errors of a fast growing one may be found later."""

    def make(context: ReadContext) -> log.LogFeed:
        return log_tail.LogTail(context, project, job, errors_may_wait=errors_may_wait)

    return FeedSource(make, _no_log, ("platui.service.logs.tail",))


def preview(
    target: PreviewTarget, choose: Callable[[Sequence[Job]], Job | None]
) -> FeedSource[log_previews.PreviewFeed]:
    """Return the preview of a row; `choose` returns the job of a pipeline with the log."""

    def make(context: ReadContext) -> log_previews.PreviewFeed:
        return log_previews.PreviewFeed(context, target, choose)

    modules = ("platui.service.logs.previews",)
    return FeedSource(make, lambda error: previews.RowPreview(error=error), modules)


def many_job_logs(
    project: ProjectRef,
    pipeline: int,
    describe: Callable[[FollowerNotice, datetime], tuple[log.Span, ...]],
    *,
    whole: bool = False,
) -> FeedSource[log.LogFeed]:
    """Return the merged logs of running or failed jobs, with `whole` of all from their start."""

    def make(context: ReadContext) -> log.LogFeed:
        return many_logs.ManyLogs(
            context,
            pipeline,
            context.feed(jobs(JobsQuery(project, pipeline, with_retried=True))),
            partial(context.logs.log, project),
            describe,
            whole=whole,
            record=context.reading(pipeline_record(project, pipeline)),
        )

    return FeedSource(make, _no_log, ("platui.service.logs.many_logs",))


def compared(
    project: ProjectRef, job: int, pipeline: int | None = None
) -> FeedSource[log_comparing.ComparedLogs]:
    def make(context: ReadContext) -> log_comparing.ComparedLogs:
        return log_comparing.ComparedLogs(context, project, job, pipeline)

    modules = ("platui.service.logs.comparing",)
    commands = ("refresh", "hold", "toggle_masks")
    return FeedSource(make, lambda error: comparison.CompareUpdate(error=error), modules, commands)


def search(
    project: ProjectRef, pipeline: int, query: SearchQuery
) -> FeedSource[searching.PipelineSearch]:
    def make(context: ReadContext) -> searching.PipelineSearch:
        return searching.PipelineSearch(context, project, pipeline, query)

    modules = ("platui.service.logs.pipeline_search",)
    commands = ("refresh", "hold", "stop")
    return FeedSource(make, lambda error: hits.PipelineHits(error=error), modules, commands)


def _no_log(error: PlatuiError) -> log.LogUpdate:
    return log.LogUpdate(log.EmptyLog(), log.LogState.OPENING, "", error=error)
