"""The log of one job, followed while the job runs."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.log import LogState
from platui.models.values.routes import Route
from platui.present.chrome import Age, Freshness
from platui.present.logs.status import log_status
from platui.present.logs.text import Copyable, log_file_name
from platui.service import resources
from platui.ui.controllers.pipeline_logs import PipelineLogs
from platui.ui.controllers.view_keys import PausePolling, Refresh, SignIn, view_command
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.error_display import page
from platui.ui.screens.logs.copy_lines import CopyLines, chosen_lines
from platui.ui.screens.logs.error_navigation import NavigateErrors
from platui.ui.screens.logs.growing_log import LOG_SIGNS, GrowingLog
from platui.ui.screens.logs.initial_position import InitialPosition
from platui.ui.screens.logs.log_job import LogJobKeys, OtherLogKeys
from platui.ui.screens.logs.save_log import LeaveLog, SaveLog
from platui.ui.screens.logs.search_and_filter import TEXT_KEYS
from platui.ui.screens.logs.text_body import TextBody, TextContext, name_job
from platui.ui.screens.parts.list_context import file_route
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.feeds import Snapshot
    from platui.models.values.log import LogFeed, LogUpdate
    from platui.models.values.routes import SavedView
    from platui.models.wire import Job
    from platui.present.chrome import Piece, Pieces


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
        search = self.body.searches.hits.runner.now
        query = None if search is None else search.query
        return replace(
            self.body.route,
            # Without a line, a log opens at its end.
            line=None if self.body.view.position.follow.is_following else self.line,
            search=query.text if query is not None else "",
            is_regex=query is not None and query.is_regex,
        )

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
    context: LogContext
    text: GrowingLog

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = GrowingLog(self, shows_reading=True, opening=InitialPosition(self))
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
            self._confirm(snapshot)
            if before is None or before.status != self.job.status or not self.text.needs_no_draw:
                self.draw_lines()

    def _confirm(self, snapshot: Snapshot[Job]) -> None:
        """Count a silent log as fresh while its job is polled."""
        update = self.text.update
        if update is None or update.error is not None or snapshot.error is not None:
            return
        if update.state is LogState.FOLLOWING and snapshot.fetched_at is not None:
            self.age = Age(Freshness.LIVE, snapshot.fetched_at)
            self.host.update_header()

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
        return log_status(self.job, self.text.facts(), self.now, self.host.size.width - 2)

    def on_resize(self) -> None:
        self.draw_lines()


class LogScreen(ViewScreen):
    BODY = LogBody
    body: LogBody
    CONTROLLERS = (
        LeaveLog, Refresh, PausePolling, SignIn, WatchProjects, PipelineLogs, *TEXT_KEYS,
        NavigateErrors, SaveLog, CopyLines, OtherLogKeys, LogJobKeys,
    )  # fmt: skip
    FOOTER = (
        "log.clear_selection",
        "view.back", "log.next_error", "text.search", "text.filter", "log.fold", "log.follow",
        "log.compare", "log.copy", "log.details", "app.command",
    )  # fmt: skip
    SIGNS = LOG_SIGNS
