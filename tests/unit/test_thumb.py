"""The scroll thumb: where it lies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.ui.widgets.scrolling import thumb_rows


@pytest.mark.parametrize(
    ("height", "offset", "total", "expected"),
    [
        (10, 0, 0, range(0)),
        (10, 0, 10, range(0)),
        (0, 0, 100, range(0)),
        (10, 0, 20, range(5)),
        (10, 10, 20, range(5, 10)),
        (10, 0, 1_000_000, range(1)),
        (10, 1, 1_000_000, range(1, 2)),
        (10, 999_989, 1_000_000, range(8, 9)),
        (10, 999_990, 1_000_000, range(9, 10)),
        (10, 5_000_000, 1_000_000, range(9, 10)),
        (1, 3, 5, range(1)),
    ],
)
def test_thumb_lies_where_the_view_is(
    height: int, offset: int, total: int, expected: range
) -> None:
    """Nothing when all fits; the ends only at the ends; never outside the view."""
    assert thumb_rows(height, offset, total) == expected


@given(st.integers(1, 80), st.integers(0, 5000), st.integers(0, 5000))
def test_thumb_stays_inside_and_moves_downwards(height: int, offset: int, total: int) -> None:
    """Whatever the sizes, the thumb is inside the view and never jumps back."""
    rows = thumb_rows(height, offset, total)
    after = thumb_rows(height, offset + 1, total)
    if total <= height:
        assert len(rows) == 0
        return
    assert rows.start >= 0
    assert len(rows) >= 1
    assert rows.stop <= height
    assert after.start >= rows.start
