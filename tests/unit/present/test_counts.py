"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from platui.present.counts import counted, lines_in_sight, plural


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 lines"), (1, "1 line"), (2, "2 lines"), (41_203, "41,203 lines")],
)
def test_a_number_has_the_noun_that_goes_with_it(count: int, said: str) -> None:
    """One line is no lines."""
    assert counted(count, "line") == said


def test_what_may_be_more_than_one_is_said_of_many() -> None:
    """`1+ lines`: there is one so far."""
    assert counted(1, "line", more=True) == "1+ lines"


def test_a_noun_can_stand_alone() -> None:
    """Where the number stands elsewhere."""
    assert (plural(1, "project"), plural(0, "project")) == ("project", "projects")
    assert (counted(1, "person"), counted(2, "person")) == ("1 person", "2 people")


def test_a_window_of_one_line_is_one_line() -> None:
    """Lines are counted from 1."""
    assert lines_in_sight(0, 1, 1) == "line 1 of 1"
    assert lines_in_sight(6, 7, 9) == "line 7 of 9"
    assert lines_in_sight(30, 52, 41_203) == "lines 31–52 of 41,203"
