"""The least that Textual can show: what every start is measured against."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    """One word."""

    def compose(self) -> ComposeResult:
        """Put the word on the screen."""
        yield Static("ready")


if __name__ == "__main__":
    MinimalApp().run()
