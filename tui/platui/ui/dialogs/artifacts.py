"""The artifacts of a job, and the download of their archive."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import getters
from textual.widgets import Input

from platui.core.paths import current_folder, user_path
from platui.core.text import clean, shorten
from platui.models.values.routes import Route
from platui.present.counts import human_bytes
from platui.present.files.artifacts import archive_name, expiry, has_archive, progress_line
from platui.present.tables.jobs import NUMBERED_ARTIFACTS
from platui.present.tables.spec import Context
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import box, keys_line
from platui.ui.dialogs.file_write import FileWriteDialog
from platui.ui.messages import GoTo
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.feeds import Progress
    from platui.models.wire import Job
    from platui.present.chrome import Pieces
    from platui.service import PlatformService


class ArtifactsDialog(FileWriteDialog):
    """Lists artifacts; enter saves the archive under the typed name."""

    CSS = "ArtifactsDialog Table { height: auto; max-height: 12; margin: 1 0; }"
    BINDINGS = [
        bind("escape,q", "artifacts.leave", "Close"),
        bind("tab", "artifacts.browse", "Browse", "List the files of the archive", priority=True),
    ]

    table = getters.query_one(Table)

    def __init__(self, service: PlatformService, near: Route, job: Job, *, utc: bool) -> None:
        """Take the route of the view, which has a project."""
        super().__init__()
        self._service = service
        self._near = near
        self._job = job
        self._utc = utc
        self._began = 0.0

    def compose(self) -> ComposeResult:
        job = self._job
        ends = expiry(job, self._service.clock.now(), utc=self._utc)
        yield box(
            ((f" Artifacts of {clean(job.name)}", "strong"),),
            Table(NUMBERED_ARTIFACTS.layout),
            Bar(((" ", "text"), *ends), id="expiry"),
            *(self.ask_name(archive_name(job)) if has_archive(job) else ()),
            Bar(id="how"),
        )

    def on_mount(self) -> None:
        job, context = self._job, Context(self._service.clock.now(), self._utc)
        rows = NUMBERED_ARTIFACTS.rows(enumerate(job.artifacts), context)
        self.table.can_focus = False
        self.table.set_empty("This job has no artifacts.")
        self.table.show(rows)
        self.table.styles.height = min(12, max(1, len(rows)) + 1)
        if has_archive(job):
            label = f" Save the archive as   (in {shorten(current_folder(), 44)})"
            self.question.show(((label, "muted"),))
            self.set_focus(self.query_one(Input))
        elif rows:
            self.how.show(((" No archive to download.", "muted"),))
        self.show_keys()

    def keys(self) -> Pieces:
        keys = [("enter", "save"), ("tab", "browse")] if has_archive(self._job) else []
        return keys_line(*keys, ("esc", "close"))

    async def write(self, name: str) -> str:
        self._began = self._service.clock.monotonic()
        target = user_path(name)
        downloads = await self._service.downloads()
        size = await downloads.save_artifacts(
            self._near.project or 0, self._job.id, target, self.note
        )
        return f"Saved {shorten(str(target), 60)} ({human_bytes(size)})."

    def action_browse(self) -> None:
        job = self._job
        if has_archive(job) and not self.is_writing:
            near, pipeline = self._near, job.pipeline.id if job.pipeline is not None else None
            self.dismiss(None)
            archive = Route("artifacts", near.project, near.project_name, pipeline, job.id)
            self.app.post_message(GoTo(replace(archive, job_name=clean(job.name))))

    def progress_text(self, progress: Progress | None) -> Pieces:
        seconds = self._service.clock.monotonic() - self._began
        return ((" ", "text"), *progress_line(progress, seconds))
