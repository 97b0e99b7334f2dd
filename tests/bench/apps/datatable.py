"""The same rows in Textual's DataTable: `python -m tests.bench.apps.datatable ROWS`."""

from __future__ import annotations

import sys

from rich.text import Text
from tests.bench.apps.rows import COLUMNS, rows
from textual.app import App, ComposeResult
from textual.widgets import DataTable

from platui.ui.themes import default_theme, palette_of


class DataTableApp(App[None]):
    """Rows in a DataTable, in the same theme and with a cursor over the whole row."""

    def compose(self) -> ComposeResult:
        """Put nothing but the table on the screen."""
        self.register_theme(default_theme())
        self.theme = default_theme().name
        yield DataTable(cursor_type="row")

    def on_mount(self) -> None:
        """Show the rows."""
        ink = palette_of(self).ink
        table: DataTable[Text] = self.query_one(DataTable)
        for column in COLUMNS:
            table.add_column(column.title, width=column.width, key=column.key)
        for row in rows(int(sys.argv[1])):
            cells = zip(row.cells, COLUMNS, strict=True)
            table.add_row(
                *(
                    Text(cell.text, ink(cell.role), justify="right" if column.right else "left")
                    for cell, column in cells
                ),
                key=row.key,
            )


if __name__ == "__main__":
    DataTableApp().run()
