"""The number on the gauge."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from platui.core.peak_count import HELD, SLACK, PeakCount

LIMIT = 600


def test_it_rises_at_once() -> None:
    """What was just spent is shown."""
    count = PeakCount()
    assert [count.take(used, 1000.0 + used, LIMIT) for used in (0, 1, 5, 9)] == [0, 1, 5, 9]


def test_it_falls_only_after_a_minute_of_less() -> None:
    """A burst is remembered for as long as the platform may remember it."""
    count = PeakCount()
    count.take(140, 1000.0, LIMIT)
    assert count.take(6, 1030.0, LIMIT) == 140
    assert count.take(5, 1066.0, LIMIT) == 6


def test_it_does_not_fall_by_a_few() -> None:
    """A view that polls now six times a minute and now five shows one number."""
    count = PeakCount()
    assert [count.take(used, 100.0 * turn, LIMIT) for turn, used in enumerate((36, 30, 7, 6))] == [
        36, 36, 36, 6,
    ]  # fmt: skip


def test_a_steady_poll_counted_in_whole_minutes_shows_one_number() -> None:
    """The platform's count is a saw; what is shown is level."""
    count = PeakCount()
    saw = [(second, 1 + second % 60 // 10) for second in range(0, 600, 10)]
    shown = [count.take(used, float(second), LIMIT) for second, used in saw]
    assert set(shown[6:]) == {6}


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 600)), min_size=1))
def test_it_never_shows_less_than_is_used(steps: list[tuple[float, int]]) -> None:
    """It errs on the safe side, and above what there was within the minute only by the slack."""
    count, now = PeakCount(), 0.0
    seen: list[tuple[float, int]] = []
    for wait, used in steps:
        now += wait
        seen.append((now, used))
        shown = count.take(used, now, LIMIT)
        peak = max(value for moment, value in seen if moment >= now - HELD)
        assert used <= peak <= shown < peak + SLACK * LIMIT or shown == peak
