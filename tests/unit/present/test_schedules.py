"""Schedules as rows, as a summary, and as details."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import pytest

from platui.models.wire import Pipeline, Schedule
from platui.present.details.schedules import schedule_details
from platui.present.schedules.runs import ScheduleState, next_runs
from platui.present.tables.column_widths import PrintedTable
from platui.present.tables.schedules import (
    SCHEDULES,
    ScheduleRows,
    schedule_line,
    schedules_summary,
)
from platui.present.tables.spec import Context

if TYPE_CHECKING:
    from platui.models.values.table import Row

NOW: Final = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
NIGHTLY: Final = {
    "id": 7, "description": "Nightly full run", "ref": "refs/heads/main", "cron": "15 3 * * *",
    "cron_timezone": "Berlin", "active": True, "next_run_at": "2026-03-15T02:15:00Z",
    "created_at": "2024-01-01T00:00:00Z", "owner": {"id": 3, "username": "a.khan"},
}  # fmt: skip
RAN: Final = Pipeline(id=4711, status="success", created_at=NOW - timedelta(minutes=57))
FAILED: Final = Pipeline(id=4711, status="failed", created_at=NOW - timedelta(minutes=57))


def schedule(**fields: Any) -> Schedule:
    """Return the nightly schedule with other fields."""
    return Schedule.model_validate({**NIGHTLY, **fields})


def row(standing: ScheduleState, asked_at: datetime = NOW) -> Row:
    """Return a row with times in UTC."""
    return SCHEDULES.row(schedule_line(standing, NOW, asked_at), Context(NOW, utc=True))


def texts(standing: ScheduleState, asked_at: datetime = NOW) -> list[str]:
    """Return what a row says."""
    return [cell.text for cell in row(standing, asked_at).cells]


def lines(standing: ScheduleState, now: datetime = NOW, *, utc: bool = True) -> list[str]:
    """Return what the details say."""
    about = schedule_details(standing, now, Context(now, utc))
    return [f"{field.label}: {field.value.text}" for field in about.fields]


def test_a_row_says_when_it_runs_next_and_how_it_ran_last() -> None:
    """In one's own time and in words; the ref without what is before it."""
    assert texts(ScheduleState(schedule(), RAN, knows_last=True)) == [
        "02:15 in 23h", "Nightly full run", "at 03:15 every day CET", "✔ success 57m", "main",
        "Berlin", "a.khan",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"next_run_at": "2026-03-11T02:15:00Z"}, "✖ did not run"),
        ({"next_run_at": "2026-03-14T03:09:00Z", "cron": "bad"}, "? unknown"),
        ({"active": False}, "■ inactive"),
        ({"next_run_at": None}, "02:15 in 23h"),
        ({"next_run_at": None, "active": None}, "02:15 in 23h"),
        ({"next_run_at": None, "cron_timezone": "Nowhere"}, "? unknown"),
        ({"next_run_at": "2026-03-20T02:15:00Z"}, "20 Mar 02:15"),
    ],
)
def test_the_next_run(fields: dict[str, object], says: str) -> None:
    """As the platform announces it, else by the cron line; missing, switched off, or unknown."""
    assert texts(ScheduleState(schedule(**fields)))[0] == says


def test_what_is_old_is_not_late() -> None:
    """An answer of yesterday cannot tell that today's run is missing."""
    due = NOW - timedelta(minutes=57)
    standing = ScheduleState(schedule(next_run_at=due.isoformat()))
    assert texts(standing)[0] == "✖ did not run"
    assert texts(standing, asked_at=due - timedelta(hours=5))[0] == "02:15 in 23h"


def test_a_pipeline_that_never_came_is_missing_though_the_next_is_announced() -> None:
    """A ref that is gone starts nothing, and the platform goes on announcing."""
    old = Pipeline(id=1, status="success", created_at=NOW - timedelta(days=2))
    assert texts(ScheduleState(schedule(), old, knows_last=True), NOW + timedelta(hours=1))[0] == (
        "✖ did not run"
    )


def test_a_line_that_nobody_can_read_is_shown_as_it_is() -> None:
    """And one's own reader is not the platform's."""
    cell = row(ScheduleState(schedule(cron="0 0 * * mon%2"))).cells[2]
    assert (cell.text, cell.role) == ("0 0 * * mon%2", "warning")


def test_the_most_urgent_sorts_first() -> None:
    """What did not run, then what runs soonest, then what is switched off."""
    rows = [
        row(ScheduleState(schedule(id=1, active=False))),
        row(ScheduleState(schedule(id=2, next_run_at="2026-03-16T02:15:00Z"))),
        row(ScheduleState(schedule(id=3))),
        row(ScheduleState(schedule(id=4, next_run_at="2026-03-11T02:15:00Z"))),
    ]
    assert [one.key for one in sorted(rows, key=lambda one: one.sort[0])] == ["4", "3", "2", "1"]


def test_a_printed_list_tells_what_did_not_run() -> None:
    """The same as the screen; JSON has the time at which it was due."""
    at = Context(NOW)
    missed = schedule(id=4, next_run_at="2026-03-11T02:15:00Z")
    on_time = schedule(id=2, next_run_at="2026-03-16T02:15:00Z")
    [column] = [one for one in SCHEDULES.columns if one.key == "next"]
    assert column.cli_text is not None
    late, fine = (schedule_line(ScheduleState(one), NOW, NOW) for one in (missed, on_time))
    assert column.cli_text(late, at) == "did not run"
    assert "did not run" not in column.cli_text(fine, at)
    assert SCHEDULES.object(late, at)["missed_at"] is not None
    assert SCHEDULES.object(fine, at)["missed_at"] is None


