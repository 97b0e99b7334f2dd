"""The keys of a log."""

from __future__ import annotations

from functools import partial
from typing import Final

from textual.binding import Binding

from platui.ui.widgets.moves import move, move_keys, side_keys

_moves = partial(move, "log")

BINDINGS: Final = (
    *move_keys("log", "line", but={"up", "end"}),
    _moves("up", "up,k", "move(-1)", "Up", "Go one line up; the end is not followed then"),
    Binding("G,end", "end", "End", tooltip="Go to the last line and follow it", id="log.end"),
    *side_keys("log"),
    _moves(
        "side_starts", "circumflex_accent", "side_starts", "Line start", "Show where lines begin"
    ),
    _moves(
        "side_ends",
        "dollar_sign",
        "side_ends",
        "Line end",
        "Show the end of the line, or of the longest",
    ),
    Binding(
        "f",
        "follow",
        "Follow",
        tooltip="Follow the end of the log, or stay where you are",
        id="log.follow",
    ),
    _moves("numbers", "number_sign", "numbers", "Numbers", "Show or hide line numbers"),
    _moves("wrap", "w", "wrap", "Wrap", "Wrap long lines, or cut them off"),
    _moves("stamps", "t", "stamps", "Times", "Show times of day, times since the section, or none"),
    Binding(
        "z",
        "fold",
        "Fold",
        id="log.fold",
        tooltip="Fold or open the section of the focus line, or of the first line in sight",
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
        "Choose lines from here to where you move; space again lets go of them",
    ),
    _moves("end_selection", "escape", "end_selection", "Let go", "Let go of the lines chosen"),
)
