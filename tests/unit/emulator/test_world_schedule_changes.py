"""Schedules that callers change: the company's own ones too, from that moment on."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from tests.support.company import NOW, company

from platui_emulator.records import ScheduleChange, Variable, WorldError
from platui_emulator.world import Company

if TYPE_CHECKING:
    from datetime import datetime

    from platui_emulator.records import Schedule

DAY = timedelta(days=1)
FILE = "_PIPELINE_FILE_NAME"


@pytest.fixture
def own() -> Company:
    """Return a company that the test may write to."""
    return Company(7)


def own_schedules(look: Company, count: int) -> list[tuple[int, Schedule]]:
    """Return some of the company's refreshes during business hours, which fire often."""
    found = (
        (project.id, one)
        for project in look.projects()[3:]
        for one in look.schedules.of(project.id, NOW)
        if one.description.startswith("Refresh") and one.next_run_at and one.next_run_at > NOW
    )
    return list(islice(found, count))


def history(look: Company, project_id: int, now: datetime) -> list[object]:
    """Return how much a project ran, and the newest of it."""
    page, total = look.pipelines.page(project_id, now, offset=0, limit=12)
    return [total, *page]


def fired(look: Company, schedule: Schedule, now: datetime) -> list[datetime]:
    """Return when the newest pipelines of a schedule were created, to the minute."""
    page, _ = look.pipelines.of_schedule(schedule.project_id, schedule.id, now, offset=0, limit=6)
    assert all(one.source == "schedule" for one in page)
    return [one.created_at.replace(second=0, microsecond=0) for one in page]


def test_the_pipelines_of_a_schedule_are_those_it_started(own: Company) -> None:
    """The newest is the schedule's last one; all run its file; a window may lie anywhere."""
    for project_id, schedule in own_schedules(own, 2):
        page, total = own.pipelines.of_schedule(project_id, schedule.id, NOW, offset=0, limit=6)
        assert page[0].id == schedule.last_pipeline_id
        assert [one.id for one in page] == sorted((one.id for one in page), reverse=True)
        assert len({(one.name, one.variables) for one in page}) == 1
        assert {one.source for one in page} == {"schedule"}
        newest, _ = own.pipelines.page(project_id, NOW, offset=0, limit=8, source="schedule")
        assert page[0] in newest
        # Weekdays of 120 days, several times each.
        assert 80 * 3 < total < 90 * 13
        tail, _ = own.pipelines.of_schedule(project_id, schedule.id, NOW, offset=total - 3, limit=9)
        assert len(tail) == 3


@pytest.mark.parametrize("offset", [0, 7, 431])
def test_a_change_leaves_the_past_alone_and_steers_what_follows(own: Company, offset: int) -> None:
    """Whenever it comes: no pipeline appears in the past, and the new line is followed."""
    now = NOW + timedelta(minutes=offset, seconds=offset % 60)
    for project_id, schedule in own_schedules(own, 2):
        before = history(own, project_id, now)
        started = fired(own, schedule, now)
        changed = own.schedules.change(
            project_id,
            schedule.id,
            ScheduleChange(cron="0 */6 * * *", cron_timezone="UTC"),
            now=now,
        )
        assert changed.id == schedule.id
        assert (changed.created_at, changed.owner) == (schedule.created_at, schedule.owner)
        assert changed.updated_at == now
        assert [one.id for one in own.schedules.of(project_id, now)] == [
            one.id for one in company().schedules.of(project_id, now)
        ]
        assert history(own, project_id, now) == before
        assert fired(own, schedule, now) == started
        later = now + DAY
        since = [one for one in fired(own, schedule, later) if one > now]
        assert len(since) == 4
        assert all(one.hour % 6 == 0 and one.minute == 0 for one in since)
        # What was older than the change is still what it was.
        old = [one for one in fired(own, schedule, later) if one <= now]
        assert started[: len(old)] == old


def test_a_schedule_that_is_switched_off_deleted_or_stuck(own: Company) -> None:
    """Off: nothing more and no next run. Deleted: gone, its pipelines stay. Stuck: it wakes."""
    (first, off), (second, gone) = own_schedules(own, 2)
    asleep = own.schedules.change(first, off.id, ScheduleChange(active=False), now=NOW)
    assert asleep.next_run_at is None
    assert fired(own, off, NOW + 3 * DAY) == fired(own, off, NOW)
    awake = own.schedules.change(first, off.id, ScheduleChange(active=True), now=NOW + 3 * DAY)
    assert awake.next_run_at is not None
    assert awake.next_run_at > NOW + 3 * DAY
    assert max(fired(own, off, NOW + 3 * DAY)) <= NOW

    own.schedules.delete(second, gone.id, now=NOW)
    assert gone.id not in {one.id for one in own.schedules.of(second, NOW + DAY)}
    assert own.pipelines.get(second, gone.last_pipeline_id or 0, NOW) is not None
    with pytest.raises(WorldError, match="not found"):
        own.schedules.delete(second, gone.id, now=NOW)

    everywhere = (one for p in own.projects() for one in own.schedules.of(p.id, NOW))
    stuck = next(one for one in everywhere if one.next_run_at and one.next_run_at <= NOW)
    woken = own.schedules.change(
        stuck.project_id, stuck.id, ScheduleChange(owner=own.people()[3]), now=NOW
    )
    assert woken.owner == own.people()[3]
    assert woken.next_run_at is not None
    assert woken.next_run_at > NOW
    for day in (1, 2):
        assert NOW < fired(own, stuck, NOW + day * DAY)[0] <= NOW + day * DAY


def test_played_and_fired_pipelines_carry_the_variables_of_the_moment(own: Company) -> None:
    """A play starts shortly after, on the schedule's file, as whoever played it."""
    project_id, schedule = own_schedules(own, 1)[0]
    player = own.people()[5]
    own.schedules.play(project_id, schedule.id, user=player, now=NOW)
    soon = NOW + timedelta(seconds=2)
    now_last = {one.id: one.last_pipeline_id for one in own.schedules.of(project_id, NOW)}
    assert now_last[schedule.id] == schedule.last_pipeline_id
    then_last = {one.id: one.last_pipeline_id for one in own.schedules.of(project_id, soon)}
    played = own.pipelines.get(project_id, then_last[schedule.id] or 0, soon)
    assert played is not None
    assert (played.user, played.source) == (player, "schedule")
    assert played.variables == (Variable(FILE, "refresh-ci.yml"),)
    assert own.pipelines.of_schedule(project_id, schedule.id, soon, offset=0, limit=1)[0] == [
        played
    ]

    variables = (Variable(FILE, "full-ci.yml"), Variable("DAY", "monday"))
    change = ScheduleChange(cron="*/5 * * * *", variables=variables, ref="refs/heads/main")
    own.schedules.change(project_id, schedule.id, change, now=soon)
    later = NOW + timedelta(minutes=4)
    newest = own.pipelines.of_schedule(project_id, schedule.id, later, offset=0, limit=1)[0][0]
    assert newest.variables == variables
    assert newest.name != played.name
    assert newest.ref == "main"

    lost = ScheduleChange(variables=(Variable(FILE, "nowhere-ci.yml"),))
    own.schedules.change(project_id, schedule.id, lost, now=later)
    own.schedules.play(project_id, schedule.id, user=player, now=later)
    last = later + timedelta(minutes=9)
    assert own.pipelines.of_schedule(project_id, schedule.id, last, offset=0, limit=1)[0] == [
        own.pipelines.get(project_id, newest.id, last)
    ]
    with pytest.raises(WorldError, match="not found"):
        own.schedules.play(project_id, 1, user=player, now=NOW)
