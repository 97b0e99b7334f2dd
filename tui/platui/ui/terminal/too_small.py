"""A terminal that is too small for any screen: screens keep a size in which they work, unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.events import Event, Key, MouseEvent, Paste, Resize
from textual.geometry import Size

if TYPE_CHECKING:
    from platui.ui.terminal.app import TerminalApp

_LEAST: Final = Size(16, 4)
_NOTICE: Final = "too small: ctrl+c quits"


def at_least(size: Size) -> Size:
    """Return the size that screens are laid out for."""
    return Size(max(size.width, _LEAST.width), max(size.height, _LEAST.height))


class SmallTerminal:
    """Shows a notice instead of the screens while none fits."""

    def __init__(self, app: TerminalApp[Any]) -> None:
        self._app = app
        self.is_shown = False

    def fit(self, event: Resize) -> Resize:
        """Show the notice or the screen for a new size; return the event for the screens."""
        app, was_shown = self._app, self.is_shown
        fitted = at_least(event.size)
        self.is_shown = fitted != event.size
        if self.is_shown:
            app.write_to_terminal(_notice(event.size))
        elif was_shown:
            app.refresh(layout=True)
        return Resize(fitted, fitted)

    def takes(self, event: Event) -> bool:
        """Return whether an event is ignored: its effect would not be visible."""
        if isinstance(event, Key):
            return self.is_shown and event.key != "ctrl+c"
        return self.is_shown and isinstance(event, MouseEvent | Paste)


def _notice(size: Size) -> str:
    lines = [_NOTICE[at : at + size.width] for at in range(0, len(_NOTICE), max(1, size.width))]
    return "\x1b[m\x1b[2J\x1b[H" + "\r\n".join(lines[: size.height])
