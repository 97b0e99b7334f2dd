"""Logs of jobs: single, merged, compared and searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.lazy_module import LazyModule
from platui.models.values.queries import JobsQuery
from platui.service.resources.jobs import jobs
from platui.service.resources.resource import FeedSource, Poll, endpoints

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values import comparison, log
    from platui.models.values import search as hits
    from platui.models.values.many_logs import FollowerNotice
    from platui.models.values.queries import ProjectRef
    from platui.models.values.search import SearchQuery
    from platui.service.feeds.read_context import ReadContext
    from platui.service.logs import comparing as log_comparing
    from platui.service.logs import copy as log_copy
    from platui.service.logs import many_logs, successful_runs
    from platui.service.logs import pipeline_search as searching
    from platui.service.logs import tail as log_tail
else:
    comparison = LazyModule("platui.models.values.comparison")
    log = LazyModule("platui.models.values.log")
    hits = LazyModule("platui.models.values.search")
    successful_runs = LazyModule("platui.service.logs.successful_runs")
    log_comparing = LazyModule("platui.service.logs.comparing")
    log_copy = LazyModule("platui.service.logs.copy")
    log_tail = LazyModule("platui.service.logs.tail")
    many_logs = LazyModule("platui.service.logs.many_logs")
    searching = LazyModule("platui.service.logs.pipeline_search")


def job_log(
    project: ProjectRef, job: int, *, errors_may_wait: bool = False
) -> FeedSource[log.LogFeed]:
    """Return the log of one job; older errors of a fast growing one may be found later."""

    def make(context: ReadContext) -> log.LogFeed:
        return log_tail.LogTail(
            context.reader,
            endpoints.jobs.job(project, job),
            context.logs.source(project, job),
            context.logs.cached_log(project, job),
            context.conditions,
            context.interval(Poll.WHILE_ACTIVE),
            log_copy.LogCopy(context.logs.error_rules, errors_may_wait=errors_may_wait),
        )

    return FeedSource(make, _no_log, ("platui.service.logs.tail", "platui.service.logs.copy"))


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
            pipeline,
            context.feed(jobs(JobsQuery(project, pipeline, with_retried=True))),
            lambda job: context.logs.log(project, job),
            describe,
            context.conditions,
            context.interval(Poll.WHILE_ACTIVE),
            whole=whole,
        )

    return FeedSource(make, _no_log, ("platui.service.logs.many_logs",))


def compared(
    project: ProjectRef, job: int, pipeline: int | None = None
) -> FeedSource[log_comparing.ComparedLogs]:
    def make(context: ReadContext) -> log_comparing.ComparedLogs:
        return log_comparing.ComparedLogs(
            context.reader,
            endpoints.jobs.job(project, job),
            successful_runs.SuccessfulRuns(context.reader, project),
            context.logs.log(project, job),
            lambda green: context.logs.log(project, green),
            context.conditions,
            pipeline,
        )

    modules = ("platui.service.logs.comparing", "platui.service.logs.successful_runs")
    commands = ("refresh", "hold", "mask")
    return FeedSource(make, lambda error: comparison.CompareUpdate(error=error), modules, commands)


def search(
    project: ProjectRef, pipeline: int, query: SearchQuery
) -> FeedSource[searching.PipelineSearch]:
    def make(context: ReadContext) -> searching.PipelineSearch:
        return searching.PipelineSearch(
            context.feed(jobs(JobsQuery(project, pipeline, with_retried=True))),
            lambda job: context.logs.log(project, job, with_errors=False),
            context.logs.recent,
            query,
            context.conditions,
        )

    modules = ("platui.service.logs.pipeline_search",)
    commands = ("refresh", "hold", "stop")
    return FeedSource(make, lambda error: hits.PipelineHits(error=error), modules, commands)


def _no_log(error: PlatuiError) -> log.LogUpdate:
    return log.LogUpdate(log.EmptyLog(), log.LogState.OPENING, "", error=error)
