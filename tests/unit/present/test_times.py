"""Ages and durations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from platui.present.times import age, clock, duration, span

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0s"), (0, "0s"), (59.9, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"),
        (86399, "23h"), (86400, "1d"), (364 * 86400, "364d"), (366 * 86400, "1y"),
    ],
)  # fmt: skip
def test_an_age_has_one_unit_and_at_most_four_signs(seconds: float, text: str) -> None:
    """Short, so that a column of ages is narrow."""
    assert span(seconds) == text
    assert age(NOW - timedelta(seconds=seconds), NOW) == text
    assert len(text) <= 4


def test_an_unknown_age_is_blank() -> None:
    """Never a guess."""
    assert age(None, NOW) == ""
    assert duration(None) == ""
    assert clock(None, NOW, utc=True) == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"), (0.4, "0s"), (59.4, "59s"), (59.6, "1m00s"), (432, "7m12s"), (3599.6, "1h00m"),
        (3840, "1h04m"), (97200, "1d03h"),
    ],
)  # fmt: skip
def test_a_duration_has_at_most_two_units(seconds: float, text: str) -> None:
    """Rounded before it is taken apart, so that there is no `60s`."""
    assert duration(seconds) == text


def test_a_time_of_another_day_says_the_day() -> None:
    """Today's times are short."""
    assert clock(NOW - timedelta(hours=1), NOW, utc=True) == "02:12"
    assert clock(NOW - timedelta(days=2), NOW, utc=True) == "12 Mar 03:12"
    assert clock(NOW - timedelta(days=400), NOW, utc=True) == "2025-02-07 03:12"
