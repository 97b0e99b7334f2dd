"""The output of a command of the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.log import LogState, LogUpdate
from platui.models.values.routes import Route, SavedView
from platui.present.chrome import Piece, Pieces, file_header
from platui.present.counts import counted, human_bytes
from platui.present.logs.text import Copyable, log_file_name
from platui.service.logs.command import MOST, CommandFeed
from platui.ui.controllers.view_keys import GoBack
from platui.ui.screens.logs.copy_and_save import CopyLines, SaveLog, chosen_lines
from platui.ui.screens.logs.growing_log import LOG_SIGNS, GrowingLog
from platui.ui.screens.logs.navigation import NavigateErrors
from platui.ui.screens.logs.text_body import TEXT_KEYS, TextBody, TextContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.config.settings import Settings
    from platui.service import PlatformService


_GOES_ON: Final = "The command goes on: the system does not permit platui to end it."


class CommandContext(TextContext["CommandBody"]):
    guide = ""

    def file_name(self) -> str:
        return log_file_name(self.body.title, None)

    def other_copies(self) -> list[Copyable]:
        return []


class CommandBody(TextBody):
    CONTEXT = CommandContext
    OPENS_AT_CAUSE = False
    CALLED = "this output"
    context: CommandContext
    text: GrowingLog
    title: str
    feed: CommandFeed

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.text = GrowingLog(self)

    def open_feed(self) -> CommandFeed:
        return self.feed

    def take(self, item: LogUpdate) -> None:
        self.text.take(item)

    def nothing(self) -> str:
        update = self.text.update
        if update is None or update.state is not LogState.ENDED:
            return "No output yet.\n\nesc  cancel the command"
        return f"No output: {self._state()[0]}.\n\nesc  back"

    def ended(self, _update: LogUpdate) -> Pieces:
        return (self._state(),)

    def _state(self) -> Piece:
        if self.feed.is_cut:
            what = "stopped" if self.feed.is_stopped else "goes on, but is not read"
            return f"{what} after {human_bytes(MOST)} of output", "warning"
        if self.feed.is_stopped:
            return "canceled", "warning"
        code = self.feed.exit_code
        if code is not None and code < 0:
            return f"terminated by signal {-code}", "failed"
        return f"exit {code}", "failed" if code else "success"

    def show_header(self) -> None:
        host = self.host
        host.header.show(*file_header(self.title, self.age, host.app.size.width))

    def position(self) -> Pieces:
        return (*chosen_lines(self.view), *self.text.position())

    def summary_pieces(self) -> Sequence[Piece]:
        document = self.text.document
        lines = 0 if document is None else document.line_count
        has_ended = self.text.has_ended
        state = self._state() if has_ended else ("running, esc cancels", "running")
        return [state, (counted(lines, "line"), "muted")]


class LeaveCommand(GoBack):
    def go_up(self) -> None:
        """Clear the search or filter, else cancel the command, else go back."""
        if not any(one.undo() for one in reversed(self.screen.controllers)):
            self.leave()

    def leave(self) -> None:
        body: CommandBody = self.screen.body
        if not body.feed.stop():
            if not body.feed.is_over and not body.feed.is_stopped:
                self.screen.show_hint(_GOES_ON)
            self.screen.app.pop_screen()


class CommandScreen(ViewScreen):
    BODY = CommandBody
    body: CommandBody
    CONTROLLERS = (LeaveCommand, *TEXT_KEYS, NavigateErrors, SaveLog, CopyLines)
    FOOTER = (
        "log.clear_selection", "view.back", "text.search", "text.filter", "log.follow", "log.end",
        "log.copy", "log.save",
    )  # fmt: skip
    SIGNS = LOG_SIGNS

    def __init__(
        self, service: PlatformService, settings: Settings, title: str, feed: CommandFeed
    ) -> None:
        super().__init__(service, settings, Route("log"), None)
        self.body.title, self.body.feed = clean(title), feed
        self.fit(self.app.size.width)

    def on_unmount(self) -> None:
        self.body.feed.stop()
