"""The app of `platui log --file`: shows a saved log, without a platform."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import on

from platui.config.profile import Profile
from platui.core.errors import CommandError
from platui.models.values.routes import Route
from platui.service import PlatformService
from platui.ui.command_app import CommandApp
from platui.ui.messages import GoUp
from platui.ui.screens.logs.log_file import LogFileScreen

if TYPE_CHECKING:
    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.models.values.log import LogFeed
    from platui.ui.command_app import Verbs
    from platui.ui.terminal.detection import Terminal
    from platui.ui.typed_commands import TypedCommand


class LogFileApp(CommandApp):
    """Shows one log; its service is never started."""

    def __init__(
        self, path: Path | None, feed: LogFeed, settings: Settings, terminal: Terminal
    ) -> None:
        service = PlatformService(Profile("file", "", is_in_memory=True), settings, environ={})
        super().__init__(service, settings, terminal)
        self._path = path
        self._feed = feed

    def get_default_screen(self) -> Screen[Any]:
        screen = LogFileScreen(self.service, self.settings, Route("log"), None)
        screen.body.open(self._path, self._feed)
        screen.fit(self.size.width)
        return screen

    @on(GoUp)
    def _leave(self, message: GoUp) -> None:
        message.stop()
        if message.quits:
            self.exit(0)

    def commands(self) -> Sequence[tuple[str, str]]:
        from platui.ui.verbs import verb_lines  # noqa: PLC0415  (on first use)

        return [("NUMBER", "a line of the log"), *verb_lines(self.verbs())]

    def command_words(self) -> Sequence[str]:
        from platui.ui.verbs import verb_words  # noqa: PLC0415  (on first use)

        return verb_words(self.verbs())

    def verbs(self) -> Verbs:
        return {
            **super().verbs(),
            "utc": lambda _: self._show_times(utc=True),
            "local": lambda _: self._show_times(utc=False),
        }

    def _show_times(self, *, utc: bool) -> None:
        if (screen := self.view_screen()) is not None:
            screen.show_times(utc=utc)

    def open_typed(self, _command: TypedCommand, /) -> None:
        self.show_error(CommandError("Not supported for a file: no platform."))
