"""Cron lines as the platform reads them: in words, in their zones, and what is wrong with them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.analysis.schedules.cron import cron_problem, describe_cron, read_cron
from platui.analysis.schedules.due_times import Shift, last_due, upcoming

if TYPE_CHECKING:
    from platui.analysis.schedules.due_times import Due

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")

FOUR = "A cron expression has five fields, this one has 4: minute hour day month weekday."
EMPTY = "Enter a cron expression with five fields: minute hour day month weekday."
REBOOT = (
    "Unknown macro @reboot. Use one of @hourly, @daily, @midnight, @noon, @weekly, @monthly, "
    "@yearly, @annually."
)


def cron(text: str) -> str:
    """Return a line that can be reckoned."""
    found = read_cron(text).cron
    assert found, text
    return found


def utc(text: str) -> datetime:
    """Return a moment."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def told(dues: tuple[Due, ...]) -> list[tuple[str, str, Shift]]:
    """Return runs as text: in UTC, on the wall, and what the clocks do to them."""
    return [(f"{due.at:%d %H:%M}", f"{due.wall:%d %H:%M}", due.shift) for due in dues]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 1 * * 5", "at 01:00 every Friday"),
        ("0 9 * * mon", "at 09:00 every Monday"),
        ("0 9 * * 1,3,5", "at 09:00 every Monday, Wednesday and Friday"),
        ("0 9 * * 1/2,fri/3", "at 09:00 every Monday and Friday"),
        ("0 9 1-31 * 1-5", "at 09:00, Monday to Friday"),
        ("15 3 * * *", "at 03:15 every day"),
        ("@daily", "at 00:00 every day"),
        ("0 24 * * *", "at 00:00 every day"),
        ("0 */24 * * *", "at 00:00 every day"),
        ("5 0-24 * * *", "every hour at :05"),
        ("0 0-24/3 * * *", "every 3 hours from 00:00"),
        ("0 6,18 * * *", "at 06:00 and 18:00 every day"),
        ("*/15 * * * *", "every 15 minutes"),
        ("*/7 * * * *", "every seventh minute of every hour"),
        ("5 * * * *", "every hour at :05"),
        ("0 */4 * * *", "every 4 hours from 00:00"),
        ("0 */5 * * *", "every 5 hours from 00:00 to 20:00"),
        ("5 7-19/2 * * 1-5", "every 2 hours from 07:05 to 19:05, Monday to Friday"),
        ("30 5 1 * *", "at 05:30 on the first day of every month"),
        ("0 0 last * *", "at 00:00 on the last day of every month"),
        ("0 9 * * mon#2", "at 09:00 on the second Monday of the month"),
        ("0 9 * * fri#last", "at 09:00 on the last Friday of the month"),
        ("0 0 1,15 * 3", "at 00:00 on the first and the 15th day of the month and on Wednesday"),
        ("0 9 */2 * 1", "at 09:00 on every second day of the month and on Monday"),
        ("0 0 1 1 *", "at 00:00 on January 1"),
        ("0 0 -2 * *", ""),
        ("0 0 * * mon%2", ""),
        ("0 9 * * *,1", ""),
        ("0 9 15,1-31 * 1", ""),
        ("0 9 *,15 * 1", ""),
        ("0 24/2 * * *", ""),
        ("0 9 * * 5,1/1", "at 09:00 every Friday and Monday"),
        ("nonsense", ""),
    ],
)
def test_a_line_in_words(line: str, words: str) -> None:
    """Short enough for a table; blank where only the platform can read it."""
    assert describe_cron(line) == words


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0 1 * * 5", ""),
        ("@weekly", ""),
        ("0 */24 * * *", ""),
        ("0 0 L * *", ""),
        ("0 0 * * mon%2", ""),
        ("0 0 -7-L * *", ""),
        ("0 22-2 * * *", ""),
        ("30 0 1 * * *", ""),
        ("", EMPTY),
        ("0 1 * *", FOUR),
        ("0 25 * * *", 'Invalid hour "25" (0 to 23).'),
        ("61 1 * * *", 'Invalid minute "61" (0 to 59).'),
        ("0 1 32 * *", 'Invalid day of the month "32" (1 to 31, or L for the last day).'),
        ("0 1 31 2 *", "Month 2 has no day 31."),
        ("0 1 * 13 *", 'Invalid month "13" (1 to 12, or jan to dec).'),
        ("0 1 * * someday", 'Invalid weekday "someday" (0 to 7, or sun to sat).'),
        ("*/0 1 * * *", 'Invalid minute "*/0" (0 to 59).'),
        ("0 1 * * * Europe/Paris",
         "Enter the time zone in its own field: a cron expression ends with the weekday."),
        ("@reboot", REBOOT),
        ("* " * 200, "A cron expression is at most 200 characters long."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line(line: str, problem: str) -> None:
    """Only what no cron takes is wrong: the rest is for the platform to say."""
    assert cron_problem(line) == problem


@given(st.text(alphabet="0123456789*/,-L#@%monfri \t\n²", max_size=40))
@settings(max_examples=300, deadline=None)
def test_no_line_is_too_odd_to_be_read(line: str) -> None:
    """A line comes from others: whatever it says, it is read, wrong, or left to the platform."""
    reading = read_cron(line)
    assert describe_cron(line) == "" or reading.cron
    if reading.cron:
        upcoming(reading.cron, BERLIN, utc("2026-11-22T05:00"))


def test_the_day_of_the_month_and_the_weekday_are_joined_by_or() -> None:
    """Also with a star in front, where the classic cron joins them by and."""
    found = upcoming(cron("0 9 */10 * 1"), UTC, utc("2026-11-20T10:00"), 4)
    assert [f"{due.wall:%a %d}" for due in found] == ["Sat 21", "Mon 23", "Mon 30", "Tue 01"]


@pytest.mark.parametrize("days", ["*", "*/1", "1-31", "01-31/1", "1/1"])
def test_every_day_of_the_month_leaves_the_choice_to_the_weekday(days: str) -> None:
    """Also where it is not written as a star."""
    found = upcoming(cron(f"0 9 {days} * mon-fri"), UTC, utc("2026-11-20T10:00"), 2)
    assert [f"{due.wall:%a %d}" for due in found] == ["Mon 23", "Tue 24"]


def test_every_weekday_by_its_step_is_joined_by_or() -> None:
    """Only a star alone leaves the choice to the day of the month."""
    found = upcoming(cron("0 9 1 * */1"), UTC, utc("2026-11-20T10:00"), 2)
    assert [f"{due.wall:%a %d}" for due in found] == ["Sat 21", "Sun 22"]


def test_a_run_in_the_hour_that_the_clocks_skip() -> None:
    """It is told, as the moment it would have been."""
    found = upcoming(cron("30 2 * * *"), BERLIN, utc("2026-03-28T00:00"))
    assert told(found) == [
        ("28 01:30", "28 02:30", Shift.NONE),
        ("29 01:30", "29 02:30", Shift.SKIPPED),
        ("30 00:30", "30 02:30", Shift.NONE),
    ]


def test_a_run_in_the_hour_that_comes_twice() -> None:
    """The first of the two is told, once."""
    found = upcoming(cron("30 1 * * *"), NEW_YORK, utc("2026-10-31T12:00"), 2)
    assert told(found) == [
        ("01 05:30", "01 01:30", Shift.TWICE),
        ("02 06:30", "02 01:30", Shift.NONE),
    ]
    between = utc("2026-11-01T05:45")
    assert upcoming(cron("30 1 * * *"), NEW_YORK, between, 1)[0].at == utc("2026-11-02T06:30")


def test_what_runs_every_hour_runs_through_a_change_of_the_clocks() -> None:
    """No hour of the world is skipped or doubled."""
    found = upcoming(cron("0 * * * *"), BERLIN, utc("2026-10-24T23:30"), 4)
    assert [f"{due.at:%H:%M}" for due in found] == ["00:00", "01:00", "02:00", "03:00"]
    assert [f"{due.wall:%H:%M}" for due in found] == ["02:00", "02:00", "03:00", "04:00"]


def test_the_last_run_that_was_due() -> None:
    """Before a moment, not at it."""
    nightly = cron("15 3 * * *")
    due = last_due(nightly, BERLIN, utc("2026-11-22T02:15"))
    assert due is not None
    assert due.at == utc("2026-11-21T02:15")


def test_a_line_that_never_comes_true_has_no_runs() -> None:
    """The fifth Monday of a February in a leap year, and on no other day."""
    assert upcoming(cron("0 0 30 2 1#5"), UTC, utc("2026-11-22T00:00"), 1)[0].wall.year == 2044
