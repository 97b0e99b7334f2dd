"""An app that breaks where it is told to, with a planted token in its locals."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from textual.widgets import Static

from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    from textual.app import ComposeResult


def fail(token: str) -> None:
    """Break, with the token and what was made of it in locals, and an escape in the text."""
    headers = {"PRIVATE-TOKEN": token}
    raise RuntimeError(f"broken with {len(headers)} header \x1b]0;owned\x07\x9b2J")


class CrashApp(TerminalApp[None]):
    """Breaks in the place that its first argument names."""

    def __init__(self, place: str) -> None:
        super().__init__(Terminal(usable=True))
        self.place = place

    def _break_at(self, place: str) -> None:
        if self.place == place:
            token = os.environ["PLANTED"]
            fail(token)

    def compose(self) -> ComposeResult:
        """Yield a line, or break."""
        token = os.environ["PLANTED"]
        self._break_at("compose")
        yield Static(f"{len(token)}")

    def on_mount(self) -> None:
        """Prepare the other ways to break, or break."""
        token = os.environ["PLANTED"]
        self._break_at("on_mount")
        if token and self.place == "timer":
            self.set_timer(0.01, lambda: self._break_at("timer"))
        elif self.place == "worker":
            self.run_worker(self._work(), group="crash", exit_on_error=True)
        elif self.place == "thread":
            self.run_worker(lambda: self._break_at("thread"), thread=True, group="crash")

    async def _work(self) -> None:
        token = os.environ["PLANTED"]
        self._break_at("worker" if token else "")

    def on_key(self) -> None:
        """Break."""
        token = os.environ["PLANTED"]
        self._break_at("handler" if token else "")


if __name__ == "__main__":
    sys.exit(CrashApp(sys.argv[1]).run_in_terminal())
