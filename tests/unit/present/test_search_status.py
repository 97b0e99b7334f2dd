"""Where a search leads while it runs and when it is done, and what is said of it."""

from __future__ import annotations

import pytest

from platui.core.errors import PatternError
from platui.logs.pattern import make_pattern
from platui.models.values.search import SearchQuery, SearchState
from platui.present.logs.status import (
    Step,
    counter,
    filter_counter,
    filter_pieces,
    first_hit,
    hit_before,
    is_selected,
    next_hit,
    search_pieces,
    searched_to,
)

NOT_YET = Step(None, is_certain=False)
QUERY = SearchQuery("error")


def state(
    lines: list[int], *, known: tuple[tuple[int, int], ...] = (), first: int | None = None,
    progress: float = 0.5, is_full: bool = False,
) -> SearchState:  # fmt: skip
    """Return a search; a whole one where nothing is said of what is known."""
    progress = progress if known or first is not None else 1.0
    return SearchState(make_pattern(QUERY), lines, progress, first, known, is_full)


def said(pieces: tuple[tuple[str, str], ...]) -> str:
    """Return the text of pieces."""
    return "".join(text for text, _ in pieces)


def test_steps_of_a_whole_search_go_round() -> None:
    """Forwards from a line on, backwards from before it."""
    found = state([10, 20, 30])
    assert next_hit(found, 10) == Step(10)
    assert next_hit(found, 11) == Step(20)
    assert next_hit(found, 31) == Step(10, wrapped=True)
    assert hit_before(found, 20) == Step(10)
    assert hit_before(found, 10) == Step(30, wrapped=True)
    assert next_hit(state([]), 0) == hit_before(state([]), 0) == Step(None)


def test_steps_of_a_search_that_runs_wait_for_what_lies_between() -> None:
    """No hit is passed by that is not found yet."""
    running = state([5, 60, 70], known=((0, 8), (50, 80)))
    assert next_hit(running, 50) == Step(60)
    assert next_hit(running, 20) == NOT_YET
    assert next_hit(running, 71) == NOT_YET
    assert hit_before(running, 8) == Step(5)
    assert hit_before(running, 65) == Step(60)
    assert hit_before(running, 60) == NOT_YET
    # Once both parts meet they are one.
    assert hit_before(state([5, 60], known=((0, 50), (50, 80))), 60) == Step(5)


def test_what_was_found_ahead_is_shown_first() -> None:
    """Unless it is known already what stands before it."""
    assert first_hit(state([], known=((0, 0), (50, 50)), first=90), 50) == Step(90)
    assert first_hit(state([60], known=((0, 0), (50, 70)), first=90), 50) == Step(60)
    assert first_hit(state([], known=((0, 0), (50, 70))), 50) == NOT_YET


@pytest.mark.parametrize(
    ("found", "current", "words"),
    [
        (None, None, "…"),
        (state([]), None, "no hit"),
        (state([], known=((0, 5),)), None, "50%"),
        (state([3]), None, "1 line"),
        (state([3, 4]), None, "2 lines"),
        (state([3, 4], known=((0, 5),)), None, "2+ lines"),
        (state([3, 4]), 4, "2 of 2"),
        (state([3, 4], known=((0, 5),)), 4, "2 of 2+"),
        (state([3, 4], known=((0, 1), (3, 5))), 4, "2+ lines"),
        (state([], known=((0, 1), (3, 5)), first=4), 4, "1+ lines"),
        (state(list(range(2000)), is_full=True), 999, "1,000 of 2,000+"),
    ],
)
def test_a_counter_says_what_is_known(
    found: SearchState | None, current: int | None, words: str
) -> None:
    """A plus where there may be more."""
    assert said(counter(found, current)) == words


def test_a_search_and_a_filter_say_what_they_look_for() -> None:
    """Long patterns are cut, what commands a terminal is gone, and errors stand for counts."""
    found = state([3, 4], known=((0, 10),), progress=1.0)
    regex = SearchQuery("e[rR]+" + "\x1b" * 40, is_regex=True)
    assert said(search_pieces(QUERY, found, 3, "from the top", None)) == (
        "/error  1 of 2 from the top"
    )
    pieces = search_pieces(regex, None, None, "", PatternError("missing )"))
    assert said(pieces).endswith("… regex  missing )")
    assert "\x1b" not in said(pieces)
    filters = [
        filter_pieces(QUERY, found, 1234, None, inverse=False, context=2),
        filter_pieces(QUERY, found, 1234, None, inverse=True, context=0),
        filter_pieces(QUERY, None, 1234, None, inverse=False, context=0),
        filter_pieces(QUERY, None, 1, PatternError("No."), inverse=False, context=0),
    ]
    assert list(map(said, filters)) == [
        "&error  2 of 1,234 lines ±2", "&!error  8 of 1,234 lines", "&error  …", "&error  No.",
    ]  # fmt: skip


def test_a_filter_selects_lines_and_those_around_them() -> None:
    """Or all others."""
    lines = [5, 9]
    around = [line for line in range(12) if is_selected(lines, line, context=1, inverse=False)]
    others = [line for line in range(12) if is_selected(lines, line, context=0, inverse=True)]
    assert around == [4, 5, 6, 8, 9, 10]
    assert others == [0, 1, 2, 3, 4, 6, 7, 8, 10, 11]
    assert searched_to(state([])) == 0
    assert searched_to(state([1], known=((0, 0), (0, 7)))) == 7


def test_an_excluding_filter_counts_only_lines_that_are_searched() -> None:
    """While the search goes on, more lines are found than are known to be searched."""
    ahead = state(list(range(1000)), known=((0, 0), (0, 100)))
    pieces = filter_pieces(QUERY, ahead, 5000, None, inverse=True, context=0)
    assert said(pieces).endswith("  0+ of 5,000 lines")
    assert said(filter_counter(ahead, inverse=True)) == "0+ line"
