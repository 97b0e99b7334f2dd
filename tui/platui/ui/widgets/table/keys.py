"""The keys of a table."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

from platui.ui.widgets.moves import move_keys

BINDINGS: Final = (
    *move_keys("table", "row"),
    Binding("enter", "open", "Open", tooltip="Open the row under the cursor", id="table.open"),
    Binding(
        "space",
        "mark",
        "Mark",
        show=False,
        tooltip="Mark the row under the cursor or unmark it, and go one down",
        id="table.mark",
    ),
)
