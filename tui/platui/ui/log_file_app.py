"""The app of `platui log --file`: one saved log in the dashboard's own view, and no platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.config.profile import Profile
from platui.core.errors import CommandError
from platui.models.values.places import Place, View
from platui.service import PlatformService
from platui.ui.command_app import CommandApp
from platui.ui.messages import GoUp
from platui.ui.screens.log_file import LogFileScreen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.service.protocols import LogFeed
    from platui.ui.terminal import Terminal

_COMMANDS: Final = (
    ("NUMBER", "a line of the log"),
    ("theme NAME", "another look; without NAME, choose among all with a preview"),
    ("utc", "show times in UTC"),
    ("local", "show times in this machine's zone"),
    ("refresh", "look at the file now"),
    ("quit", "leave"),
)
_WORDS: Final = ("theme ", "refresh", "utc", "local", "help", "quit")
_NO_PLATFORM: Final = Profile("file", "", keeps_nothing=True)


class LogFileApp(CommandApp):
    """Shows one log. Its service is never started: nothing is asked, sent or kept."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, path: Path | None, feed: LogFeed, settings: Settings, terminal: Terminal
    ) -> None:
        """Prepare the viewer.

        Args:
            path: the file; None for what comes through standard input.
            feed: what it holds.
            settings: look and keys; profiles are not looked at.
            terminal: what can be drawn on.
        """
        service = PlatformService.open(_NO_PLATFORM, settings, environ={})
        super().__init__(service, settings, terminal)
        self._path = path
        self._feed = feed

    def get_default_screen(self) -> Screen[Any]:
        """Return the log."""
        place = Place(View.LOG)
        screen = LogFileScreen(self.service, self.settings, place, None)
        screen.open(self._path, self._feed)
        screen.fit(self.size.width)
        return screen

    @on(GoUp)
    def _leave(self, message: GoUp) -> None:
        """Leave by `q`; escape has undone all there is to undo."""
        message.stop()
        if message.quits:
            self.exit(0)

    def commands(self) -> Sequence[tuple[str, str]]:
        """Return what may be typed, each with what it does."""
        return _COMMANDS

    def command_words(self) -> Sequence[str]:
        """Return the words that complete what is typed."""
        return _WORDS

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says, unless it needs a platform."""
        screen = self.place_screen()
        if verb in {"utc", "local"}:
            if screen is not None:
                screen.show_times(utc=verb == "utc")
        elif verb in {"token", "file", "compare", "grep"}:
            self._refuse()
        else:
            super().do(verb, argument)

    def open_address(self, address: str) -> None:
        """Refuse: there is no platform here."""
        del address
        self._refuse()

    def open_place(self, place: Place, words: str) -> None:
        """Refuse: there is no platform here."""
        del place, words
        self._refuse()

    def open_number(self, command: Any) -> None:
        """Refuse: there is no platform here."""
        del command
        self._refuse()

    def open_area(self, command: Any) -> None:
        """Refuse: there is no platform here."""
        del command
        self._refuse()

    def _refuse(self) -> None:
        self.tell(CommandError("There is no platform behind a file."))
