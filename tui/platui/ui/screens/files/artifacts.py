"""The files in the artifacts archive of a job, and the text of one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.previews import DOCUMENT, PreviewTarget
from platui.present.chrome import Age, Freshness
from platui.present.counts import counted, human_bytes
from platui.present.files.artifacts import progress_line
from platui.present.files.source import source_of
from platui.present.tables.artifacts import ARCHIVE_FILES
from platui.present.tables.spec import TIMELESS
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import (
    ChangePreview,
    CopyMenu,
    CopyRow,
    FilterRows,
    NextPane,
    PreviousPane,
    SortRows,
)
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.error_display import page
from platui.ui.screens.files.document import (
    DOCUMENT_FOOTER,
    DOCUMENT_KEYS,
    Document,
    DocumentBody,
)
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.feeds import Progress
    from platui.models.values.files import ArchiveEntry
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.service import PlatformService
    from platui.service.files.archives import JobArchive

_INTERVAL: Final = 0.25  # Seconds between updates of the progress


async def open_archive(
    service: PlatformService, route: Route, on_progress: Any = lambda _: None
) -> JobArchive:
    archives = await service.archives()
    return await archives.open(route.project or 0, route.job or 0, on_progress)


async def load_artifact(service: PlatformService, route: Route) -> Document:
    archive = await open_archive(service, route)
    content = await asyncio.to_thread(archive.read, route.path)
    source = await asyncio.to_thread(source_of, content, route.path)
    lines = [] if source.binary else [(counted(source.document.line_count, "line"), "text")]
    return Document(
        source, [(clean(route.path), "accent"), *lines, (human_bytes(len(content)), "text")]
    )


class ArtifactsContext(ListContext["ArtifactsBody"]):
    load_preview = staticmethod(load_artifact)

    def row_key(self, item: ArchiveEntry) -> str:
        return item.name

    def crumbs(self) -> tuple[str, ...]:
        name = self.body.route.job_name or f"job {self.body.route.job}"
        return (self.project_crumb, name, "Artifacts")

    def open(self, key: str) -> None:
        self.body.host.go_to(self._file(key))

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        if self.body.archive is None:
            return None
        route = self._file(key)
        return PreviewTarget(route.project or 0, clean(key), "", route=route)

    def _file(self, key: str) -> Route:
        return replace(self.body.route, view="artifact", path=key)

    def copies(self, key: str) -> Mapping[str, str]:
        return {"path": key}


class ArtifactsBody(ListBody):
    """Downloads the archive, unless it is known."""

    CONTEXT = ArtifactsContext
    NOUN = "files"
    COLUMNS = ARCHIVE_FILES.layout
    PREVIEWS = (DOCUMENT,)
    DEFAULT_COPY = "path"
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.archive: JobArchive | None = None
        self._rows: Sequence[Row] = ()
        self._progress: Progress | None = None
        self._began = 0.0

    def start_feeds(self) -> None:
        if self.archive is None:
            self._began = self.service.clock.monotonic()
            self._progress, self.error, self.age = None, None, Age()
            self.in_background("feed-archive", self._read)
        else:
            self.preview.draw()

    def fetch_again(self) -> None:
        self.preview.retry()
        self.start_feeds()

    async def _read(self) -> None:
        def note(progress: Progress) -> None:
            self._progress = progress

        timer = self.set_interval(_INTERVAL, self.draw)
        try:
            archive = await open_archive(self.service, self.route, note)
        except PlatuiError as error:
            self.error, self.age = error, Age(Freshness.FAILED)
        else:
            self.items = archive.entries
            self._rows = await asyncio.to_thread(ARCHIVE_FILES.rows, archive.entries, TIMELESS)
            self.archive, self.error = archive, None
            self.age = Age(Freshness.SETTLED, self.now)
        finally:
            timer.stop()
        self.draw()
        self.host.update_header()

    def forget(self) -> None:
        super().forget()
        self.archive, self._rows, self._progress = None, (), None

    def has_data(self) -> bool:
        return self.archive is not None

    def rows(self) -> Sequence[Row]:
        return self._rows

    def page(self) -> tuple[str, str]:
        if self.error is not None:
            return page(self.error, self.host.key_of, is_retried=False), "muted"
        if self.has_data():
            return super().page()
        seconds = self.service.clock.monotonic() - self._began
        line = progress_line(self._progress, seconds)
        return f"Downloading the archive\n\n{''.join(text for text, _ in line)}", "muted"

    def draw_summary(self) -> None:
        if self.archive is None:
            return
        shown, total = len(self.archive.entries), self.archive.total
        files = counted(total, "file")
        pieces = [(files if shown == total else f"{shown:,} of {files} listed", "text")]
        size = sum(one.size for one in self.archive.entries)
        pieces.append((f"{human_bytes(size)} decompressed", "muted"))
        self.host.summarize([*pieces, *filter_pieces(self)])

    def empty(self) -> tuple[str, str]:
        return "The archive is empty.", "muted"


class CopyPath(CopyRow):
    @command("y", "list.copy", "Copy path")
    def copy(self) -> None:
        """Copy the path of this file."""
        super().copy()


class ArtifactKeys(Controller[ArtifactsBody]):
    @command("s", "artifacts.save", "Save")
    def save(self) -> None:
        """Save this file."""
        from platui.ui.dialogs.save import archive_file_dialog  # noqa: PLC0415  (on first use)

        archive, path = self.body.archive, self._path()
        if archive is not None and path:
            self.screen.app.push_screen(archive_file_dialog(archive, path))

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.archive is not None and self._path() else "No file selected."

    def _path(self) -> str:
        return self.body.table.cursor_key or ""


class ArtifactsScreen(ViewScreen):
    BODY = ArtifactsBody
    CONTROLLERS = (
        *VIEW_KEYS, CopyMenu, ChangePreview, NextPane, PreviousPane, FilterRows, SortRows, CopyPath,
        ArtifactKeys,
    )  # fmt: skip
    FOOTER = (
        "table.open", "artifacts.save", "list.filter", "list.sort", "list.copy", "view.back",
        "app.command",
    )  # fmt: skip


class ArtifactScreen(ViewScreen):
    BODY = partial(DocumentBody, load_artifact)
    CONTROLLERS = DOCUMENT_KEYS
    FOOTER = DOCUMENT_FOOTER
