"""Lines measured in cells, in pieces: the same as if each were measured whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from platui.logs.pattern import make_pattern
from platui.models.values.log import EmptyLog, Span, SpanStyle
from platui.models.values.search import SearchQuery
from platui.ui.widgets.log_text import LineText, TimeBudget

# No joiners: no clean text has any.
texts = st.text(alphabet="ab c日本é\u0301", max_size=80)
RED = SpanStyle(foreground="red")


class OneLine(EmptyLog):
    """A document of one line, which comes in pieces of so many characters."""

    def __init__(self, text: str, piece: int = 10**6) -> None:
        self.words = text
        self.size_of_piece = piece

    def piece(self, y: int, number: int) -> tuple[Span, ...] | None:
        """Return a piece, of which the second half is red; there is always a first one."""
        del y
        text = self.words[number * self.size_of_piece :][: self.size_of_piece]
        half = len(text) // 2
        if text or not number:
            return (Span(text[:half]), Span(text[half:], RED))
        return None


def read(text: str, piece: int = 10**6) -> LineText:
    """Return a line that was read to its end."""
    line = LineText(OneLine(text, piece), 0, TimeBudget(60.0))
    assert line.reach(10**9)
    return line


@given(text=texts, piece=st.integers(1, 100), left=st.integers(0, 90), room=st.integers(1, 40))
def test_cells_are_those_of_the_whole_line(text: str, piece: int, left: int, room: int) -> None:
    """A wide character that is cut is blank, and an accent stays with its letter."""
    text = "x" + text
    line = read(text, piece)
    assert (line.cells, line.characters) == (cell_len(text), len(text))
    start, end, lead = line.characters_between(left, left + room)
    seen = " " * lead + "".join(span.text for span in line.spans(start, end))
    cell, expected = 0, ""
    for sign in re.findall(".\u0301*", text):
        begin, cell = cell, cell + cell_len(sign)
        if left <= begin and cell <= left + room:
            expected += sign
        elif begin < left < cell:
            expected += " "
    assert seen == expected


@given(text=texts, piece=st.integers(1, 100), at=st.integers(0, 90))
def test_places_are_told_by_cells_and_by_characters(text: str, piece: int, at: int) -> None:
    """Also across pieces, and the same text is between them."""
    line = read(text, piece)
    at = min(at, len(text))
    assert line.cell_of(at) == cell_len(text[:at])
    assert "".join(span.text for span in line.spans(at, at + 7)) == text[at : at + 7]
    assert "".join(span.text for span in line.spans(0, len(text))) == text


@given(text=st.text(alphabet="ab ", max_size=200), piece=st.integers(4, 60))
def test_what_is_found_is_what_the_whole_line_has(text: str, piece: int) -> None:
    """Also where it lies across two pieces."""
    line = read(text, piece)
    pattern = make_pattern(SearchQuery("ba "))
    expected = pattern.ranges(text)
    assert line.found(pattern, 0, len(text)) == expected
    for start in range(0, len(text), 11):
        within = [found for found in expected if found[1] > start and found[0] < start + 11]
        assert line.found(pattern, start, start + 11) == within


def test_a_long_line_is_read_turn_by_turn() -> None:
    """As far as somebody looks, and no further."""
    budget = TimeBudget()
    line = LineText(OneLine("日" * 1_000_000, 5_000), 0, budget)
    assert line.reach(9_000)
    assert (line.cells, line.pieces, budget.was_exhausted) == (10_000, 1, False)
    budget.spent += 1.0
    assert not line.reach(900_000)
    assert budget.was_exhausted
    turns = 0
    while not line.reach(2_000_000):
        budget.reset()
        turns += 1
    assert line.cells == 2_000_000
    assert turns > 1


@pytest.mark.parametrize("text", ["", "x"])
def test_a_short_line_is_whole_at_once(text: str) -> None:
    """Nothing waits for it."""
    line = LineText(OneLine(text), 0, TimeBudget())
    assert line.is_whole
    assert line.characters_between(0, 10) == (0, len(text), 0)
