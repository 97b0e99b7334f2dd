"""All jobs of a pipeline that run or failed: their logs in one stream, each line with its job."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.log import LogState
from platui.present.chrome import Age, Freshness
from platui.present.counts import counted
from platui.present.logs.many_logs import describe_news, many_line, nothing_to_follow, part_note
from platui.service import resources
from platui.ui.controllers.pipeline_logs import PipelineLogs
from platui.ui.failures import page
from platui.ui.keys_in_use import bind
from platui.ui.messages import GoTo, Told
from platui.ui.screens.error_steps import ErrorSteps

if TYPE_CHECKING:
    from platui.models.values.log import LogFeed, LogUpdate
    from platui.models.values.many_logs import StreamJobs
    from platui.present.chrome import Pieces


class ManyScreen(ErrorSteps):
    """A stream between two lines; `enter` opens the log that a line came from, at that line."""

    THIS = "these logs"
    FOOTER = (
        "log.end_selection",
        "place.up", "many.open", "log.next_error", "log.follow", "log.end", "log.top",
        "log.numbers", "place.hold", "app.command",
    )  # fmt: skip
    CONTROLLERS = (PipelineLogs,)
    BINDINGS = [
        bind(
            "enter",
            "many.open",
            "Its log",
            "Open the log that this line came from, at this line",
            action="open_log",
        )
    ]

    @property
    def _stream(self) -> StreamJobs | None:
        return self._update.stream if self._update is not None else None

    def crumbs(self) -> tuple[str, ...]:
        """Return project, pipeline, and how many logs these are."""
        count = len(self._stream.jobs) if self._stream is not None else 0
        logs = counted(count, "job") if count else "jobs"
        return (self.project_name, f"#{self.place.pipeline}", logs)

    def open_feed(self) -> LogFeed | None:
        """Return the feed of the stream."""
        project, pipeline = self.place.project, self.place.pipeline
        if project is None or pipeline is None:
            return None
        return self.service.watch(resources.logs.many_job_logs(project, pipeline, describe_news))

    def _show(self, update: LogUpdate) -> None:
        super()._show(update)
        # As fresh as the list of jobs is: that tells whether there is anything to look at.
        fetched_at = update.stream.fetched_at if update.stream is not None else None
        if fetched_at is not None:
            known = {LogState.ENDED: Freshness.SETTLED}.get(update.state, Freshness.LIVE)
            self.age = Age(Freshness.STALE if update.error is not None else known, fetched_at)
            self.tell_header()

    def nothing(self) -> str:
        """Return why there is no line, or not yet."""
        update, stream = self._update, self._stream
        if self.error is not None:
            return page(self.error, self.key_of)
        if update is None or stream is None or update.state is LogState.OPENING:
            return "Asking for the jobs of this pipeline …"
        if stream.jobs:
            return "Asking for their logs …"
        return nothing_to_follow(stream)

    def draw_lines(self) -> None:
        """Show how the jobs stand, and where one is."""
        if not self.is_whole:
            return
        now, stream = self.service.clock.now(), self._stream
        room = self.app.size.width - 2
        self.summarize(many_line(stream, now, room) if stream is not None else [])
        self.show_where()

    def position(self) -> Pieces:
        """Return which lines are in sight, and that there are more in the logs."""
        note = part_note(self._stream) if self._stream is not None else ""
        return (*super().position(), *(((note, "muted"),) if note else ()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs a line."""
        document = self.document()
        if action == "open_log" and (document is None or not document.line_count):
            return None
        return super().check_action(action, parameters)

    def action_open_log(self) -> None:
        """Open the log that the line one is at came from, there."""
        document, stream = self.document(), self._stream
        if document is None or stream is None or not document.line_count:
            return
        line = self.view.focus_in_sight
        # Without one, what one looks at is what came last.
        line = self.view.window[1] - 1 if line is None else line
        origin = document.origin(min(max(line, 0), document.line_count - 1))
        if origin is None:
            return
        job = next((one for one in stream.jobs if one.id == origin.job), None)
        if job is None:
            self.post_message(Told("This line is of no job."))
            return
        here = replace(self.place, view="log", job=job.id, job_name=clean(job.name))
        self.post_message(GoTo(replace(here, line=origin.line)))
