"""Our table, alone on a screen: `python -m tests.bench.apps.table ROWS [blocks]`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.bench.apps.rows import COLUMNS, blocks, rows

from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import Terminal
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult


class TableApp(TerminalApp[None]):
    """Rows in our table, and frames as the dashboard writes them."""

    def get_default_screen(self) -> TerminalScreen[None]:
        """Return the screen that all of ours are."""
        return TerminalScreen()

    def compose(self) -> ComposeResult:
        """Put nothing but the table on the screen."""
        yield Table(COLUMNS)

    def on_mount(self) -> None:
        """Show the rows."""
        made = blocks if "blocks" in sys.argv else rows
        self.query_one(Table).show(made(int(sys.argv[1])))


if __name__ == "__main__":
    TableApp(Terminal(usable=True)).run_in_terminal()
