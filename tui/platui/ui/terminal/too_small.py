"""A terminal that is too small for any screen: screens keep a size in which they work, unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.events import Event, Key, MouseEvent, Paste, Resize
from textual.geometry import Size

if TYPE_CHECKING:
    from platui.ui.terminal.app import TerminalApp

_LEAST: Final = Size(16, 4)
_KEYS: Final = frozenset({"ctrl+c", "ctrl+l", "ctrl+z"})
"""Keys that work there: quit, redraw, suspend."""
_NOTICE: Final = "too small: ctrl+c quits"


def at_least(size: Size) -> Size:
    """Return the size that screens are laid out for."""
    return Size(max(size.width, _LEAST.width), max(size.height, _LEAST.height))


class SmallTerminal:
    """Shows a notice instead of the screens while none fits."""

    def __init__(self, app: TerminalApp[Any]) -> None:
        self._app = app
        self._size = _LEAST

    @property
    def is_shown(self) -> bool:
        return at_least(self._size) != self._size

    def fit(self, event: Resize) -> Resize:
        """Show the notice or the screen for a new size; return the event for the screens."""
        was_shown, self._size = self.is_shown, event.size
        if was_shown and not self.is_shown:
            self._app.refresh(layout=True)
        self.draw()
        return Resize(at_least(event.size), at_least(event.size))

    def draw(self) -> None:
        """Write the notice, if it is shown."""
        if self.is_shown:
            self._app.write_to_terminal(_notice(self._size))

    def takes(self, event: Event) -> bool:
        """Return whether an event is ignored: its effect would not be visible."""
        if isinstance(event, Key):
            return self.is_shown and event.key not in _KEYS
        return self.is_shown and isinstance(event, MouseEvent | Paste)


def _notice(size: Size) -> str:
    lines = [_NOTICE[at : at + size.width] for at in range(0, len(_NOTICE), max(1, size.width))]
    return "\x1b[m\x1b[2J\x1b[H" + "\r\n".join(lines[: size.height])
