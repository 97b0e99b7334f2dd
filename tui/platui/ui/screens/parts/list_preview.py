"""The preview below the list: of the row under the cursor, the log, the jobs or the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.connection import Connection, ConnectionState
from platui.models.values.previews import HIDDEN, LEAST_LINES, PreviewTarget, RowPreview
from platui.models.values.statuses import ACTIVE
from platui.service import resources

if TYPE_CHECKING:
    from textual.worker import Worker

    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.models.values.triage import PipelineRun
    from platui.models.wire import Job, Pipeline
    from platui.ui.screens.parts.list_body import ListBody
    from platui.ui.widgets.preview_pane import PreviewPane

_FEED: Final = "preview"


class ListPreview:
    """Reads and shows the preview of one row while it has room."""

    def __init__(self, body: ListBody) -> None:
        self._body = body
        self._pane: PreviewPane | None = None
        self._height = 0
        self._target: PreviewTarget | None = None
        self._preview = RowPreview()
        self._reading: Worker[None] | None = None  # Of a text
        self._failed_at: Connection | None = None  # The connection at the error of a text

    @property
    def kind(self) -> str:
        """Return the kind of preview: the user's choice in this view, else its first kind."""
        kinds = self._body.PREVIEWS
        chosen = self._body.service.local_state.preview(self._body.route.view)
        return chosen if chosen in {*kinds, HIDDEN} else kinds[0]

    @property
    def room(self) -> int:
        """Return the lines for a preview: those below the rows; on a wide screen always some."""
        body = self._body
        if not body.PREVIEWS or not body.is_whole:  # an update that comes while the view closes
            return 0
        height = body.query_one("#list").size.height
        free = height - body.table.content_height
        if body.host.has_class("-vast"):
            free = max(free, height * 2 // 5)
        return free if free >= LEAST_LINES and body.table.cursor_key is not None else 0

    def change(self) -> None:
        """Show the next kind of preview, or hide it, and remember the choice."""
        self._body.service.local_state.choose_preview(self._body.route.view, self._next)
        self.draw()

    def forget(self) -> None:
        self._target, self._preview = None, RowPreview()

    def retry(self) -> None:
        """Read again what was not available."""
        if self._preview.error is not None:
            self.forget()
            self.draw()

    def draw_soon(self) -> None:
        """Draw, and the details, once the cursor rests."""
        self._body.at_rest.begin(self._body.details.draw, self.draw)

    def redraw(self) -> None:
        """Draw with new rows; while the cursor moves, only give them the lines they need."""
        if not self._body.at_rest.is_pending:
            self.draw()
        elif self.room < self._height:
            self._set_height(self.room)

    def draw(self) -> None:
        body = self._body
        if not body.PREVIEWS:
            return
        height = 0 if self.kind == HIDDEN else self.room
        key = body.table.cursor_key if height else None
        target = body.context.preview(key, self.kind) if key is not None else None
        self._follow(target)
        self._show(target, height)

    @property
    def _next(self) -> str:
        kinds = (*self._body.PREVIEWS, HIDDEN)
        return kinds[(kinds.index(self.kind) + 1) % len(kinds)]

    @property
    def _is_followed(self) -> bool:
        """Return whether the preview is read or being read; an error counts until online again."""
        if self._target is None or self._target.route is None:
            return self._body.feeds.is_followed(_FEED)
        if self._preview.error is not None:
            line = self._body.service.line.value
            return line == self._failed_at or line.state is not ConnectionState.ONLINE
        worker = self._reading
        is_reading = worker is not None and not (worker.is_finished or worker.is_cancelled)
        return self._preview.is_complete or is_reading

    def _follow(self, target: PreviewTarget | None) -> None:
        body, feeds = self._body, self._body.feeds
        if target == self._target and self._is_followed:
            return
        if target != self._target or self._preview.error is not None:
            self._target, self._preview = target, RowPreview()
        feeds.drop(_FEED)
        if target is None or target.note or not body.host.is_shown:
            return
        if target.route is not None:
            self._reading = body.in_background("feed-preview", self._read, target, target.route)
        else:
            from platui.present.jobs import relevant_job  # noqa: PLC0415  (after the first frame)

            feed = body.service.watch(resources.logs.preview(target, relevant_job))
            feeds.follow(_FEED, feed, self._take)

    async def _read(self, target: PreviewTarget, route: Route) -> None:
        try:
            document = await self._body.context.load_preview(self._body.service, route)
        except PlatuiError as error:
            self._failed_at = self._body.service.line.value
            preview = RowPreview(error=error, is_complete=True)
        else:
            preview = RowPreview(document=document.source.document, is_complete=True)
        if target == self._target:
            self._take(preview)

    def _take(self, preview: RowPreview) -> None:
        self._preview = preview
        if not self._body.at_rest.is_pending:
            self._show(self._target, self.room)

    def _show(self, target: PreviewTarget | None, height: int) -> None:
        if target is None or not height:
            self._set_height(0)
            return
        from platui.ui.widgets.preview_lines import Shown  # noqa: PLC0415  (after the first frame)
        from platui.ui.widgets.preview_pane import PreviewPane  # noqa: PLC0415  (as above)

        body = self._body
        if self._pane is None:
            self._pane = PreviewPane(id="preview")
            body.query_one("#list").mount(self._pane)
        self._set_height(height)
        then = "hide" if self._next == HIDDEN else self._next
        hint = ((body.host.key_of("list.preview"), "key"), (f" {then} ", "muted"))
        self._pane.show(Shown(target, self.kind, self._preview, hint, body.now))

    def _set_height(self, height: int) -> None:
        self._height = height
        if self._pane is not None:
            self._pane.display = height > 0
            self._pane.styles.height = height


def pipeline_preview(
    project: ProjectRef | None, pipeline: Pipeline | PipelineRun | None
) -> PreviewTarget | None:
    if project is None or pipeline is None:
        return None
    return PreviewTarget(project, f"#{pipeline.id}", pipeline.status, pipeline.id)


def job_preview(route: Route, job: Job) -> PreviewTarget | None:
    """Return the log of a job in a list of jobs."""
    if route.project is None:
        return None
    return PreviewTarget(
        route.project,
        clean(job.name),
        job.status,
        job=job.id,
        note="" if job.started_at or job.status in ACTIVE else not_run(job),
        size=job.log_size,
        # The jobs of a pipeline take two requests per poll, those of a project one at most.
        rounds=3 if route.pipeline is not None else 9,
    )


def not_run(job: Job) -> str:
    return f"{clean(job.name)} has not run: it is {clean(job.status)}."
