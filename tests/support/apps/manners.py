"""A small app in a real terminal: says READY, the keys it sees, and how it left."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widgets import Static

from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import detect
from platui.ui.terminal.screen import TerminalScreen

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult


class MannersScreen(TerminalScreen[None]):
    """One line of text that tells the last key."""

    def compose(self) -> ComposeResult:
        """Yield the line."""
        yield Static("READY", id="said", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Tell the key."""
        self.query_one("#said", Static).update(f"KEY<{event.key}>")

    def on_click(self, event: events.Click) -> None:
        """Tell where the mouse was."""
        self.query_one("#said", Static).update(f"CLICK<{event.screen_x},{event.screen_y}>")

    def on_resize(self, event: events.Resize) -> None:
        """Tell the size."""
        self.query_one("#said", Static).update(f"READY {event.size.width}x{event.size.height}")


class MannersApp(TerminalApp[None]):
    """The app; at the end it leaves a mark, as a store would be flushed."""

    def on_mount(self) -> None:
        """Show the screen."""
        self.push_screen(MannersScreen())

    async def _on_exit_app(self) -> None:
        """Leave, or hang with the terminal still in use."""
        if os.environ.get("MANNERS_HANG") == "before the terminal is restored":
            time.sleep(60)  # noqa: ASYNC251  (as a bug would)
        await super()._on_exit_app()

    def on_unmount(self) -> None:
        """Leave the mark, or hang as a dead line would."""
        if os.environ.get("MANNERS_HANG") == "at the end":
            time.sleep(60)
        if mark := os.environ.get("MANNERS_MARK"):
            Path(mark).write_text("flushed")


def main() -> int:
    """Run in this terminal, or say why not."""
    terminal = detect(os.environ, sys.__stdin__, sys.__stderr__)
    if not terminal.usable:
        print(terminal.why)  # noqa: T201  (what plain output is)
        return 3
    theme = os.environ.get("MANNERS_THEME", "platui-dark")
    code = MannersApp(terminal, theme=theme).run_in_terminal()
    if code == 0:
        print("LEFT")  # noqa: T201  (what plain output is)
    if os.environ.get("MANNERS_HANG") == "after it":
        time.sleep(60)
    return code


if __name__ == "__main__":
    sys.exit(main())
