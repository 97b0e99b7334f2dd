"""The keys of a log."""

from __future__ import annotations

from functools import partial
from typing import Final

from textual.binding import Binding

from platui.ui.widgets.moves import move, move_keys, side_keys

_moves = partial(move, "log")

BINDINGS: Final = (
    *move_keys("log", "line", but={"up", "end"}),
    _moves("up", "up,k", "move(-1)", "Up", "Go one line up and stop following"),
    Binding("G,end", "end", "End", tooltip="Go to the end and follow it", id="log.end"),
    *side_keys("log"),
    _moves(
        "side_starts", "circumflex_accent", "side_starts", "Line start", "Show where lines begin"
    ),
    _moves(
        "side_ends",
        "dollar_sign",
        "side_ends",
        "Line end",
        "Show where lines end",
    ),
    Binding(
        "f",
        "follow",
        "Follow",
        tooltip="Follow the end of the log, or pause",
        id="log.follow",
    ),
    _moves("numbers", "number_sign", "numbers", "Numbers", "Show or hide line numbers"),
    _moves("wrap", "w", "wrap", "Wrap", "Wrap long lines, or cut them off"),
    _moves("stamps", "t", "stamps", "Times", "Times: of day, since section, none"),
    Binding(
        "z",
        "fold",
        "Fold",
        id="log.fold",
        tooltip="Fold or open the section you are in",
    ),
    _moves("fold_all", "Z", "fold_all", "Fold all", "Open all sections, or fold them all"),
    _moves(
        "previous_section",
        "left_curly_bracket",
        "section(-1)",
        "Section before",
        "Go to the header of a section before",
    ),
    _moves(
        "next_section",
        "right_curly_bracket",
        "section(1)",
        "Next section",
        "Go to the header of the next section",
    ),
    _moves(
        "select",
        "space",
        "select",
        "Choose lines",
        "Choose lines by moving; again: none",
    ),
    _moves("end_selection", "escape", "end_selection", "Unchoose", "Have no lines chosen"),
)
