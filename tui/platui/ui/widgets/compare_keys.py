"""The keys of two logs held against each other."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

from platui.ui.widgets.moves import move, move_keys, side_keys

BINDINGS: Final = (
    *move_keys("compare", "row"),
    *side_keys("compare"),
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
    move(
        "compare", "fold_all", "Z", "fold_all", "Unfold all", "Show all equal lines, or hide them"
    ),
    Binding(
        "enter",
        "open",
        "In the log",
        id="compare.open",
        tooltip="Open the job's log at this line; where lines are folded, show them",
    ),
)
