"""The log of one job: it grows while the job runs, and stays put while one reads."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import on

from platui.core.text import clean
from platui.models.values.log import LogState
from platui.models.values.places import Place
from platui.models.values.queries import JobsQuery, RecordKind, RecordRef
from platui.present.chrome import Age, Freshness
from platui.present.details.jobs import job_details
from platui.present.logs.status import log_status
from platui.present.logs.text import Copyable, log_file_name
from platui.present.status import FAILED
from platui.service import resources
from platui.ui.controllers.pipeline_logs import PipelineLogs, search_words
from platui.ui.controllers.watching import WatchProjects
from platui.ui.failures import page
from platui.ui.keys_in_use import bind
from platui.ui.messages import Failed, GoTo, PageWanted, PlaceLearned, Told
from platui.ui.screens.base import PlaceScreen
from platui.ui.screens.hunting import SEARCH
from platui.ui.screens.log_jumps import ErrorJumps
from platui.ui.screens.log_output import LogOutput
from platui.ui.screens.parts.list_body import file_place
from platui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.feeds import Snapshot
    from platui.models.values.log import LogFeed, LogUpdate
    from platui.models.wire import Job
    from platui.present.details.layout import Details


class OtherLogs(PlaceScreen):
    """Keys from the log of a job to other logs: of the next failed job, of its last green run."""

    BINDINGS = [
        bind(
            "J",
            "log.next_failed",
            "Next failed",
            "Open the log of the next failed job of this pipeline",
            action="failed_job(1)",
        ),
        bind(
            "K",
            "log.previous_failed",
            "Failed before",
            "Open the log of the failed job before this one",
            action="failed_job(-1)",
        ),
        bind("c", "log.compare", "Compare", "Compare with the log of this job's last green run"),
    ]

    def compared_here(self) -> Place | None:
        """Return where this job's log is compared."""
        here = self.place
        if here.project is None or here.job is None:
            return None
        return Place(
            "compare", here.project, here.project_name, here.pipeline, here.job, here.job_name
        )

    def action_compare(self) -> None:
        """Compare the log with that of the job's last green run."""
        if (place := self.compared_here()) is not None:
            self.post_message(GoTo(place))

    def action_failed_job(self, step: int) -> None:
        """Find the next failed job, or the one before, and open its log."""
        if self.place.project is None or self.place.job is None:
            return
        if self.place.pipeline is None:
            self.post_message(Told("It is not known yet which pipeline this job belongs to."))
            return
        place = self.place
        self.in_background("feed-failed", self._open_failed, place, step)

    async def _open_failed(self, place: Place, step: int) -> None:
        assert place.project is not None  # noqa: S101  (the caller looked)
        assert place.job is not None  # noqa: S101  (the same)
        query = JobsQuery(place.project, place.pipeline)
        async for snapshot in self.service.watch(resources.jobs.jobs(query)):
            if snapshot.error is not None and snapshot.value is None:
                self.post_message(Failed(snapshot.error))
                return
            if snapshot.value is None or not snapshot.value.complete:
                continue
            if place == self.place:
                self._go_on(place, snapshot.value.items, step)
            return

    def _go_on(self, place: Place, jobs: Sequence[Job], step: int) -> None:
        from platui.present.jobs import failed_beside  # noqa: PLC0415  (on first use)

        job = failed_beside(jobs, place.job or 0, step)
        if job is None or job.id == place.job:
            where = "after" if step > 0 else "before"
            self.post_message(Told(f"No job of this pipeline failed {where} this one."))
            return
        self.post_message(
            GoTo(replace(place, job=job.id, job_name=clean(job.name), line=None, search=""))
        )


class LogPipelineLogs(PipelineLogs):
    """Every log of the pipeline of this job."""

    def sought(self) -> str:
        """Return what is searched for in this log."""
        hunt = self.screen.hunt(SEARCH)
        if hunt is None:
            return ""
        return search_words(hunt.query.text, is_regex=hunt.query.is_regex)


