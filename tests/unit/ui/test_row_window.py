"""Windows over rows that are counted, and the cursor in one."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from platui.ui.widgets.scrolling import RowCursor, RowWindow, page_rows


def window(top: int, *, height: int = 10, count: int = 100) -> RowWindow:
    """Return a window at a row."""
    made = RowWindow()
    made.fit(height, count)
    made.move_to(top)
    return made


@pytest.mark.parametrize(("top", "by", "wanted"), [(0, -3, 0), (5, 3, 8), (88, 9, 90), (90, 1, 90)])
def test_a_window_stays_between_the_ends(top: int, by: int, wanted: int) -> None:
    """However far one scrolls."""
    made = window(top)
    made.scroll(by)
    assert made.top == wanted
    assert list(made.in_sight) == list(range(wanted, wanted + 10))


def test_a_window_over_few_rows_shows_them_all() -> None:
    """And has nowhere to go."""
    made = window(3, count=4)
    assert (made.top, made.last_top, list(made.in_sight)) == (0, 0, [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("row", "below", "wanted"), [(20, 0, 20), (29, 0, 20), (29, 2, 26), (30, 0, 27), (3, 0, 0)]
)
def test_a_row_is_brought_in_sight(row: int, below: int, wanted: int) -> None:
    """A third from the top, unless it is there with what is wanted below it."""
    made = window(20)
    made.reveal(row, below=below)
    assert made.top == wanted


@pytest.mark.parametrize(
    ("height", "by", "rows"), [(20, 1, 19), (20, -1, -19), (20, 0.5, 10), (1, 1, 1), (0, -0.5, -1)]
)
def test_a_page_keeps_a_row_in_sight(height: int, by: float, rows: int) -> None:
    """And every page key moves by one at the least."""
    assert page_rows(height, by) == rows


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["point_at", "page", "scroll", "go_to"]), st.integers(-60, 60)
    ) | st.tuples(st.just("fit"), st.integers(0, 30)),
    max_size=12,
)  # fmt: skip


@given(STEPS, st.integers(0, 50))
@example(steps=[("fit", 0), ("page", 1)], count=0)
def test_the_cursor_is_always_in_sight(steps: list[tuple[str, int]], count: int) -> None:
    """Whatever moves, and however high the window is."""
    made = RowCursor()
    made.fit(10, count)
    for name, number in steps:
        if name == "fit":
            made.fit(number, count)
        else:
            getattr(made, name)(number)
        assert 0 <= made.row <= max(0, count - 1)
        assert 0 <= made.window.top <= made.window.last_top
        if made.window.height and count:
            assert made.row in made.window.in_sight
