"""Shown lines against a list of them: folds, chosen lines with context, and all the others."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.present.logs import lines as log_lines
from platui.present.logs.lines import ChosenLines, FoldedLines, LinesAt, OtherLines, ShownLines

MOST = 60


def check(shown: ShownLines, wanted: list[int], lines: int) -> None:
    """Compare every answer with those of a plain list."""
    assert shown.count == len(wanted)
    assert [shown.line(place) for place in range(shown.count)] == wanted
    for line in range(lines):
        assert shown.place(line) == sum(one < line for one in wanted)
        assert shown.shows(line) is (line in wanted)


@given(
    runs=st.lists(st.tuples(st.integers(1, MOST), st.integers(0, 20)), max_size=8).map(sorted),
    sizes=st.lists(st.integers(0, MOST), min_size=1, max_size=3).map(sorted),
    early=st.integers(0, 8),
)
def test_folds_hide_their_lines(runs: list[tuple[int, int]], sizes: list[int], early: int) -> None:
    """Runs may touch, overlap, lie in one another, and reach beyond the end."""
    shown = FoldedLines(sizes[0], ((start, start + length) for start, length in runs[:early]))
    for start, length in runs[early:]:
        shown.hide(start, start + length)
    hidden = {line for start, length in runs for line in range(start, start + length)}
    for lines in sizes:
        assert shown.grow(lines)
        check(shown, [line for line in range(lines) if line not in hidden], lines)


chosen_lines = st.sets(st.integers(0, MOST - 1)).map(sorted)


@given(
    chosen=chosen_lines,
    context=st.integers(0, 5),
    sizes=st.lists(st.integers(0, MOST), min_size=1, max_size=3).map(sorted),
    early=st.integers(0, MOST),
)
def test_chosen_lines_and_those_around_them(
    chosen: list[int], context: int, sizes: list[int], early: int
) -> None:
    """What is around two of them is shown once; the sequence may grow, as the log does."""
    found = array("q", chosen[:early])
    shown = ChosenLines(found, context, sizes[0])
    found.extend(chosen[early:])
    for lines in sizes:
        assert shown.grow(lines)
        named = [one for one in chosen if one < lines]
        around = {line for one in named for line in range(one - context, one + context + 1)}
        check(shown, [line for line in range(lines) if line in around], lines)


@given(
    named=chosen_lines,
    sizes=st.lists(st.integers(0, MOST), min_size=1, max_size=3).map(sorted),
    until=st.none() | st.integers(0, MOST),
)
def test_all_the_others(named: list[int], sizes: list[int], until: int | None) -> None:
    """Lines that nobody has looked at yet are not shown, lest they go away again."""
    shown = OtherLines(named, until, sizes[0])
    for lines in sizes:
        assert shown.grow(lines)
        known = lines if until is None else min(lines, until)
        check(shown, [line for line in range(known) if line not in named], lines)


@settings(max_examples=10)
@given(context=st.integers(1, 3))
def test_many_chosen_lines_are_taken_in_by_parts(context: int) -> None:
    """So that no key waits for half a million of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_lines, "AT_ONCE", 3)
        chosen = list(range(0, 100, 10))
        shown = ChosenLines(chosen, context, 100)
        parts = [shown.count]
        while not shown.grow(100):
            parts.append(shown.count)
        assert len(parts) == 3
        assert parts == sorted(set(parts))
        assert shown.count == 10 * (2 * context + 1) - context


def test_lines_at_places_are_looked_up_as_they_are_asked_for() -> None:
    """One, some, or all, as of any sequence."""
    shown = FoldedLines(100, [(10, 20), (30, 90)])
    lines = LinesAt(shown, range(8, 24))
    whole = [8, 9, *range(20, 30), *range(90, 94)]
    assert (len(lines), list(lines)) == (len(whole), whole)
    assert (lines[2], lines[-1], list(lines[1:4])) == (20, 93, whole[1:4])
    assert not LinesAt(shown, range(5, 5))
