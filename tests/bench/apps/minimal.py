"""The least that Textual can show: what every start is measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App, ComposeResult
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.events import Key


class MinimalApp(App[None]):
    """One word, or the last key."""

    BINDINGS = [("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """Put the word on the screen."""
        yield Static("ready")

    def on_key(self, event: Key) -> None:
        """Say which key it was."""
        self.query_one(Static).update(event.key)


if __name__ == "__main__":
    MinimalApp().run()
