"""The app of the first run: create a profile, or open the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from platui.core.clock import Clock, SystemClock
from platui.ui.active_keys import bind
from platui.ui.screens.welcome import WelcomeScreen
from platui.ui.terminal.app import TerminalApp

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.service.sign_in import SignIn
    from platui.ui.screens.welcome import Save
    from platui.ui.terminal.detection import Terminal

DEMO: Final = "demo"
MADE: Final = "made"


class WelcomeApp(TerminalApp[str]):
    """Returns `made` if a profile was created, `demo` if the user chose the demo."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("d", "welcome.demo", "Open the demo"),
        bind("q", "welcome.quit", "Quit", action="leave"),
    ]

    def __init__(
        self,
        settings: Settings,
        terminal: Terminal,
        sign_in: SignIn,
        save: Save,
        clock: Clock | None = None,
    ) -> None:
        self._sign_in = sign_in
        self._save = save
        self._clock = clock or SystemClock()
        super().__init__(terminal, theme=settings.theme, ascii_only=bool(settings.ascii))

    def get_default_screen(self) -> Screen[None]:
        return WelcomeScreen(
            self._sign_in,
            self._save,
            self._clock,
            made=lambda: self.exit(MADE),
            demo=self.action_demo,
        )

    def action_demo(self) -> None:
        self.exit(DEMO)

    def action_leave(self) -> None:
        self.exit(None)
