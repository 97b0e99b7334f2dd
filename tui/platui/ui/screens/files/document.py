"""A text that is read once: a diff, the output of a test, or a file of an archive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.present.chrome import Age, Freshness, Piece, Pieces
from platui.present.files.source import Source, where_line
from platui.ui import views
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import VIEW_COPY
from platui.ui.controllers.view_keys import VIEW_KEYS, view_command
from platui.ui.error_display import page
from platui.ui.messages import CopyText, OpenPage
from platui.ui.screens.files.file import FileText
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext

if TYPE_CHECKING:
    from platui.models.values.routes import Route, SavedView
    from platui.service import PlatformService
    from platui.ui.screens.parts.view_screen import ViewScreen


class Document(NamedTuple):
    source: Source
    line: Sequence[Piece]  # The line above the text
    address: str = ""  # Of its web page


Load = Callable[["PlatformService", "Route"], Awaitable[Document]]
"""Reads the document of a route. Raises PlatuiError: not available."""


class DocumentContext(TextContext["DocumentBody"]):
    def crumbs(self) -> tuple[str, ...]:
        route = self.body.route
        name = route.path.rpartition(" › ")[2]  # Of a test, without its class
        return (self.project_name, views.get(route.view).short_title, *filter(None, (name,)))


class DocumentBody(TextBody):
    CONTEXT = DocumentContext
    SUBJECT = (*TextBody.SUBJECT, "path", "ref")
    TEXT = "text"
    CALLED = "this text"
    text: FileText

    def __init__(
        self, load: Load, host: ViewScreen, route: Route, saved_view: SavedView | None
    ) -> None:
        super().__init__(host, route, saved_view)
        self.text = FileText()
        self.document: Document | None = None
        self._load = load

    def start_feeds(self) -> None:
        if self.document is None:
            self.in_background("feed-document", self._read)

    def fetch_again(self) -> None:
        super().fetch_again()
        self.in_background("feed-document", self._read)

    async def _read(self) -> None:
        try:
            document = await self._load(self.service, self.route)
        except PlatuiError as error:
            self.error = error
            self.age = self.age if self.document is not None else Age(Freshness.FAILED)
        else:
            if not self.is_whole:  # the view was closed meanwhile
                return
            self.error, self.age = None, Age(Freshness.SETTLED, self.now)
            top = self.view.position.top_line if self.document is not None else 0
            self.document, self.text.source = document, document.source
            self.view.show(document.source.document, ended=True)
            self.view.position.go_to(top)
        self.draw()
        self.host.update_header()

    def forget(self) -> None:
        super().forget()
        self.document = None

    def summary_pieces(self) -> Sequence[Piece]:
        return () if self.document is None else self.document.line

    def position(self) -> Pieces:
        return where_line(self.text.source, self.view.position.lines)

    def nothing(self) -> str:
        if self.error is not None:
            return page(self.error, self.host.key_of, is_retried=False)
        if self.document is None:
            return "Loading …"
        return "Not shown: it is binary." if self.document.source.binary else "This text is empty."


class DocumentKeys(Controller[DocumentBody]):
    @command("o", "document.browse", "Browser")
    def browse(self) -> None:
        """Open the web page of this text."""
        self.screen.post_message(OpenPage(self._address()))

    @command("Y,y", "document.copy", "Copy…")
    async def choose(self) -> None:
        """Copy the URL, the path, or the whole text."""
        source = self.body.text.source
        copies = {VIEW_COPY: view_command(self.body), "URL": self._address()}
        copies["path"] = clean(self.body.route.path)
        choices = [(name, name, shorten(text, 50)) for name, text in copies.items() if text]
        if source is not None and source.document.line_count:
            choices.append(("text", "text", shorten(source.document.text(0), 50)))

        def copy(chosen: str) -> None:
            text = source.text() if source is not None and chosen == "text" else copies[chosen]
            self.screen.post_message(CopyText(text))

        await self.screen.choose("Copy", choices, copy)

    def disabled_reason(self, command: str) -> str:
        return "" if command == "document.copy" or self._address() else "This text has no URL."

    def _address(self) -> str:
        return "" if self.body.document is None else self.body.document.address


DOCUMENT_KEYS: Final = (*VIEW_KEYS, *TEXT_KEYS, DocumentKeys)
DOCUMENT_FOOTER: Final = (
    "view.back", "text.search", "text.filter", "document.browse", "log.numbers", "document.copy",
    "app.command",
)  # fmt: skip
