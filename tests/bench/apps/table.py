"""Our table, alone on a screen: `python -m tests.bench.apps.table ROWS [blocks]`."""

from __future__ import annotations

import sys

from tests.bench.apps.rows import COLUMNS, blocks, rows
from textual.app import App, ComposeResult

from platui.ui.terminal.screen import TerminalScreen
from platui.ui.themes import default_theme
from platui.ui.widgets.table import Table


class TableApp(App[None]):
    """Rows in our table."""

    def get_default_screen(self) -> TerminalScreen[None]:
        """Return the screen that all of ours are."""
        return TerminalScreen()

    def compose(self) -> ComposeResult:
        """Put nothing but the table on the screen."""
        self.register_theme(default_theme())
        self.theme = default_theme().name
        yield Table(COLUMNS)

    def on_mount(self) -> None:
        """Show the rows."""
        made = blocks if "blocks" in sys.argv else rows
        self.query_one(Table).show(made(int(sys.argv[1])))


if __name__ == "__main__":
    TableApp().run()