@pytest.mark.parametrize("room", [60, 80])
def test_a_narrow_list_omits_other_columns_before_the_name(room: int) -> None:
    """Without its name, nobody knows which schedule it is."""
    long = schedule(cron_timezone="America/New_York", owner={"id": 3, "username": "a.okonkwo"})
    line = schedule_line(ScheduleState(long, RAN, knows_last=True), NOW, NOW)
    columns = [one.cli_layout for one in SCHEDULES.cli_columns]
    rows = [SCHEDULES.cli_texts(line, Context(NOW, utc=True))]
    table = PrintedTable(columns, rows, room)
    assert "SCHEDULE" not in table.left_out
    assert "OWNER" in table.left_out or room == 80
    [text] = table.lines(rows)
    assert text.endswith("Nightly full run"), text


def test_the_summary_begins_with_what_is_missing() -> None:
    """Then how many there are, and what else is wrong."""
    rows = [
        row(ScheduleState(schedule(id=1, active=False))),
        row(ScheduleState(schedule(id=2), FAILED, knows_last=True)),
        row(ScheduleState(schedule(id=4, next_run_at="2026-03-11T02:15:00Z"))),
    ]
    assert [text for text, _ in schedules_summary(rows, 3, complete=True)] == [
        "1 did not run", "3 schedules", "1 failed last time", "1 inactive",
    ]  # fmt: skip
    assert schedules_summary(rows[:1], 500, complete=False)[0][0] == "1 schedule of 500 loaded"


def test_what_failed_is_found_by_the_filter_of_failures() -> None:
    """`F` looks for what failed: a run that never began is one."""
    assert "failed" in row(ScheduleState(schedule(next_run_at="2026-03-11T02:15:00Z"))).search
    assert "failed" in row(ScheduleState(schedule(), FAILED, knows_last=True)).search
    assert "failed" not in row(ScheduleState(schedule(), RAN, knows_last=True)).search


def test_the_next_three_runs_in_both_zones() -> None:
    """The schedule's own first, then one's own where it differs."""
    said = lines(ScheduleState(schedule()))
    at = said.index("next: Sun 15 Mar 03:15 CET")
    assert said[at + 1 : at + 6] == [
        ": 02:15 UTC · in 23h",
        ": Mon 16 Mar 03:15 CET",
        ": 02:15 UTC · in 1d",
        ": Tue 17 Mar 03:15 CET",
        ": 02:15 UTC · in 2d",
    ]
    there = lines(ScheduleState(schedule(cron_timezone="UTC", cron="15 2 * * *")))
    assert "next: Sun 15 Mar 02:15 UTC · in 23h" in there


def test_a_change_of_the_clocks_is_named() -> None:
    """Before it, and where a run falls into it."""
    night = datetime(2026, 3, 28, 12, tzinfo=UTC)
    fields = {"cron": "30 2 * * *", "cron_timezone": "Europe/Berlin", "next_run_at": None}
    said = lines(ScheduleState(schedule(**fields)), night)
    assert "next: Sun 29 Mar 02:30 CEST" in said
    assert any("clock change skips" in line for line in said)
    assert "clocks: go forward before Sun 29 Mar: CET to CEST" in said
    autumn = lines(ScheduleState(schedule(**fields)), datetime(2026, 10, 24, 12, tzinfo=UTC))
    assert any("occurs twice" in line for line in autumn)


def test_what_the_platform_announces_goes_before_the_cron_line() -> None:
    """It may look at schedules at the 19th minute of each hour only."""
    runs = next_runs(schedule(next_run_at="2026-03-15T03:19:00Z"), NOW)
    assert [run.by_cron is not None for run in runs] == [True, False, False]
    assert f"{runs[0].wall:%H:%M}" == "04:19"
    assert f"{runs[1].wall:%d %H:%M}" == "16 03:15"
    said = lines(ScheduleState(schedule(next_run_at="2026-03-15T03:19:00Z")))
    assert ": sent by the platform; by the cron expression 15 Mar 02:15" in said


def test_an_announced_run_of_an_unknown_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the zone of the machine."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        said = lines(ScheduleState(schedule(cron_timezone="Nowhere")))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert "next: Sun 15 Mar 02:15 UTC" in said


def test_values_of_variables_are_not_shown() -> None:
    """They may be secrets; which file it runs is none."""
    variables = [
        {"key": "_PIPELINE_FILE_NAME", "value": "full-ci.yml"},
        {"key": "TARGET", "value": "planted-secret"},
    ]
    said = lines(ScheduleState(schedule(variables=variables)))
    assert "file: full-ci.yml" in said
    assert any(line.startswith("TARGET: ") for line in said)
    assert "planted-secret" not in "\n".join(said)


def test_an_owner_who_is_gone_is_told() -> None:
    """Nobody's schedule runs in nobody's name."""
    assert "owner: none: take ownership" in lines(ScheduleState(schedule(owner=None)))


def test_rows_of_a_thousand_schedules_are_made_once() -> None:
    """Rows are made once for as long as they stay true."""
    many = [
        ScheduleState(schedule(id=number, cron=f"{number % 60} {number % 24} * * *"))
        for number in range(1_000)
    ]
    rows = ScheduleRows()
    first = rows.rows(many, NOW)
    again = rows.rows([ScheduleState(one.schedule) for one in many], NOW + timedelta(seconds=1))
    assert all(one is other for one, other in zip(first, again, strict=True))
