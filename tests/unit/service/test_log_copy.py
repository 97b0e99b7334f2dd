"""Our copy of a log, however its bytes come."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from platui.service.logs.copy import LogCopy
from platui.service.logs.source import MIN_RANGE_BYTES, OVERLAP, RangeSupport

if TYPE_CHECKING:
    from collections.abc import Iterable

STAMP = b"2026-09-25T07:33:00.992977Z 00O"

logs = st.binary(max_size=60)
cuts = st.lists(st.integers(0, 60), max_size=6)


def _chunks(data: bytes, at: Iterable[int]) -> list[bytes]:
    """Return the data in pieces."""
    edges = [0, *sorted(min(cut, len(data)) for cut in at), len(data)]
    return [data[a:b] for a, b in pairwise(edges) if a < b]


def _content(copy: LogCopy) -> bytes:
    """Return all bytes of the document."""
    return copy.document.read(0, copy.size)


def _answer(copy: LogCopy, log: bytes, at: Iterable[int] = (), start: int = 0) -> bool:
    """Let an answer come: the log from a byte on, in pieces; return whether it said anything."""
    assert copy.begin(start)
    taken = [copy.take(chunk) for chunk in _chunks(log[start:], at)]
    return copy.end() or any(taken)


@given(logs, cuts, st.lists(st.tuples(logs, cuts), max_size=3))
def test_the_copy_is_what_came_last(
    first: bytes, first_cuts: list[int], later: list[tuple[bytes, list[int]]]
) -> None:
    """Whether a log grew, shrank or changed, the copy and its document end up equal to it."""
    copy = LogCopy()
    _answer(copy, first, first_cuts)
    before = first
    for log, at in later:
        copy.reset = False
        document = copy.document
        said = _answer(copy, log, at)
        assert _content(copy) == log
        assert copy.document.size == len(log)
        assert said == (log != before)
        assert copy.reset == (not log.startswith(before))
        assert (copy.document is document) == (not copy.reset)
        before = log


@given(logs, logs, cuts, st.integers(0, 60))
def test_a_part_that_overlaps_adds_only_what_is_new(
    log: bytes, more: bytes, at: list[int], start: int
) -> None:
    """An answer may begin anywhere in what is known."""
    copy = LogCopy()
    _answer(copy, log)
    _answer(copy, log + more, at, min(start, len(log)))
    assert _content(copy) == log + more
    assert not copy.reset


@given(cuts)
def test_a_line_that_goes_on_after_the_end_is_one_line(at: list[int]) -> None:
    """A log that was taken for complete: its lines are counted anew."""
    known, more = STAMP + b" one\n", STAMP + b"+and more\n" + STAMP + b" two\n"
    copy = LogCopy()
    _answer(copy, known)
    copy.document.take_in()
    copy.document.finish()
    assert copy.document.text(0) == "one"
    assert copy.begin(len(known))
    for chunk in _chunks(more, at):
        copy.take(chunk)
        copy.document.take_in()
    copy.document.finish()
    document = copy.document
    assert [document.text(y) for y in range(document.line_count)] == ["oneand more", "two"]
    assert copy.reset


def test_a_part_from_beyond_the_end_does_not_join_on() -> None:
    """A hole in a log is no log."""
    copy = LogCopy()
    _answer(copy, b"one\n")
    assert not copy.begin(5)


def test_a_part_is_asked_for_only_where_it_pays_and_is_honoured() -> None:
    """The first try is made with a log that is worth it; one that was ignored is not repeated."""
    habit = RangeSupport()
    assert habit.start_for(MIN_RANGE_BYTES - 1) == 0
    assert habit.start_for(MIN_RANGE_BYTES) == MIN_RANGE_BYTES - OVERLAP
    habit.learn(asked=100, came=100)
    assert habit.start_for(MIN_RANGE_BYTES) == MIN_RANGE_BYTES - OVERLAP
    habit.learn(asked=0, came=0)
    assert habit.start_for(MIN_RANGE_BYTES) == MIN_RANGE_BYTES - OVERLAP
    habit.learn(asked=100, came=0)
    assert habit.start_for(MIN_RANGE_BYTES * 1000) == 0
