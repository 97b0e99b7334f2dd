"""Times before the lines of a log."""

from __future__ import annotations

import math
import time

import pytest

from platui.present.logs.text import Stamps, clock, elapsed


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (1_790_000_000.0, "14:13:20"),
        (1_790_000_000.999, "14:13:20"),
        (0.0, "00:00:00"),
        (None, ""),
        (-1.0, ""),
        (1e300, ""),
        (math.inf, ""),
        (math.nan, ""),
    ],
)
def test_the_time_of_day(seconds: float | None, shown: str) -> None:
    """Nothing where it is not known, or of no calendar."""
    assert clock(seconds, utc=True) == shown


def test_the_time_of_day_at_the_end_of_the_calendar(monkeypatch: pytest.MonkeyPatch) -> None:
    """East of Greenwich the year 10,000 has begun."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        shown = clock(253_402_300_799.0, utc=False)
    time.tzset()
    assert shown == ""


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        (0.0, "+0:00.0"),
        (2.34, "+0:02.3"),
        (59.96, "+1:00.0"),
        (3599.94, "+59:59.9"),
        (3599.96, "+1:00:00"),
        (35_999, "+9:59:59"),
        (359_999, "+99:59:59"),
        (1_000_000, "+99:46:40"),
        (-5.0, "+0:00.0"),
    ],
)
def test_the_time_since(after: float, shown: str) -> None:
    """To a tenth within the first hour; it fits its column."""
    assert elapsed(1000 + after, 1000.0) == shown
    assert len(shown) <= Stamps.ELAPSED.width


def test_the_time_since_nobody_knows_when() -> None:
    """A blank."""
    assert elapsed(None, 1.0) == elapsed(1.0, None) == ""


def test_they_go_round() -> None:
    """None, the time of day, the time since, none."""
    assert [kind.next for kind in Stamps] == [Stamps.CLOCK, Stamps.ELAPSED, Stamps.NONE]
