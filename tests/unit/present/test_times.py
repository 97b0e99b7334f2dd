"""Ages and durations."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from platui.present.times import age, at_wall_time, clock, duration, span, stamp, zone_name

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@pytest.mark.parametrize(("year", "hours"), [(1, 14), (9999, -14)])
def test_where_calendars_end_a_moment_is_shown_in_its_own_zone(year: int, hours: int) -> None:
    """No other zone has a time of day for it."""
    zone = timezone(timedelta(hours=hours))
    moment = datetime(year, 1, 1, tzinfo=zone) if year == 1 else datetime.max.replace(tzinfo=zone)
    assert str(year) in stamp(moment, NOW, utc=True).lstrip("0")
    assert clock(moment, NOW, utc=True)


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


@pytest.fixture
def _zone(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """Put this machine into a zone."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize("_zone", ["Europe/Berlin"], indirect=True)
@pytest.mark.usefixtures("_zone")
def test_what_the_wall_shows_is_another_moment_in_summer() -> None:
    """A day after eight in the morning it is eight again, though that may be 23 hours."""
    eight = datetime(2026, 3, 28, 8, 0)  # noqa: DTZ001  (what a wall shows)
    found = [at_wall_time(eight + timedelta(days=days), utc=False) for days in (0, 1)]
    assert [f"{one:%H:%M %z}" for one in found] == ["08:00 +0100", "08:00 +0200"]
    assert at_wall_time(eight, utc=True) == datetime(2026, 3, 28, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("_zone", "moment", "said"),
    [
        ("Europe/Berlin", "2026-11-21T02:12:09.500Z", "21 Nov 03:12:09 CET"),
        ("Europe/Berlin", "2026-07-01T23:30:00Z", "02 Jul 01:30:00 CEST"),
        ("Europe/Berlin", "2026-10-25T00:30:00Z", "25 Oct 02:30:00 CEST"),
        ("Europe/Berlin", "2026-10-25T01:30:00Z", "25 Oct 02:30:00 CET"),
        ("America/Sao_Paulo", "2026-11-21T02:12:09Z", "20 Nov 23:12:09 UTC-03"),
        ("Asia/Kolkata", "2025-12-31T20:00:00Z", "01 Jan 01:30:00 IST"),
        ("UTC", "2026-11-21T03:12:09+01:00", "21 Nov 02:12:09 UTC"),
    ],
    indirect=["_zone"],
)
@pytest.mark.usefixtures("_zone")
def test_local_times_have_the_zone_of_their_day(moment: str, said: str) -> None:
    """Summer and winter, the hour that comes twice, and zones without letters."""
    now = datetime(2026, 12, 1, tzinfo=UTC)
    assert stamp(datetime.fromisoformat(moment), now, utc=False).startswith(f"{said} · ")


def test_utc_is_utc_whatever_the_platform_says() -> None:
    """An offset in an answer is no zone to show times in."""
    moment = datetime.fromisoformat("2026-03-14T04:12:00+01:00")
    assert stamp(moment, NOW, utc=True) == "14 Mar 03:12:00 UTC · 0s ago"
    assert zone_name(moment, utc=True) == "UTC"
    assert clock(moment, NOW, utc=True) == "03:12"


def test_a_stamp_says_how_far_away_it_is() -> None:
    """Also in the future; another year is said in full."""
    assert stamp(NOW + timedelta(days=3), NOW, utc=True) == "17 Mar 03:12:00 UTC · in 3d"
    assert stamp(NOW - timedelta(days=400), NOW, utc=True) == "2025-02-07 03:12:00 UTC · 1y ago"
    assert stamp(None, NOW, utc=True) == ""
