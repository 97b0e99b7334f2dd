"""Lengths of time and moments as they are typed."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from platui.cli.commands.triage.marks import length_of, moment_of
from platui.core.errors import ConfigError

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("word", "length"),
    [
        ("30m", timedelta(minutes=30)),
        ("45min", timedelta(minutes=45)),
        ("2h", timedelta(hours=2)),
        ("1d12h", timedelta(hours=36)),
        (" 1H30M ", timedelta(minutes=90)),
    ],
)
def test_lengths(word: str, length: timedelta) -> None:
    """Days, hours and minutes, the longest first."""
    assert length_of(word) == length


@pytest.mark.parametrize("word", ["", "0m", "2", "2x", "-1h", "h", "1m1h", "91d", "1.5h", "٣h"])
def test_what_is_no_length(word: str) -> None:
    """Or none that anybody means."""
    with pytest.raises(ConfigError):
        length_of(word)


@pytest.mark.parametrize(
    ("word", "moment"),
    [
        ("08:00", "2026-03-14T08:00+00:00"),
        ("3:12", "2026-03-15T03:12+00:00"),
        ("03:00", "2026-03-15T03:00+00:00"),
        ("tomorrow", "2026-03-15T08:00+00:00"),
        ("Tomorrow  06:30", "2026-03-15T06:30+00:00"),
        ("2026-03-14 06:00", "2026-03-14T06:00+00:00"),
        ("2026-03-20", "2026-03-20T00:00+00:00"),
        ("2026-03-14T06:00+02:00", "2026-03-14T04:00+00:00"),
        ("2026-03-14T06:00Z", "2026-03-14T06:00+00:00"),
    ],
)
def test_moments(word: str, moment: str) -> None:
    """The next time that a clock shows it, or the one that is named."""
    assert moment_of(word, NOW, utc=True) == datetime.fromisoformat(moment)


@pytest.mark.parametrize(
    "word", ["", "soon", "25:00", "8", "tomorrow noon", "2026-03-14 03:00", "2027-03-14", "08:00 x"]
)
def test_what_is_no_moment(word: str) -> None:
    """Or one that is over, or far away."""
    with pytest.raises(ConfigError):
        moment_of(word, NOW, utc=True)


def test_what_no_zone_reaches_is_no_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first day of all, east of Greenwich, is in no year."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        with pytest.raises(ConfigError, match="Invalid time"):
            moment_of("0001-01-01", NOW, utc=False)
    time.tzset()
