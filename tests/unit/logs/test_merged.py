"""Lines of many logs in one document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.logs.merged import MergedLog
from platui.models.values.log import ErrorMark, Span, SpanStyle
from platui.models.values.many_logs import Origin

SPANS = st.lists(
    st.builds(
        Span,
        st.text(max_size=20),
        st.sampled_from([SpanStyle(), SpanStyle("red", bold=True), SpanStyle(role="muted")]),
    ),
    max_size=4,
).map(tuple)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(SPANS, st.integers(1, 9), st.none() | st.floats(0, 2e9)), max_size=30))
def test_what_was_added_comes_back(
    lines: list[tuple[tuple[Span, ...], int, float | None]],
) -> None:
    """Spans with their styles, where they came from, and when."""
    merged = MergedLog()
    for number, (spans, job, stamp) in enumerate(lines):
        merged.add(spans, Origin(job, number), stamp)
    assert merged.line_count == merged.version == len(lines)
    assert merged.has_timestamps == any(stamp is not None for _, _, stamp in lines)
    for y, (spans, job, stamp) in enumerate(lines):
        assert merged.spans(y) == spans
        assert merged.text(y) == "".join(span.text for span in spans)
        assert merged.origin(y) == Origin(job, y)
        assert merged.stamp(y) == stamp
        assert not merged.is_section(y)


@pytest.mark.parametrize("y", [-1, 1])
def test_a_line_that_is_not_there_is_an_error(y: int) -> None:
    """Below the first, and after the last."""
    merged = MergedLog()
    merged.add((Span("one"),), Origin(1, 0))
    for ask in (merged.spans, merged.text, merged.origin):
        with pytest.raises(IndexError):
            ask(y)


def added(merged: MergedLog, job: int, line: int, error: ErrorMark | None = None) -> None:
    """Add a line of a job's log."""
    merged.add((Span("x"),), Origin(job, line), None, error)


def test_errors_of_the_logs_are_errors_of_the_stream() -> None:
    """Where their lines stand now; what says it is the line that says it there."""
    merged, traceback = MergedLog(), ErrorMark(4, 7, "python", 80, 2)
    added(merged, 1, 3)
    assert (merged.errors, merged.error_count) == ((), 0)
    added(merged, 1, 4, traceback)
    assert merged.errors == (ErrorMark(1, 2, "python", 80),)
    added(merged, 1, 5, traceback)
    added(merged, 1, 6, traceback)
    assert merged.errors == (ErrorMark(1, 4, "python", 80, 2),)
    added(merged, 2, 4, ErrorMark(4, 5, "dbt"))
    added(merged, 2, 5, ErrorMark(5, 6, "dbt"))
    added(merged, 1, 7)
    assert [(mark.first, mark.end, mark.rule) for mark in merged.errors] == [
        (1, 4, "python"), (4, 5, "dbt"), (5, 6, "dbt"),
    ]  # fmt: skip
    assert merged.error_count == 3


def test_an_error_with_lines_of_others_in_between_is_two() -> None:
    """Marks never overlap, and no part of it is out of reach."""
    merged, error = MergedLog(), ErrorMark(0, 3, "python", 80, 2)
    added(merged, 1, 0, error)
    added(merged, 2, 0)
    added(merged, 1, 1, error)
    added(merged, 1, 2, error)
    assert merged.errors == (ErrorMark(0, 1, "python", 80), ErrorMark(2, 4, "python", 80, 1))
