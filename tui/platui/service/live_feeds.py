"""The feeds of an open connection: what `Feeds` hands out, once there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from platui.api.project_api import ProjectApi
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.service.feed import PolledFeed
from platui.service.green_runs import GreenRuns
from platui.service.latest_feed import BackgroundLatest
from platui.service.log_comparing import ComparedLogs
from platui.service.log_copy import LogCopy
from platui.service.log_tail import LogTail
from platui.service.many_logs import ManyLogs
from platui.service.sightings import Sightings
from platui.service.subjects import Rhythms, Subjects
from platui.service.triage_opening import OpeningBoard

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.models.values.feeds import Feed
    from platui.models.values.log import Span
    from platui.models.values.many_logs import StrandNews
    from platui.models.values.pages import Listing
    from platui.models.values.queries import ProjectRef
    from platui.models.values.search import SearchQuery
    from platui.models.values.triage_memory import Watched
    from platui.models.wire import Job
    from platui.service.job_logs import JobLogs
    from platui.service.neighbours import Neighbours
    from platui.service.protocols import (
        BoardFeed,
        CompareFeed,
        LatestFeed,
        LogFeed,
        PipelineSearchFeed,
    )
    from platui.service.reader import Reader
    from platui.service.subject import Subject
    from platui.service.surface import Surface
    from platui.service.surroundings import Surroundings
    from platui.service.triage_board import TriageBoard
    from platui.service.triage_book import TriageBook

T = TypeVar("T")


class LiveFeeds:
    """Makes feeds that share one cache, one rhythm, and what each has seen of the others."""

    def __init__(
        self,
        surface: Surface,
        reader: Reader,
        operations: ProjectApi,
        around: Surroundings,
        neighbours: Neighbours,
        logs: JobLogs,
    ) -> None:
        """Take what feeds are made of; nothing is asked yet.

        Args:
            surface: clock and settings.
            reader: asks the platform, or the cache.
            operations: what can be asked.
            around: tells feeds when to look up.
            neighbours: which operations the platform has beyond the spec.
            logs: where logs come from.
        """
        self._surface = surface
        self._reader = reader
        self._operations = operations
        self._around = around
        self._logs = logs
        self._boards: dict[Watched | None, TriageBoard] = {}
        self._rhythms = Rhythms(surface.settings.poll)
        self._sightings = Sightings(around.news)
        self.subjects = Subjects(
            reader, operations, self._rhythms, self._sightings, neighbours, surface.clock
        )
        """What is asked, for who asks without a rhythm as well."""

    def polled(self, choose: Callable[[Subjects], Subject[T]]) -> Feed[T]:
        """Return the feed of a subject."""
        return PolledFeed(choose(self.subjects), self._around)

    def last_runs(self, project: ProjectRef) -> LatestFeed:
        """Return the feed of the last pipelines of schedules."""
        return BackgroundLatest(
            self._reader,
            lambda schedule: self._operations.schedule(project, schedule),
            lambda schedule: schedule.last_pipeline,
            self._sightings.note,
            self._around,
            self._rhythms.background,
        )

    def latest(self) -> LatestFeed:
        """Return the feed of the newest pipelines of projects."""
        one = ProjectApi(per_page=1)
        return BackgroundLatest(
            self._reader,
            lambda project: one.pipelines(PipelinesQuery(project)),
            lambda page: page.items[0] if page.items else None,
            self._sightings.note,
            self._around,
            self._rhythms.background,
        )

    def board(
        self, book: TriageBook, watched: Watched | None = None, *, aside: bool = False
    ) -> BoardFeed:
        """Return a feed of the triage board, which is one for all who look at the same.

        Args:
            book: what is watched, and what was said.
            watched: what it is over in the stead of that.
            aside: whoever iterates it shows it to nobody, and may wait longer for it.
        """

        def make() -> BoardFeed:
            # With what knows causes: by now it is there, imported in a thread.
            from platui.service.triage_board import TriageBoard  # noqa: PLC0415

            if watched not in self._boards:
                idle = self._surface.settings.poll.idle
                self._boards[watched] = TriageBoard(
                    self.subjects, self._logs, book, self._around, idle, watched
                )
            return self._boards[watched].seat(aside=aside)

        return OpeningBoard(make)

    def log(self, project: ProjectRef, job: int, *, errors_may_wait: bool) -> LogFeed:
        """Return the feed of one job's log."""
        return LogTail(
            self._reader,
            self._operations.job(project, job),
            self._logs.source(project, job),
            self._logs.kept(project, job),
            self._around,
            self._rhythms.thing,
            LogCopy(self._logs.error_rules, errors_may_wait=errors_may_wait),
        )

    def many_logs(
        self,
        project: ProjectRef,
        pipeline: int,
        describe: Callable[[StrandNews, datetime], tuple[Span, ...]],
        *,
        whole: bool,
    ) -> LogFeed:
        """Return the feed of the logs of all jobs of a pipeline that run or failed."""
        return ManyLogs(
            pipeline,
            self._jobs_of(project, pipeline),
            lambda job: self._logs.log(project, job),
            describe,
            self._around,
            self._rhythms.thing,
            whole=whole,
        )

    def comparison(self, project: ProjectRef, job: int, pipeline: int | None) -> CompareFeed:
        """Return the feed of a job's log compared with that of its last green run."""
        return ComparedLogs(
            self._reader,
            self._operations.job(project, job),
            GreenRuns(self._reader, self._operations, project),
            self._logs.log(project, job),
            lambda green: self._logs.log(project, green),
            self._around,
            pipeline,
        )

    def search(self, project: ProjectRef, pipeline: int, query: SearchQuery) -> PipelineSearchFeed:
        """Return the search for a text in every log of a pipeline."""
        # With its patterns, which a session without a search does not need.
        from platui.service.pipeline_search import PipelineSearch  # noqa: PLC0415

        return PipelineSearch(
            self._jobs_of(project, pipeline),
            lambda job: self._logs.log(project, job, with_errors=False),
            self._logs.recent,
            query,
            self._around,
        )

    def _jobs_of(self, project: ProjectRef, pipeline: int) -> Feed[Listing[Job]]:
        query = JobsQuery(project, pipeline, with_retried=True)
        return self.polled(lambda subjects: subjects.jobs(query))