class LogScreen(LogOutput, ErrorJumps, OtherLogs):
    """A log view between two lines: how the job stands, and where one is in its log."""

    FOOTER = (
        "log.end_selection",
        "place.up", "log.next_error", "text.search", "text.filter", "log.fold", "log.follow",
        "log.compare", "log.copy", "log.details", "app.command",
    )  # fmt: skip
    CONTROLLERS = (WatchProjects, LogPipelineLogs)
    BINDINGS = [
        bind("d", "log.details", "Job", "Everything known of this job"),
        bind("i", "log.raw", "Raw JSON", "What the platform really said of this job"),
        bind("o", "log.browse", "Browser", "Open the platform's own page of this job"),
        bind("D", "log.artifacts", "Artifacts", "The files that this job left, to be downloaded"),
        bind(
            "b",
            "log.since",
            "Broken since",
            "Hold this red run against the last green one: what changed in between",
        ),
        bind("p", "log.file", "Pipeline file", "Read the pipeline file that this job comes from"),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._job: Job | None = None

    def crumbs(self) -> tuple[str, ...]:
        """Return project, pipeline and job."""
        place = self.place
        project = self.project_crumb
        pipeline = (f"#{place.pipeline}",) if place.pipeline else ()
        return (project, *pipeline, place.job_name or f"job {place.job}")

    def start_feeds(self) -> None:
        """Follow the log, and the job it belongs to."""
        project, job = self.place.project, self.place.job
        if project is None or job is None:
            return
        super().start_feeds()
        job_feed = self.feeds.get("job") or self.service.watch(resources.jobs.job(project, job))
        self.feeds.follow("job", job_feed, self._show_job)

    def open_feed(self) -> LogFeed | None:
        """Return the feed of the job's log."""
        project, job = self.place.project, self.place.job
        if project is None or job is None:
            return None
        return self.service.watch(resources.logs.job_log(project, job, errors_may_wait=True))

    def forget(self) -> None:
        """Drop the log of the job of before."""
        super().forget()
        self._job = None

    def _show_job(self, snapshot: Snapshot[Job]) -> None:
        if snapshot.value is not None:
            before, self._job = self._job, snapshot.value
            self._learn(snapshot.value)
            self._confirm(snapshot)
            if before is None or before.status != self._job.status or not self.rests:
                self.draw_lines()

    def _confirm(self, snapshot: Snapshot[Job]) -> None:
        """Know that a log that is silent is looked at all the same, as its job is."""
        update = self._update
        if update is None or update.error is not None or snapshot.error is not None:
            return
        if update.state is LogState.FOLLOWING and snapshot.fetched_at is not None:
            self.age = Age(Freshness.LIVE, snapshot.fetched_at)
            self.tell_header()

    def _learn(self, job: Job) -> None:
        """Take name and pipeline of a job that was opened by its address alone."""
        pipeline = job.pipeline.id if job.pipeline else self.place.pipeline
        place = replace(self.place, pipeline=pipeline, job_name=clean(job.name))
        if place != self.place:
            self.place = place
            self.post_message(PlaceLearned(place))
            self.tell_header()

    def nothing(self) -> str:
        """Return why there is no line, or not yet."""
        update = self._update
        if update is not None and update.error is not None:
            return page(update.error, self.key_of)
        if update is None or update.state is LogState.OPENING:
            return "Asking for the log …"
        status = clean(update.job_status) or "unknown"
        if update.state is LogState.ENDED:
            return f"This job is {status} and left no log.\n\nesc  back"
        return f"No line yet: the job is {status}.\n\nThe log shows here as it is written."

    def is_on_its_way(self, update: LogUpdate) -> bool:
        """Return whether the log is being read for the first time."""
        return update.error is None and not self.was_current

    def draw_lines(self) -> None:
        """Show how the job stands, and where one is."""
        if not self.is_whole:
            return
        now = self.service.clock.now()
        # A blank at each end.
        self.summarize(log_status(self._job, self.facts(), now, self.size.width - 2))
        self.show_where()

    def on_resize(self) -> None:
        """Say as much above the log as fits now."""
        self.draw_lines()

    def action_details(self) -> None:
        """Show everything known of the job."""
        if self._job is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            project, job = self.place.project, self._job.id
            feed = None if project is None else self.service.watch(resources.jobs.job(project, job))
            self.app.push_screen(DetailsDialog(self._details, feed))

    def action_raw(self) -> None:
        """Show what the platform really said of the job."""
        project, job = self.place.project, self.place.job
        if project is not None and job is not None:
            ref = RecordRef(RecordKind.JOB, job, project, self.place.pipeline)
            self.show_raw(f"{self.place.job_name} · job {job}", ref)

    def _details(self, record: Job | None) -> Details | None:
        job = record or self._job
        if job is None:
            return None
        return job_details(job, self.service.clock.now(), utc=self.utc)

    def action_artifacts(self) -> None:
        """List the files that the job left."""
        if self._job is not None:
            self.show_artifacts(self._job)

    def action_since(self) -> None:
        """Hold the red pipeline of this job against the last green one."""
        here = self.pipeline_here()
        if here is None or self._job is None or self._job.status != FAILED:
            self.post_message(Told("Nothing to compare: this job is not red."))
        else:
            place = replace(here, view="since", job=None, job_name="", line=None, search="")
            self.post_message(GoTo(replace(place, is_regex=False)))

    def file_here(self) -> Place | None:
        """Return where the pipeline file of the job is."""
        return file_place(self.place, self._job) if self._job is not None else None

    def widens_search(self) -> bool:
        """Return whether there is a pipeline, all logs of which can be searched."""
        return self.pipeline_here() is not None

    @on(Prompt.Widened)
    def _search_all_logs(self, event: Prompt.Widened) -> None:
        """Look in all logs of the pipeline for what is typed; be here as before meanwhile."""
        event.stop()
        self.focus_body()
        self.cancelled(event.sign)
        self.controller(PipelineLogs).search(search_words(event.text, is_regex=self.is_regex))

    def action_browse(self) -> None:
        """Open the job's page of the platform."""
        if self._job is not None and self._job.web_url:
            self.post_message(PageWanted(self._job.web_url))

    def file_name(self) -> str:
        """Return the job's name and id."""
        return log_file_name(self.place.job_name, self.place.job)

    def other_copies(self) -> list[Copyable]:
        """Return the job's address and id, and the command that opens its log again."""
        place, address = self.place, self._job.web_url if self._job is not None else ""
        where = clean(address) if address else f"{clean(str(place.project))} {place.job}"
        words = " ".join(shlex.quote(word) for word in where.split(" "))
        known = [Copyable("the job's address", text=clean(address))] if address else []
        return [
            *known,
            Copyable("the job's id", text=str(place.job)),
            Copyable("a command that opens this log", text=f"platui log {words}"),
            Copyable("a command that opens it at this line", text=self.view_command()),
        ]

    def place_now(self) -> Place:
        """Return the log at the line one is at, with what is searched for."""
        query = None if (hunt := self.hunt(SEARCH)) is None else hunt.query
        return replace(
            self.place,
            # The end that is followed is where it opens by itself.
            line=None if self.view.follow.sticks else self._line_here(),
            search=query.text if query is not None else "",
            is_regex=query is not None and query.is_regex,
        )
