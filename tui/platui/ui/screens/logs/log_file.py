"""A saved log: the view of a job's log without the job."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from platui.core.paths import absolute_path
from platui.core.text import clean, without_controls
from platui.models.values.log import LogFeed, LogState, LogUpdate
from platui.present.chrome import Piece, Pieces, file_header
from platui.present.counts import counted, human_bytes
from platui.present.logs.text import Copyable, log_file_name
from platui.service.logs.file import FileFeed
from platui.ui.controllers.view_keys import PausePolling, Refresh
from platui.ui.error_display import page
from platui.ui.screens.logs.copy_and_save import CopyLines, LeaveLog, SaveLog, chosen_lines
from platui.ui.screens.logs.growing_log import LOG_SIGNS, GrowingLog
from platui.ui.screens.logs.navigation import NavigateErrors
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from platui.models.values.routes import Route, SavedView


class LogFileContext(TextContext["LogFileBody"]):
    guide = "saved-log"

    def crumbs(self) -> tuple[str, ...]:
        return (self.body.file_title,)

    def file_name(self) -> str:
        """Return the name of the file, marked as a copy."""
        path = self.body.path
        return log_file_name("stdin" if path is None else f"{path.stem}-copy", None)

    def other_copies(self) -> list[Copyable]:
        if self.body.path is None:
            return []
        path = str(absolute_path(self.body.path))
        return [
            Copyable("the path", text=without_controls(path)),
            Copyable("a command that opens this", text=f"platui log --file {shlex.quote(path)}"),
        ]


class LogFileBody(TextBody):
    CONTEXT = LogFileContext
    context: LogFileContext
    text: GrowingLog
    feed: LogFeed

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = GrowingLog(self)
        self.path: Path | None = None  # None is standard input

    def open(self, path: Path | None, feed: LogFeed) -> None:
        """Set file and feed before the view is shown; no path is standard input."""
        self.path = path
        self.feed = feed

    @property
    def file_title(self) -> str:
        return "standard input" if self.path is None else clean(str(self.path))

    def open_feed(self) -> LogFeed:
        return self.feed

    def take(self, item: LogUpdate) -> None:
        if self.is_whole:
            self.view.can_follow_ended = isinstance(self.feed, FileFeed)
        self.text.take(item)

    def nothing(self) -> str:
        update = self.text.update
        if update is not None and update.error is not None:
            return page(update.error)
        if update is None or update.state is LogState.OPENING:
            return "Reading …"
        if update.state is LogState.ENDED:
            more = "Lines were added.\n\nr  load them" if update.unread else "q  quit"
            return f"{self.file_title} is empty.\n\n{more}"
        return "No lines yet.\n\nNew lines appear here."

    def ended(self, update: LogUpdate) -> Pieces:
        if not isinstance(self.feed, FileFeed):
            return super().ended(update)
        if not update.unread:
            return (("whole file", "muted"),)
        more = f"{human_bytes(update.unread)} added since"
        return ((more, "accent"), ("  f", "key"), (" follows", "muted"))

    def show_header(self) -> None:
        host = self.host
        host.header.show(*file_header(self.file_title, self.age, host.app.size.width))

    def position(self) -> Pieces:
        return (*chosen_lines(self.view), *self.text.position())

    def summary_pieces(self) -> Sequence[Piece]:
        document, facts = self.text.document, self.text.facts()
        pieces: list[Piece] = []
        if document is not None and document.line_count and not self.text.is_tail:
            lines = (counted(document.line_count, "line"), "muted")
            pieces = [lines, (human_bytes(document.size), "muted")]
        if facts.errors:
            pieces.append((counted(facts.errors, "error"), "failed"))
        return pieces

    @on(LogView.FollowRequested)
    def _go_on(self) -> None:
        if isinstance(self.feed, FileFeed):
            self.feed.go_on()


class LogFileScreen(ViewScreen):
    BODY = LogFileBody
    body: LogFileBody
    CONTROLLERS = (
        LeaveLog, Refresh, PausePolling, *TEXT_KEYS, NavigateErrors, SaveLog, CopyLines,
    )  # fmt: skip
    FOOTER = (
        "log.clear_selection",
        "view.quit", "log.next_error", "text.search", "log.follow", "log.end", "log.top",
        "log.save", "app.command",
    )  # fmt: skip
    SIGNS = LOG_SIGNS
