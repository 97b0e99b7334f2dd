"""The keys of a table."""

from __future__ import annotations

from functools import partial
from typing import Final

from textual.binding import Binding

from platui.ui.widgets.moves import move

_moves = partial(move, "table")

BINDINGS: Final = (
    _moves("down", "down,j", "move(1)", "Down", "Go one row down"),
    _moves("up", "up,k", "move(-1)", "Up", "Go one row up"),
    _moves("top", "g,home", "first", "Top", "Go to the first row"),
    _moves("bottom", "G,end", "last", "Bottom", "Go to the last row"),
    _moves("half_page_down", "ctrl+d", "page(0.5)", "Half page down", "Go half a page down"),
    _moves("half_page_up", "ctrl+u", "page(-0.5)", "Half page up", "Go half a page up"),
    _moves("page_down", "pagedown", "page(1)", "Page down", "Go a page down"),
    _moves("page_up", "pageup", "page(-1)", "Page up", "Go a page up"),
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
