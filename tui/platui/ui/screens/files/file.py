"""A repository file at a ref; by default the pipeline file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from platui.core.errors import NotFoundError, PlatuiError
from platui.core.text import clean, shorten
from platui.present.files.source import Source, file_line, page_without, where_line
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import VIEW_COPY
from platui.ui.controllers.view_keys import VIEW_KEYS, view_command
from platui.ui.error_display import page
from platui.ui.messages import CopyText
from platui.ui.screens.files.file_finder import ChooseFile, FileFinder
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets import log_canvas
from platui.ui.widgets import log_scrollbar as log_edge

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Snapshot
    from platui.models.values.log import LogDocument
    from platui.models.values.routes import Route, SavedView
    from platui.models.wire import RepositoryFile
    from platui.present.chrome import Piece, Pieces


class FileText:
    """The text of a file: complete at once, and constant."""

    is_tail = False
    needs_no_draw = False
    is_scrolled_back = False

    def __init__(self) -> None:
        self.has_undrawn_update = False
        self.source: Source | None = None  # Decoded and highlighted

    @property
    def document(self) -> LogDocument | None:
        return self.source.document if self.source is not None else None

    def invalidate(self) -> None:
        """Do nothing: a file does not grow."""

    visit = on_moved = mark_drawn = invalidate

    def forget(self) -> None:
        self.source = None


class FileContext(TextContext["FileBody"]):
    def crumbs(self) -> tuple[str, ...]:
        route = self.body.route
        pipeline = (f"#{route.pipeline}",) if route.pipeline else ()
        return (self.project_name, *pipeline, route.path or "file")

    def file(self) -> Route:
        return self.body.route


class FileBody(TextBody):
    CONTEXT = FileContext
    SUBJECT = (*TextBody.SUBJECT, "path", "ref")
    TEXT = "text"
    DEFAULT_CSS = """
    FileBody #nothing { text-align: center; }
    """
    text: FileText

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = FileText()
        self.record: RepositoryFile | None = None  # The API record
        self.finder = FileFinder(self)
        self._must_go_to_line = self.route.line is not None

    def ready(self) -> None:
        self.view.line_numbers = True
        super().ready()

    def open_feed(self) -> Feed[RepositoryFile] | None:
        route = self.route
        if route.project is None or not route.ref or not route.path:
            return None
        return self.service.watch(resources.files.file(route.project, route.path, route.ref))

    def start_feeds(self) -> None:
        super().start_feeds()
        if self.feeds.main is None and self.route.project is not None:
            self.finder.find_once()

    def forget(self) -> None:
        super().forget()
        for group in ("ask", "find", "read"):
            # Their answers are about the previous route.
            self.app.workers.cancel_group(self, group)
        self.record = None
        self.finder.forget()

    def visit(self, route: Route) -> None:
        has_line = route != self.route and route.line is not None
        super().visit(route)
        if has_line:
            self._must_go_to_line = True
            self._go_to_line()

    def fetch_again(self) -> None:
        super().fetch_again()
        if self.feeds.main is None:
            self.finder.repeat()
            self.start_feeds()

    def take(self, item: Snapshot[RepositoryFile]) -> None:
        file = item.value
        missing = file is None and isinstance(item.error, NotFoundError)
        if missing and self.finder.tries_longer_ref(item):
            return
        self.judge(item)
        if file is not None and file != self.record:
            self.record = file
            self.in_background("read", self._read, file)
        self.draw()

    async def _read(self, file: RepositoryFile) -> None:
        """Decode and highlight in a thread, as large files take a while."""
        from platui.present.files.source import read_source  # noqa: PLC0415  (with what highlights)

        try:
            source = await asyncio.to_thread(read_source, file)
        except PlatuiError as error:
            self.error = error
        else:
            top = self.view.position.top_line if self.text.source is not None else 0
            self.text.source = source
            self.view.show(source.document, ended=True)
            self.view.position.go_to(top)
            self._go_to_line()
        self.draw()

    def _go_to_line(self) -> None:
        line = self.route.line
        if self._must_go_to_line and line is not None and self.text.source is not None:
            self._must_go_to_line = False
            # After the first painting: the window is known then.
            self.call_after_refresh(self.view.position.reveal, line)

    def summary_pieces(self) -> Sequence[Piece]:
        return file_line(self.route, self.record, self.text.source)

    def position(self) -> Pieces:
        return where_line(self.text.source, self.view.position.lines)

    def nothing(self) -> str:
        missing = isinstance(self.error, NotFoundError) and bool(self.route.path)
        if self.error is not None and not missing:
            return page(self.error, self.host.key_of)
        asked = self.finder.is_busy or self.feeds.main is not None
        source, key_of = self.text.source, self.host.key_of
        return page_without(self.route, source, key_of, missing=missing, asked=asked)


class CopyFile(Controller[FileBody]):
    @command("Y,y", "file.copy", "Copy…")
    async def choose(self) -> None:
        """Copy the path, the commit or the whole text."""
        route, file, source = self.body.route, self.body.record, self.body.text.source
        copies = {VIEW_COPY: view_command(self.body)}
        copies |= {"path": clean(route.path), "ref": clean(route.ref)}
        if file is not None and source is not None and not source.binary:
            copies["commit"] = clean(file.commit_id)
            copies["last change"] = clean(file.last_commit_id)
            copies["sha256"] = clean(file.content_sha256)
        choices = [(name, name, shorten(text, 50)) for name, text in copies.items() if text]
        if source is not None and source.document.line_count:
            choices.append(("text", "text", shorten(source.document.text(0), 50)))

        def copy(chosen: str) -> None:
            if chosen == "text" and source is not None:
                self.screen.post_message(CopyText(source.text()))
            else:
                self.screen.post_message(CopyText(copies[chosen]))

        await self.screen.choose("Copy", choices, copy)


class FileScreen(ViewScreen):
    BODY = FileBody
    CONTROLLERS = (*VIEW_KEYS, *TEXT_KEYS, ChooseFile, CopyFile)
    FOOTER = (
        "view.back", "file.ref", "file.choose", "text.search", "text.filter", "log.numbers",
        "file.copy", "view.refresh", "app.command",
    )  # fmt: skip
    SIGNS = (*log_canvas.SIGNS, *log_edge.SIGNS)
