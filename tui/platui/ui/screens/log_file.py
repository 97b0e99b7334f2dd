"""A saved log: the view of a job's log without what a job has."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from textual import on

from platui.core.paths import whole_path
from platui.core.text import clean, harmless
from platui.models.values.log import LogState
from platui.present.chrome import file_header
from platui.present.counts import counted, human_bytes
from platui.present.logs.text import Copyable, log_file_name
from platui.service.logs.file import FileFeed
from platui.ui.failures import page
from platui.ui.screens.log_jumps import ErrorJumps
from platui.ui.screens.log_output import LogOutput
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from pathlib import Path

    from platui.models.values.log import LogFeed, LogUpdate
    from platui.present.chrome import Piece, Pieces


class LogFileScreen(LogOutput, ErrorJumps):
    """A file, or what comes through standard input, between two lines."""

    WITHOUT = frozenset({"token"})
    FOOTER = (
        "log.end_selection",
        "place.leave", "log.next_error", "text.search", "log.follow", "log.end", "log.top",
        "log.save", "app.command",
    )  # fmt: skip

    def open(self, path: Path | None, feed: LogFeed) -> None:
        """Say what is shown, before it is; None is standard input."""
        self._path = path
        self._file_feed = feed

    @property
    def guide(self) -> str:
        """Return the name of the text about saved logs."""
        return "saved-log"

    @property
    def file_title(self) -> str:
        """Return what the file is called, as one reads it."""
        return "standard input" if self._path is None else clean(str(self._path))

    def open_feed(self) -> LogFeed:
        """Return the feed of the file."""
        return self._file_feed

    def _show(self, update: LogUpdate) -> None:
        if self.is_whole:
            self.view.can_go_on = isinstance(self._file_feed, FileFeed)
        super()._show(update)

    def crumbs(self) -> tuple[str, ...]:
        """Return the file."""
        return (self.file_title,)

    def nothing(self) -> str:
        """Return why there is no line, or not yet."""
        update = self._update
        if update is not None and update.error is not None:
            return page(update.error)
        if update is None or update.state is LogState.OPENING:
            return "Reading …"
        if update.state is LogState.ENDED:
            more = "Lines are being added: r  reads them" if update.unread else "q  quit"
            return f"There is nothing in {self.file_title}.\n\n{more}"
        return "No line yet.\n\nThe log shows here as it is written."

    def ended(self, update: LogUpdate) -> Pieces:
        """Return how much of the file this is: what it holds, or held when it was read."""
        if not isinstance(self._file_feed, FileFeed):
            return super().ended(update)
        if not update.unread:
            return (("whole file", "muted"),)
        more = f"{human_bytes(update.unread)} more by now"
        return ((more, "accent"), ("  f", "key"), (" follows", "muted"))

    def tell_header(self) -> None:
        """Show the file, and whether it is followed; there is nothing to be counted."""
        if self.is_whole:
            self.header.show(*file_header(self.file_title, self.age, self.app.size.width))

    def draw_lines(self) -> None:
        """Show how much there is, and where one is in it."""
        if not self.is_whole:
            return
        document, facts = self.document(), self.facts()
        pieces: list[Piece] = []
        if document is not None and document.line_count and not self.is_tail:
            pieces = [
                (counted(document.line_count, "line"), "muted"),
                (human_bytes(document.size), "muted"),
            ]
        if facts.errors:
            pieces.append((counted(facts.errors, "error"), "failed"))
        self.summarize(pieces)
        self.show_where()

    @on(LogView.GoingOn)
    def _go_on(self) -> None:
        if isinstance(self._file_feed, FileFeed):
            self._file_feed.go_on()

    def file_name(self) -> str:
        """Return the name of the file, marked as another one."""
        return log_file_name("stdin" if self._path is None else f"{self._path.stem}-copy", None)

    def other_copies(self) -> list[Copyable]:
        """Return the path, and the command that shows the file again."""
        if self._path is None:
            return []
        path = str(whole_path(self._path))
        return [
            Copyable("the path", text=harmless(path)),
            Copyable("a command that opens this", text=f"platui log --file {shlex.quote(path)}"),
        ]
