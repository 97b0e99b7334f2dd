"""The log of one job, followed while the job runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.log import LogFeed, LogState, LogUpdate
from platui.models.values.queries import JobsQuery, RecordKind, RecordRef
from platui.models.values.routes import Route, SavedView
from platui.present.chrome import Age, Freshness, Piece, Pieces
from platui.present.details.jobs import job_details
from platui.present.logs.status import log_status
from platui.present.logs.text import Copyable, log_file_name
from platui.present.status import FAILED
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.pipeline_logs import PipelineLogs, all_jobs, pipeline_route
from platui.ui.controllers.row_actions import RowActions
from platui.ui.controllers.view_keys import PausePolling, Refresh, SignIn, view_command
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.error_display import page
from platui.ui.messages import OpenPage
from platui.ui.screens.logs.attempts import Attempts
from platui.ui.screens.logs.copy_and_save import CopyLines, LeaveLog, SaveLog, chosen_lines
from platui.ui.screens.logs.growing_log import LOG_SIGNS, GrowingLog
from platui.ui.screens.logs.navigation import NavigateErrors
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext, name_job
from platui.ui.screens.parts.list_context import file_route
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.feeds import Snapshot
    from platui.models.wire import Job
    from platui.present.details.layout import Details

_WIDE: Final = 100  # Columns from which few lines are cut


class LogContext(TextContext["LogBody"]):
    def crumbs(self) -> tuple[str, ...]:
        route = self.body.route
        pipeline = (f"#{route.pipeline}",) if route.pipeline else ()
        return (self.project_crumb, *pipeline, route.job_name or f"job {route.job}")

    def comparison(self) -> Route | None:
        here = self.body.route
        if here.project is None or here.job is None:
            return None
        return Route(
            "compare", here.project, here.project_name, here.pipeline, here.job, here.job_name
        )

    def file(self) -> Route | None:
        job = self.body.job
        return file_route(self.body.route, job) if job is not None else None

    def current_route(self) -> Route:
        search = self.body.hits.runner.now
        query = None if search is None else search.query
        return replace(
            self.body.route,
            # Without a line, a log opens at its end; the lines of a tail have other numbers.
            line=None if self._has_no_line else self.line,
            search=query.text if query is not None else "",
            is_regex=query is not None and query.is_regex,
        )

    @property
    def _has_no_line(self) -> bool:
        return self.body.view.position.follow.is_following or self.body.text.is_tail

    def file_name(self) -> str:
        return log_file_name(self.body.route.job_name, self.body.route.job)

    def other_copies(self) -> list[Copyable]:
        route, job = self.body.route, self.body.job
        address = job.web_url if job is not None else ""
        where = clean(address) if address else f"{clean(str(route.project))} {route.job}"
        words = " ".join(shlex.quote(word) for word in where.split(" "))
        known = [Copyable("the job's URL", text=clean(address))] if address else []
        return [
            *known,
            Copyable("the job's id", text=str(route.job)),
            Copyable("a command that opens this log", text=f"platui log {words}"),
            Copyable("a command that opens it at this line", text=view_command(self.body)),
        ]


class LogBody(TextBody):
    CONTEXT = LogContext
    SEARCH_WIDENS = True
    SHOWS_READING = True
    context: LogContext
    text: GrowingLog

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = GrowingLog(self)
        self.attempts = host.controller(Attempts)
        self.job: Job | None = None

    def start_feeds(self) -> None:
        project, job = self.route.project, self.route.job
        if project is None or job is None:
            return
        super().start_feeds()
        job_feed = self.feeds.get("job") or self.service.watch(resources.jobs.job(project, job))
        self.feeds.follow("job", job_feed, self._take_job)

    def open_feed(self) -> LogFeed | None:
        project, job = self.route.project, self.route.job
        if project is None or job is None:
            return None
        return self.service.watch(resources.logs.job_log(project, job, errors_may_wait=True))

    def forget(self) -> None:
        super().forget()
        self.job = None

    def take(self, item: LogUpdate) -> None:
        self.text.take(item)

    def _take_job(self, snapshot: Snapshot[Job]) -> None:
        if snapshot.value is not None:
            before, self.job = self.job, snapshot.value
            name_job(self, self.job.name, self.job.pipeline.id if self.job.pipeline else None)
            self.attempts.load(self.job)
            update = self.text.update
            is_silent = (
                update is not None and update.state is LogState.FOLLOWING and update.error is None
            )
            if is_silent and snapshot.error is None and snapshot.fetched_at is not None:
                # A silent log counts as fresh while its job is polled.
                self.age = Age(Freshness.LIVE, snapshot.fetched_at)
                self.host.update_header()
            if before is None or before.status != self.job.status or not self.text.needs_no_draw:
                self.draw_lines()

    def nothing(self) -> str:
        update = self.text.update
        if update is not None and update.error is not None:
            return page(update.error, self.host.key_of)
        if update is None or update.state is LogState.OPENING:
            return "Loading the log …"
        status = clean(update.job_status) or "unknown"
        if update.state is LogState.ENDED:
            return f"This job has no log: it is {status}.\n\nesc  back"
        return f"No lines yet: the job is {status}.\n\nNew lines appear here."

    def position(self) -> Pieces:
        return (*chosen_lines(self.view), *self.text.position())

    def summary_pieces(self) -> Sequence[Piece]:
        facts, attempt = self.text.facts(), self.attempts.words()
        return log_status(self.job, facts, self.now, self.host.size.width - 2, attempt)

    def on_resize(self) -> None:
        self.draw_lines()


class LogKeys(Controller[LogBody]):
    @command("J", "log.next_failed", "Next failed")
    def open_next_failed(self) -> None:
        """Open the log of the next failed job of this pipeline."""
        self._open_failed(1)

    @command("K", "log.previous_failed", "Previous failed")
    def open_failed_before(self) -> None:
        """Open the log of the previous failed job of this pipeline."""
        self._open_failed(-1)

    @command("c", "log.compare", "Compare")
    def compare(self) -> None:
        """Compare with the last successful run of this job."""
        if (route := self.body.context.comparison()) is not None:
            self.screen.go_to(route)

    @command("d", "log.details", "Job")
    def show_details(self) -> None:
        """Show details of this job."""
        body, job = self.body, self._loaded_job()
        if job is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            def describe(record: Job | None) -> Details:
                return job_details(record or job, body.context.at_now)

            project, watch = body.route.project, body.service.watch
            feed = None if project is None else watch(resources.jobs.job(project, job.id))
            self.screen.app.push_screen(DetailsDialog(describe, feed))

    @command("i", "log.raw", "Raw JSON")
    def show_raw(self) -> None:
        """Show the API record of this job."""
        route = self.body.route
        if route.project is not None and route.job is not None:
            ref = RecordRef(RecordKind.JOB, route.job, route.project, route.pipeline)
            self.screen.show_raw(f"{route.job_name} · job {route.job}", ref)

    @command("o", "log.browse", "Browser")
    def browse(self) -> None:
        """Open the platform's page of this job."""
        if (job := self._loaded_job()) is None:
            return
        if job.web_url:
            self.screen.post_message(OpenPage(job.web_url))
        else:
            self.screen.show_hint("This job has no URL.")

    @command("D", "log.artifacts", "Artifacts")
    def list_artifacts(self) -> None:
        """List the artifacts of this job to download."""
        if (job := self._loaded_job()) is not None:
            self.screen.show_artifacts(job)

    @command("b", "log.broken_since", "Broken since")
    def show_since(self) -> None:
        """Compare this failed run with the last successful one."""
        here, job = self.body.context.pipeline(), self._loaded_job()
        if job is not None and job.status != FAILED:
            self.screen.show_hint("Nothing to compare: this job has not failed.")
        elif job is not None and here is not None:
            self.screen.go_to(pipeline_route(here, "since", here.pipeline))

    @command("p", "log.file", "Pipeline file")
    def open_file(self) -> None:
        """Show the pipeline file of this job."""
        if self._loaded_job() is not None and (route := self.body.context.file()) is not None:
            self.screen.go_to(route)

    def _loaded_job(self) -> Job | None:
        """Return the job; without it, say so."""
        if self.body.job is None:
            self.screen.show_hint("This job is not loaded.")
        return self.body.job

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        left_out = set()
        if self.body.text.has_ended:
            left_out.add("log.follow")
        if self.screen.size.width >= _WIDE:
            left_out.add("log.wrap")
        return [name for name in names if name not in left_out]

    def _open_failed(self, step: int) -> None:
        route = self.body.route
        if route.project is None or route.job is None:
            return
        if route.pipeline is None:
            self.screen.show_hint("The pipeline of this job is not known yet.")
            return
        query = JobsQuery(route.project, route.pipeline)
        self.body.in_background("feed-failed", self._find_failed, query, route, step)

    async def _find_failed(self, query: JobsQuery, route: Route, step: int) -> None:
        from platui.present.jobs import failed_beside  # noqa: PLC0415  (on first use)

        jobs = await all_jobs(self.body, query)
        if jobs is None or route != self.body.route:
            return
        job = failed_beside(jobs, route.job or 0, step)
        if job is None or job.id == route.job:
            where = "after" if step > 0 else "before"
            self.screen.show_hint(f"No job of this pipeline failed {where} this one.")
            return
        here = replace(route, job=job.id, job_name=clean(job.name))
        self.screen.go_to(replace(here, line=None, search=""))


class NoWrites(RowActions):
    """Explains the write keys, none of which works in a log."""

    def catch_up(self) -> None:
        """A log has no rows."""

    def on_changed(self) -> None:
        """A log has no rows."""

    def disabled_reason(self, command: str) -> str:
        key = self.screen.key_of(command)
        return f"No writes in a log: esc goes back to the list, where {key} works."


class LogScreen(ViewScreen):
    BODY = LogBody
    body: LogBody
    CONTROLLERS = (
        LeaveLog, Refresh, PausePolling, SignIn, WatchProjects, PipelineLogs, *TEXT_KEYS,
        NavigateErrors, SaveLog, CopyLines, Attempts, LogKeys, NoWrites,
    )  # fmt: skip
    FOOTER = (
        "log.clear_selection",
        "view.back", "log.attempt", "log.next_error", "log.wrap", "text.search", "text.filter",
        "log.fold", "log.follow", "log.compare", "log.copy", "log.details", "app.command",
    )  # fmt: skip
    SIGNS = LOG_SIGNS
