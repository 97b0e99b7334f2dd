"""The first run: there is no profile yet. A form makes one; the demo needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from platui.core.clock import SystemClock
from platui.ui.base_app import BaseApp
from platui.ui.screens.welcome import WelcomeScreen

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.core.clock import Clock
    from platui.service.sign_in import SignIn
    from platui.ui.screens.welcome import Save
    from platui.ui.terminal import Terminal

DEMO: Final = "demo"
MADE: Final = "made"


class WelcomeApp(BaseApp[str]):
    """Returns `made` when there is a profile now, `demo` when the user wants that instead."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "demo", "Open the demo", id="welcome.demo"),
        Binding("q", "leave", "Quit", id="welcome.quit"),
    ]

    def __init__(
        self,
        settings: Settings,
        terminal: Terminal,
        sign_in: SignIn,
        save: Save,
        clock: Clock | None = None,
    ) -> None:
        """Prepare the form.

        Args:
            settings: look.
            terminal: what it can draw.
            sign_in: asks the platform.
            save: writes profile and token.
            clock: tells how long a token is good; the machine's where left out.
        """
        self._sign_in = sign_in
        self._save = save
        self._clock = clock or SystemClock()
        super().__init__(terminal, theme=settings.theme, ascii_only=bool(settings.ascii))

    def get_default_screen(self) -> Screen[None]:
        """Return the form."""
        return WelcomeScreen(
            self._sign_in, self._save, self._clock, made=self._leave_made, demo=self.action_demo
        )

    def _leave_made(self) -> None:
        self.exit(MADE)

    def action_demo(self) -> None:
        """Leave for the demo."""
        self.exit(DEMO)

    def action_leave(self) -> None:
        """Quit."""
        self.exit(None)
