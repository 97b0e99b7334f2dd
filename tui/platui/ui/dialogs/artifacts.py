"""The files a job left, and a download of their archive that can be watched and given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.core.errors import PlatuiError
from platui.core.paths import folder_here, typed_path
from platui.core.text import clean, shorten
from platui.present.artifacts import (
    ARTIFACT_COLUMNS,
    archive_name,
    artifact_rows,
    expiry,
    has_archive,
    progress_line,
)
from platui.present.sizes import human_bytes
from platui.ui.failures import refusal
from platui.ui.messages import Told
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer
    from textual.worker import Worker

    from platui.models import Job
    from platui.models.values.downloads import Progress
    from platui.models.values.queries import ProjectRef
    from platui.present.chrome import Pieces
    from platui.service import PlatformService

_LOOKS = 0.25
"""Seconds between two looks at how far the download is."""


class ArtifactsDialog(ModalScreen[None]):
    """Lists what there is; enter saves the archive under the name that is typed."""

    CSS = """
    ArtifactsDialog { align: center middle; background: $background 60%; }
    ArtifactsDialog > #box {
        width: 96%; max-width: 96; height: auto; max-height: 96%; background: $background;
        border: round $accent; padding: 0 1;
    }
    ArtifactsDialog Table { height: auto; max-height: 12; margin: 1 0; }
    ArtifactsDialog Input, ArtifactsDialog Input:focus {
        border: none; height: 1; padding: 0 1; background: $surface;
    }
    ArtifactsDialog #how { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="artifacts.leave"),
    ]

    table = getters.query_one(Table)
    how = getters.query_one("#how", Bar)
    foot = getters.query_one("#foot", Bar)

    def __init__(
        self, service: PlatformService, project: ProjectRef, job: Job, *, utc: bool
    ) -> None:
        super().__init__()
        self._service = service
        self._project = project
        self._job = job
        self._utc = utc
        self._progress: Progress | None = None
        self._began = 0.0
        self._worker: Worker[None] | None = None
        self._looks: Timer | None = None

    def compose(self) -> ComposeResult:
        """Yield the list, until when it is kept, the name, and how far it is."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield Table(ARTIFACT_COLUMNS)
            yield Bar(id="kept")
            if has_archive(self._job):
                yield Bar(id="question")
                typed = Input(archive_name(self._job), compact=True, select_on_focus=False)
                typed.cursor_blink = False
                yield typed
            yield Bar(id="how")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Show what there is."""
        job = self._job
        rows = artifact_rows(job)
        self.query_one("#title", Bar).show(((f" Artifacts of {clean(job.name)}", "strong"),))
        self.table.can_focus = False
        self.table.set_empty("This job left no artifacts.")
        self.table.show(rows)
        self.table.styles.height = min(12, max(1, len(rows)) + 1)
        now = self._service.clock.now()
        self.query_one("#kept", Bar).show(((" ", "text"), *expiry(job, now, utc=self._utc)))
        if has_archive(job):
            here = f" save the archive as   (in {shorten(folder_here(), 44)})"
            self.query_one("#question", Bar).show(((here, "muted"),))
            self.set_focus(self.query_one(Input))
        elif rows:
            self.how.show(((" There is no archive among these to download.", "muted"),))
        self._tell_keys()

    def _tell_keys(self) -> None:
        if self._worker is not None:
            keys: Pieces = ((" esc", "key"), (" stop", "muted"))
        elif has_archive(self._job):
            keys = ((" enter", "key"), (" save   ", "muted"), ("esc", "key"), (" leave", "muted"))
        else:
            keys = ((" esc", "key"), (" leave", "muted"))
        self.foot.show(keys)

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        event.stop()
        name = event.value.strip()
        if name and self._worker is None:
            self._progress, self._began = None, self._service.clock.monotonic()
            self._worker = self.run_worker(
                self._fetch(name), group="download", exclusive=True,
                description="download artifacts",
            )  # fmt: skip
            self._looks = self.set_interval(_LOOKS, self._look)
            self._look()
            self._tell_keys()

    async def _fetch(self, name: str) -> None:
        """Download, and leave when it is there; what stands in the way is said in place."""
        try:
            target = typed_path(name)
            size = await self._service.save_artifacts(
                self._project, self._job.id, target, self._note
            )
        except PlatuiError as error:
            self._end()
            self.how.show(refusal(error))
        else:
            self._end()
            self.app.post_message(Told(f"Saved {shorten(str(target), 60)} ({human_bytes(size)})."))
            self.dismiss(None)

    def _end(self) -> None:
        """Take note that nothing is under way.

        Not left to a worker that was stopped: it may still hang up when the next one begins.
        """
        self._worker = None
        if self._looks is not None:
            self._looks.stop()
        self._tell_keys()

    def _note(self, progress: Progress) -> None:
        self._progress = progress

    def _look(self) -> None:
        seconds = self._service.clock.monotonic() - self._began
        self.how.show(((" ", "text"), *progress_line(self._progress, seconds)))

    def action_leave(self) -> None:
        """Stop a download that is under way, else leave."""
        if self._worker is None:
            self.dismiss(None)
        else:
            self._worker.cancel()
            self._end()
            self.how.show(((" Stopped.", "warning"),))
