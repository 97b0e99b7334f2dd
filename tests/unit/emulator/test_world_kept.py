"""What the company keeps of pipelines that are over: never another answer than without it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.company import NOW

from platui_emulator.records import ScheduleChange, Span
from platui_emulator.world import Company

if TYPE_CHECKING:
    from datetime import datetime

HOUR = timedelta(hours=1)
STATUSES = ("failed", "success", "canceled", "skipped", "manual", "running")


def lists(look: Company, project_id: int, now: datetime) -> list[object]:
    """Return what the lists of a project's pipelines say."""
    recent = Span(after=now - 40 * HOUR)
    return [
        look.pipelines.page(project_id, now, offset=0, limit=40),
        look.pipelines.page(project_id, now, offset=0, limit=40, status="success", created=recent),
        look.pipelines.page(project_id, now, offset=0, limit=9, ref="main", status="failed"),
    ]


def test_a_status_is_told_as_the_plan_has_it() -> None:
    """A filter finds what it would find among all, though it plans few of them."""
    for project in (look := Company(7)).projects()[:3]:
        every, _ = look.pipelines.page(project.id, NOW, offset=0, limit=500)
        for status in STATUSES:
            found, total = look.pipelines.page(project.id, NOW, offset=0, limit=500, status=status)
            wanted = [one for one in every if one.status == status]
            assert (list(found), total) == (wanted, len(wanted))


def retry(company: Company, project_id: int) -> None:
    """Try the newest failed pipeline again."""
    failed, _ = company.pipelines.page(project_id, NOW, offset=0, limit=1, status="failed")
    company.actions.retry_pipeline(project_id, failed[0].id, user=company.people()[0], now=NOW)


def start(company: Company, project_id: int) -> None:
    """Start a pipeline among those that are there."""
    company.actions.start_pipeline(
        project_id, ref="main", variables=(), user=company.people()[0], source="api", now=NOW
    )


def delete(company: Company, project_id: int) -> None:
    """Delete an old pipeline."""
    page, _ = company.pipelines.page(project_id, NOW, offset=9, limit=1)
    company.actions.delete_pipeline(project_id, page[0].id, NOW)


def rename(company: Company, project_id: int) -> None:
    """Give an old pipeline a name."""
    page, _ = company.pipelines.page(project_id, NOW, offset=7, limit=1)
    company.actions.rename_pipeline(project_id, page[0].id, "By hand", NOW)


def edit(company: Company, project_id: int) -> None:
    """Let a schedule fire at other times from now on."""
    one = company.schedules.of(project_id, NOW)[0]
    change = ScheduleChange(cron="*/20 * * * *")
    company.schedules.change(project_id, one.id, change, now=NOW)


ACTS = (retry, start, delete, rename, edit)


def test_what_was_kept_before_an_act_is_not_told_after_it() -> None:
    """A company that was asked before says what one says that was not, at any time after."""
    asked, fresh = Company(7), Company(7)
    places = [(act, project.id) for act, project in zip(ACTS, asked.projects()[3:], strict=False)]
    for act, project_id in places:
        for when in (NOW - 3 * HOUR, NOW + 5 * HOUR, NOW):
            lists(asked, project_id, when)
        act(asked, project_id)
        act(fresh, project_id)
    for when in (NOW + 7 * HOUR, NOW + HOUR / 9):
        for act, project_id in places:
            assert lists(asked, project_id, when) == lists(fresh, project_id, when), act
