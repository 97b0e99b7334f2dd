"""Schedules: they fire when due, and the odd ones are odd."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.company import NOW, company, moments

from platui_emulator.world.cron import Cron, zone


def at(text: str) -> datetime:
    """Return a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "where", "after", "due"),
    [
        ("0 1 * * 5", "UTC", "2026-03-14T03:12", "2026-03-20T01:00"),
        ("*/15 * * * *", "UTC", "2026-03-14T03:12", "2026-03-14T03:15"),
        ("0 7-19/4 * * 1-5", "UTC", "2026-03-13T19:30", "2026-03-16T07:00"),
        ("30 5 1 * *", "UTC", "2026-03-14T03:12", "2026-04-01T05:30"),
        ("0 0 29 feb *", "UTC", "2026-03-14T03:12", "2028-02-29T00:00"),
        ("0 12 13 * fri", "UTC", "2026-03-14T03:12", "2026-03-20T12:00"),
        ("0 4 * * *", "Berlin", "2026-03-14T03:12", "2026-03-15T03:00"),
        ("0 4 * * *", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T02:00"),
        ("30 2 * * *", "Berlin", "2026-10-25T00:45", "2026-10-26T01:30"),
        ("0 21 * * 7", "America/New_York", "2026-03-14T03:12", "2026-03-16T01:00"),
        ("@daily", "UTC", "2026-03-14T00:00", "2026-03-15T00:00"),
        ("59 23 31 12 *", "UTC", "2026-12-31T23:59", "2027-12-31T23:59"),
    ],
)
def test_next_due_minute(line: str, where: str, after: str, due: str) -> None:
    """Cron lines in their zones, over months, leap days and changes of the clock."""
    assert Cron.parse(line).next_after(at(after), zone(where)) == at(due)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "* * * *",
        ",".join(["1"] * 200) + " * * * *",
        "60 * * * *",
        "* 24 * * *",
        "a b c d e",
        "*/0 * * * *",
        "5-1 * * * *",
    ],
)
def test_what_is_no_cron_line(line: str) -> None:
    """Nonsense is refused, not guessed at."""
    with pytest.raises(ValueError, match=r"."):
        Cron.parse(line)


def test_a_day_that_never_comes_is_never_due() -> None:
    """The 30th of February ends the search."""
    assert Cron.parse("0 0 30 2 *").next_after(NOW, UTC) is None


def test_pipelines_appear_when_schedules_are_due() -> None:
    """Each scheduled pipeline stands at a due minute, and no due minute is left out."""
    for project in list(company().projects())[::6]:
        page, _ = company().pipelines.page(project.id, NOW, offset=0, limit=40)
        began = page[-1].created_at
        scheduled = {
            one.created_at.replace(second=0, microsecond=0)
            for one in page
            if one.source == "schedule"
        }
        due = set()
        for schedule in company().schedules.of(project.id, NOW):
            if not schedule.active or _is_late(schedule.next_run_at):
                continue
            cron, where = Cron.parse(schedule.cron), zone(schedule.cron_timezone)
            moment = cron.next_after(began, where)
            while moment is not None and moment <= NOW:
                due.add(moment)
                moment = cron.next_after(moment, where)
        assert due <= scheduled
        assert len(scheduled) >= 5


def _is_late(due: datetime | None) -> bool:
    return due is not None and due <= NOW


@pytest.mark.parametrize("now", [NOW, *moments(8, seed=13)])
def test_odd_schedules_are_there_at_every_moment(now: datetime) -> None:
    """One did not fire, one has a blocked owner and is off, one has none, one a Rails zone."""
    everything = [one for p in company().projects() for one in company().schedules.of(p.id, now)]
    late = [one for one in everything if one.next_run_at and one.next_run_at <= now]
    assert 1 <= len(late) <= 2
    assert all(one.active for one in late)
    off = [one for one in everything if not one.active]
    assert [one.owner.state for one in off if one.owner] == ["blocked"]
    assert any(one.owner is None for one in everything)
    assert any(one.cron_timezone == "Berlin" for one in everything)
    assert len({one.id for one in everything}) == len(everything) >= 120


def test_the_last_pipeline_of_a_schedule_is_its_own() -> None:
    """It exists, comes from a schedule and is not older than a working schedule's last turn."""
    for project in list(company().projects())[::8]:
        for schedule in company().schedules.of(project.id, NOW):
            if schedule.last_pipeline_id is None:
                continue
            pipeline = company().pipelines.get(project.id, schedule.last_pipeline_id, NOW)
            assert pipeline is not None
            assert pipeline.source == "schedule"
            if not _is_late(schedule.next_run_at):
                turn = Cron.parse(schedule.cron).next_after(
                    pipeline.created_at + timedelta(minutes=1), zone(schedule.cron_timezone)
                )
                assert turn is not None
                assert turn > NOW - timedelta(minutes=1)
