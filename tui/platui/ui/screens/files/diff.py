"""The diff of a file, or of all files, between two commits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.core.errors import is_unsupported
from platui.core.text import clean, shorten
from platui.present.counts import counted
from platui.present.files.changes import NOT_SUPPORTED, range_text, read_diff, refs_of
from platui.present.files.source import where_line
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import VIEW_COPY
from platui.ui.controllers.view_keys import VIEW_KEYS, view_command
from platui.ui.error_display import page
from platui.ui.messages import CopyText, OpenPage
from platui.ui.screens.files.file import FileText
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets import log_canvas
from platui.ui.widgets import log_scrollbar as log_edge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.feeds import Feed, Snapshot
    from platui.models.values.routes import Route, SavedView
    from platui.models.wire import Comparison
    from platui.present.chrome import Piece, Pieces


class DiffContext(TextContext["DiffBody"]):
    def crumbs(self) -> tuple[str, ...]:
        return (self.project_name, "Diff", self.body.route.path or range_text(self.body.route))


class DiffBody(TextBody):
    CONTEXT = DiffContext
    SUBJECT = (*TextBody.SUBJECT, "path", "ref")
    TEXT = "text"
    CALLED = "this diff"
    text: FileText

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = FileText()
        self.comparison: Comparison | None = None

    def open_feed(self) -> Feed[Comparison] | None:
        project, refs = self.route.project, refs_of(self.route)
        if project is None or not all(refs):
            return None
        return self.service.watch(resources.files.comparison(project, *refs))

    def take(self, item: Snapshot[Comparison]) -> None:
        self.judge(item)
        if item.value is not None and item.value != self.comparison:
            self.comparison = item.value
            self.in_background("read", self._read, item.value)
        self.draw()

    async def _read(self, comparison: Comparison) -> None:
        """Make the lines in a thread, as there may be many."""
        self.text.source = await asyncio.to_thread(read_diff, comparison, self.route.path)
        self.view.show(self.text.source.document, ended=True)
        self.draw()

    def forget(self) -> None:
        super().forget()
        self.app.workers.cancel_group(self, "read")
        self.comparison = None

    def summary_pieces(self) -> Sequence[Piece]:
        pieces = [(range_text(self.route), "accent")]
        if self.comparison is not None and not self.route.path:
            commits = self.comparison.commits
            pieces += [(clean(commits[-1].title), "text")] if len(commits) == 1 else []
            pieces.append((counted(len(self.comparison.diffs), "file"), "text"))
        return pieces

    def position(self) -> Pieces:
        return where_line(self.text.source, self.view.position.lines)

    def nothing(self) -> str:
        if is_unsupported(self.error):
            return NOT_SUPPORTED
        if self.error is not None:
            return page(self.error, self.host.key_of)
        return "Loading the diff …" if self.text.source is None else "No file changed."


class DiffKeys(Controller[DiffBody]):
    @command("o", "diff.browse", "Browser")
    def browse(self) -> None:
        """Open the web page of this comparison."""
        self.screen.post_message(OpenPage(self._address()))

    @command("Y,y", "diff.copy", "Copy…")
    async def choose(self) -> None:
        """Copy the URL, the path, or the whole text."""
        source, route = self.body.text.source, self.body.route
        copies = {VIEW_COPY: view_command(self.body), "URL": self._address()}
        copies |= {"path": clean(route.path), "commits": clean(route.ref)}
        choices = [(name, name, shorten(text, 50)) for name, text in copies.items() if text]
        if source is not None and source.document.line_count:
            choices.append(("text", "text", shorten(source.document.text(0), 50)))

        def copy(chosen: str) -> None:
            text = source.text() if source is not None and chosen == "text" else copies[chosen]
            self.screen.post_message(CopyText(text))

        await self.screen.choose("Copy", choices, copy)

    def disabled_reason(self, command: str) -> str:
        return "" if command == "diff.copy" or self._address() else "The platform names no page."

    def _address(self) -> str:
        return "" if self.body.comparison is None else self.body.comparison.web_url


class DiffScreen(ViewScreen):
    BODY = DiffBody
    CONTROLLERS = (*VIEW_KEYS, *TEXT_KEYS, DiffKeys)
    FOOTER = (
        "view.back", "text.search", "text.filter", "diff.browse", "log.numbers", "diff.copy",
        "app.command",
    )  # fmt: skip
    SIGNS = (*log_canvas.SIGNS, *log_edge.SIGNS)
