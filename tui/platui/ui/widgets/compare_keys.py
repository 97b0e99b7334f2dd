"""The keys of two logs held against each other."""

from __future__ import annotations

from functools import partial
from typing import Final

from textual.binding import Binding

from platui.ui.widgets.moves import move

_moves = partial(move, "compare")

BINDINGS: Final = (
    _moves("down", "down,j", "move(1)", "Down", "Go one row down"),
    _moves("up", "up,k", "move(-1)", "Up", "Go one row up"),
    _moves("half_page_down", "ctrl+d", "page(0.5)", "Half page down", "Go half a page down"),
    _moves("half_page_up", "ctrl+u", "page(-0.5)", "Half page up", "Go half a page up"),
    _moves("page_down", "pagedown", "page(1)", "Page down", "Go a page down"),
    _moves("page_up", "pageup", "page(-1)", "Page up", "Go a page up"),
    _moves("top", "g,home", "top", "Top", "Go to the first row"),
    _moves("end", "G,end", "end", "End", "Go to the last row"),
    _moves("left", "left", "sideways(-1)", "Left", "Show what is left of the texts"),
    _moves("right", "right", "sideways(1)", "Right", "Show what is right of the texts"),
    Binding("n", "next(1)", "Next", id="compare.next", tooltip="Go to the next difference"),
    Binding(
        "N",
        "next(-1)",
        "Before",
        id="compare.previous",
        show=False,
        tooltip="Go to the difference before",
    ),
    Binding(
        "z", "fold", "Unfold", id="compare.fold", tooltip="Show the equal lines here, or hide them"
    ),
    _moves("fold_all", "Z", "fold_all", "Unfold all", "Show all equal lines, or hide them"),
    Binding(
        "enter",
        "open",
        "In the log",
        id="compare.open",
        tooltip="Open the job's log at this line; where lines are folded, show them",
    ),
)
