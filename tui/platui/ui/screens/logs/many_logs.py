"""Logs of all running and failed jobs of a pipeline, in one stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.log import LogFeed, LogState, LogUpdate
from platui.present.chrome import Age, Freshness, Piece, Pieces
from platui.present.counts import counted
from platui.present.logs.many_logs import (
    describe_notice,
    jobs_status,
    nothing_to_follow,
    partial_note,
)
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.pipeline_logs import PipelineLogs
from platui.ui.controllers.view_keys import VIEW_KEYS, CopyView
from platui.ui.error_display import page
from platui.ui.screens.logs.growing_log import LOG_SIGNS, GrowingLog
from platui.ui.screens.logs.navigation import NavigateErrors
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.many_logs import StreamJobs
    from platui.models.values.routes import Route, SavedView


class ManyLogsContext(TextContext["ManyLogsBody"]):
    def crumbs(self) -> tuple[str, ...]:
        stream = self.body.stream
        count = len(stream.jobs) if stream is not None else 0
        logs = counted(count, "job") if count else "jobs"
        return (self.project_name, f"#{self.body.route.pipeline}", logs)


class ManyLogsBody(TextBody):
    CONTEXT = ManyLogsContext
    CALLED = "these logs"
    OPENS_AT_CAUSE = False
    text: GrowingLog

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = GrowingLog(self)

    @property
    def stream(self) -> StreamJobs | None:
        return self.text.update.stream if self.text.update is not None else None

    def open_feed(self) -> LogFeed | None:
        project, pipeline = self.route.project, self.route.pipeline
        if project is None or pipeline is None:
            return None
        return self.service.watch(resources.logs.many_job_logs(project, pipeline, describe_notice))

    def take(self, item: LogUpdate) -> None:
        self.text.take(item)
        # The list of jobs decides which logs exist: its age counts.
        fetched_at = item.stream.fetched_at if item.stream is not None else None
        if fetched_at is not None:
            known = {LogState.ENDED: Freshness.SETTLED}.get(item.state, Freshness.LIVE)
            self.age = Age(Freshness.STALE if item.error is not None else known, fetched_at)
            self.host.update_header()

    def nothing(self) -> str:
        update, stream = self.text.update, self.stream
        if self.error is not None:
            return page(self.error, self.host.key_of)
        if update is None or stream is None or update.state is LogState.OPENING:
            return "Loading the jobs of this pipeline …"
        if stream.jobs:
            return "Loading their logs …"
        return nothing_to_follow(stream, self.host.key_of("view.back"))

    def summary_pieces(self) -> Sequence[Piece]:
        room = self.app.size.width - 2
        return [] if self.stream is None else jobs_status(self.stream, self.now, room)

    def position(self) -> Pieces:
        note = partial_note(self.stream) if self.stream is not None else ""
        part = ((note, "muted"),) if note else ()
        return (*self.text.position(), *part)


class OpenLogOfLine(Controller[ManyLogsBody]):
    @command("enter", "many.open", "Open log")
    def open(self) -> None:
        """Open the log of this line, at this line."""
        body = self.body
        document, stream = body.text.document, body.stream
        if document is None or stream is None or not document.line_count:
            return
        in_sight = body.view.position.lines_in_sight
        if not in_sight:
            self.screen.show_hint("No visible line.")
            return
        line = body.view.position.focus_in_sight
        jobs = {one.id: one for one in stream.jobs}
        # By default the last visible line of a job: it is the newest.
        for number in reversed(in_sight) if line is None else (line,):
            origin = document.origin(number)
            job = None if origin is None else jobs.get(origin.job)
            if origin is not None and job is not None:
                break
        else:
            none = "No visible line belongs to a job."
            self.screen.show_hint(none if line is None else "This line belongs to no job.")
            return
        here = replace(body.route, view="log", job=job.id, job_name=clean(job.name))
        self.screen.go_to(replace(here, line=origin.line))

    def disabled_reason(self, command: str) -> str:
        del command
        document = self.body.text.document
        return "" if document is not None and document.line_count else "No lines yet."


class ManyLogsScreen(ViewScreen):
    BODY = ManyLogsBody
    CONTROLLERS = (
        *VIEW_KEYS, CopyView, PipelineLogs, *TEXT_KEYS, NavigateErrors, OpenLogOfLine,
    )  # fmt: skip
    FOOTER = (
        "log.clear_selection",
        "view.back", "many.open", "log.next_error", "log.follow", "log.end", "log.top",
        "log.numbers", "view.pause", "app.command",
    )  # fmt: skip
    SIGNS = LOG_SIGNS
