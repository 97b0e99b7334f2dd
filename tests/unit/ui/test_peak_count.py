"""The number on the gauge."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from platui.ui.pace import PeakCount


def test_it_rises_at_once() -> None:
    """What was just spent is shown."""
    count = PeakCount()
    assert [count.take(used, 1000.0 + used) for used in (0, 1, 5, 9)] == [0, 1, 5, 9]


def test_it_falls_only_after_a_minute_of_less() -> None:
    """A burst is remembered for as long as the platform may remember it."""
    count = PeakCount()
    count.take(40, 1000.0)
    assert count.take(6, 1030.0) == 40
    assert count.take(5, 1066.0) == 6
    assert count.take(5, 1096.0) == 5


def test_a_steady_poll_counted_in_whole_minutes_shows_one_number() -> None:
    """The platform's count is a saw; what is shown is level."""
    count = PeakCount()
    saw = [(second, 1 + second % 60 // 10) for second in range(0, 600, 10)]
    shown = [count.take(used, float(second)) for second, used in saw]
    assert set(shown[6:]) == {6}


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 600)), min_size=1))
def test_it_never_shows_less_than_is_used(steps: list[tuple[float, int]]) -> None:
    """It errs on the safe side, and never above what there was within the minute."""
    count, now = PeakCount(), 0.0
    seen: list[tuple[float, int]] = []
    for wait, used in steps:
        now += wait
        seen.append((now, used))
        shown = count.take(used, now)
        assert used <= shown <= max(value for moment, value in seen if moment >= now - 65.0)
