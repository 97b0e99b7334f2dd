"""Every feed that the service hands out: at once, whether or not there is a connection yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from platui.service.deferred import (
    DeferredBoard,
    DeferredComparison,
    DeferredFeed,
    DeferredLatest,
    DeferredLog,
    DeferredSearch,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.models import Bridge, Job, Namespace, Pipeline, Project, RepositoryFile, Schedule
    from platui.models.values.feeds import Feed
    from platui.models.values.log import Span
    from platui.models.values.many_logs import StrandNews
    from platui.models.values.pages import Listing
    from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectRef, ProjectsQuery
    from platui.models.values.search import SearchQuery
    from platui.models.values.triage_memory import Watched
    from platui.service.live import Live
    from platui.service.opening import Opening
    from platui.service.protocols import (
        BoardFeed,
        CompareFeed,
        LatestFeed,
        LogFeed,
        PipelineSearchFeed,
    )
    from platui.service.subject import Subject
    from platui.service.subjects import Subjects
    from platui.service.triage_book import TriageBook

T = TypeVar("T")


class Feeds:
    """Makes feeds; those that are made before the service has started wait for it."""

    def __init__(self, opening: Opening[Live]) -> None:
        self._opening = opening

    def watch_namespaces(self, search: str = "") -> Feed[Listing[Namespace]]:
        """Return the feed of every group and user namespace this credential sees.

        Args:
            search: what stands in name or path; empty: whatever there is.
        """
        return self._polled(lambda subjects: subjects.namespaces(search))

    def watch_projects(self, query: ProjectsQuery) -> Feed[Listing[Project]]:
        """Return the feed of the projects one is a member of."""
        return self._polled(lambda subjects: subjects.projects(query))

    def watch_project(self, project: ProjectRef) -> Feed[Project]:
        """Return the feed of one project."""
        return self._polled(lambda subjects: subjects.project(project))

    def watch_pipelines(self, query: PipelinesQuery) -> Feed[Listing[Pipeline]]:
        """Return the feed of a project's pipelines, newest first."""
        return self._polled(lambda subjects: subjects.pipelines(query))

    def watch_newest(self, project: ProjectRef) -> Feed[Listing[Pipeline]]:
        """Return the feed of a project's pipelines in pages of one: of interest is the newest."""
        return self._polled(lambda subjects: subjects.newest(project))

    def watch_pipeline(self, project: ProjectRef, pipeline: int) -> Feed[Pipeline]:
        """Return the feed of one pipeline's detail."""
        return self._polled(lambda subjects: subjects.pipeline(project, pipeline))

    def watch_ending(self, project: ProjectRef, pipeline: int) -> Feed[Pipeline]:
        """Return the feed of a pipeline that nobody looks at: of interest is that it ends."""
        return self._polled(lambda subjects: subjects.ending(project, pipeline))

    def watch_jobs(self, query: JobsQuery) -> Feed[Listing[Job]]:
        """Return the feed of jobs: all of a pipeline, or those of a project page by page."""
        return self._polled(lambda subjects: subjects.jobs(query))

    def watch_bridges(self, project: ProjectRef, pipeline: int) -> Feed[Listing[Bridge]]:
        """Return the feed of a pipeline's child pipelines; empty where none are offered."""
        return self._polled(lambda subjects: subjects.bridges(project, pipeline))

    def watch_job(self, project: ProjectRef, job: int) -> Feed[Job]:
        """Return the feed of one job."""
        return self._polled(lambda subjects: subjects.job(project, job))

    def watch_own_job(self) -> Feed[Job]:
        """Return the feed of the job whose token this is."""
        return self._polled(lambda subjects: subjects.own_job())

    def watch_file(self, project: ProjectRef, path: str, ref: str) -> Feed[RepositoryFile]:
        """Return the feed of one file of the repository at a branch, tag or commit."""
        return self._polled(lambda subjects: subjects.file(project, path, ref))

    def watch_schedules(self, project: ProjectRef) -> Feed[Listing[Schedule]]:
        """Return the feed of a project's schedules; it says where the platform lists none."""
        return self._polled(lambda subjects: subjects.schedules(project))

    def watch_schedule(self, project: ProjectRef, schedule: int) -> Feed[Schedule]:
        """Return the feed of one schedule, with its variables and its last pipeline."""
        return self._polled(lambda subjects: subjects.schedule(project, schedule))

    def watch_last_runs(self, project: ProjectRef) -> LatestFeed:
        """Return the feed of the last pipeline of each wished schedule of a project."""
        return DeferredLatest(self._opening, lambda live: live.feeds.last_runs(project))

    def watch_latest(self) -> LatestFeed:
        """Return the feed of the newest pipeline of each wished project."""
        return DeferredLatest(self._opening, lambda live: live.feeds.latest())

    def watch_board(
        self, book: TriageBook, watched: Watched | None = None, *, aside: bool = False
    ) -> BoardFeed:
        """Return a feed of the triage board; all that are of the same cost what one does.

        Args:
            book: has what was said of incidents.
            watched: what it is over; None: what the book says is watched.
            aside: whoever iterates it shows it to nobody, and may wait longer for it.
        """
        return DeferredBoard(
            self._opening, lambda live: live.feeds.board(book, watched, aside=aside)
        )

    def follow_log(
        self, project: ProjectRef, job: int, *, errors_may_wait: bool = False
    ) -> LogFeed:
        """Return the feed of one job's log.

        Args:
            project: where the job is.
            job: its number.
            errors_may_wait: whether those of a flood may be found after its newest ones.
        """
        return DeferredLog(
            self._opening,
            lambda live: live.feeds.log(project, job, errors_may_wait=errors_may_wait),
        )

    def follow_many(
        self,
        project: ProjectRef,
        pipeline: int,
        describe: Callable[[StrandNews, datetime], tuple[Span, ...]],
        *,
        whole: bool = False,
    ) -> LogFeed:
        """Return the feed of the logs of all jobs of a pipeline that run or failed.

        Its updates are of the kind `ManyUpdate`.

        Args:
            project: the pipeline's.
            pipeline: its id.
            describe: makes a line of what happens to a job.
            whole: whether what ended before its jobs were listed first is told as well, each
                log from its first line: of a pipeline that was started a moment ago.
        """
        return DeferredLog(
            self._opening,
            lambda live: live.feeds.many_logs(project, pipeline, describe, whole=whole),
        )

    def compare_logs(
        self, project: ProjectRef, job: int, pipeline: int | None = None
    ) -> CompareFeed:
        """Return the feed of a job's log compared with that of its last green run.

        Args:
            project: the project.
            job: the job.
            pipeline: of the job, where it is known; the platform may not tell.
        """
        return DeferredComparison(
            self._opening, lambda live: live.feeds.comparison(project, job, pipeline)
        )

    def search_pipeline(
        self, project: ProjectRef, pipeline: int, query: SearchQuery
    ) -> PipelineSearchFeed:
        """Return the search for a text in every log of a pipeline."""
        return DeferredSearch(
            self._opening, lambda live: live.feeds.search(project, pipeline, query)
        )

    def _polled(self, choose: Callable[[Subjects], Subject[T]]) -> Feed[T]:
        """Return the feed of a subject, one that waits where it must."""
        live = self._opening.live
        if live is not None:
            return live.feeds.polled(choose)
        return DeferredFeed(self._opening, lambda live: live.feeds.polled(choose))
