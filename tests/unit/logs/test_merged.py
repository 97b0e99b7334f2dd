"""Lines of many logs in one document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.logs.merged import MergedLog
from platui.models.values.log import Span, SpanStyle
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
    assert merged.is_stamped == any(stamp is not None for _, _, stamp in lines)
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
