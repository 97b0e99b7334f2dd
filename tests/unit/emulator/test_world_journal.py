"""What callers add: pipelines, schedules, projects."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.support.company import NOW

from platui_emulator.records import ScheduleChange, Variable, WorldError
from platui_emulator.world import Company

SECRET = Variable("API_KEY", "hunter2", secret=True)


@pytest.fixture
def own() -> Company:
    """Return a company that the test may write to."""
    return Company(7)


def start(own: Company, *variables: Variable, ref: str = "main", after: float = 0) -> int:
    """Start a pipeline of the first project."""
    moment = NOW + timedelta(seconds=after)
    return own.actions.start_pipeline(
        101, ref=ref, variables=variables, user=own.people()[0], source="api", now=moment
    ).id


def test_a_started_pipeline_is_pending_then_runs_then_ends(own: Company) -> None:
    """It lives as the others do, faster: a minute or two, and it succeeds."""
    number = start(own, SECRET)
    seen = []
    for second in range(0, 400, 2):
        pipeline = own.pipelines.get(101, number, NOW + timedelta(seconds=second))
        assert pipeline is not None
        seen.append(pipeline.status)
    assert list(dict.fromkeys(seen)) in (
        ["created", "pending", "running", "success"],
        ["created", "running", "success"],
    ) or list(dict.fromkeys(seen)) == ["pending", "running", "success"]
    pipeline = own.pipelines.get(101, number, NOW + timedelta(hours=1))
    assert pipeline is not None
    assert pipeline.variables == (SECRET,)
    assert pipeline.duration is not None
    assert 20 < pipeline.duration < 300


def test_it_is_on_top_of_every_list(own: Company) -> None:
    """Newest of the pipelines and of the jobs, for as long as nothing newer starts."""
    before, total = own.pipelines.page(101, NOW, offset=0, limit=20)
    numbers = [start(own) for _ in range(3)]
    page, count = own.pipelines.page(101, NOW, offset=0, limit=20)
    assert [one.id for one in page[:3]] == numbers[::-1]
    assert [one.id for one in page[3:]] == [one.id for one in before[:17]]
    assert count == total + 3
    assert own.pipelines.project_jobs(101, NOW, offset=0, limit=1)[0].pipeline_id == numbers[-1]
    filtered, _ = own.pipelines.page(101, NOW, offset=0, limit=20, source="api", ref="main")
    assert [one.id for one in filtered[:3]] == numbers[::-1]


def test_windows_fit_around_what_was_added(own: Company) -> None:
    """Pages still join without gap or double when added pipelines lie between the others."""
    for hours in (0, 0, 3, 9, 9, 30):
        start(own, after=hours * 3600)
    now = NOW + timedelta(hours=40)
    whole, total = own.pipelines.page(101, now, offset=0, limit=90)
    parts = [
        one
        for offset in range(0, 90, 7)
        for one in own.pipelines.page(101, now, offset=offset, limit=min(7, 90 - offset))[0]
    ]
    assert parts == whole
    assert [one.id for one in whole] == sorted({one.id for one in whole}, reverse=True)
    assert [one.iid for one in whole] == sorted({one.iid for one in whole}, reverse=True)
    assert sum(one.source == "api" and one.user == own.people()[0] for one in whole) >= 6
    assert total == own.pipelines.page(101, now, offset=total - 1, limit=5)[1]
    assert len(own.pipelines.page(101, now, offset=total - 1, limit=5)[0]) == 1


def test_no_two_pipelines_of_a_project_have_one_number(own: Company) -> None:
    """Children count too, those of retried bridges among them."""
    user = own.people()[0]
    project = next(
        one.id
        for one in own.projects()
        for newest in own.pipelines.page(one.id, NOW, offset=0, limit=4)[0]
        if own.pipelines.bridges(one.id, newest.id, NOW)
    )
    for _ in range(4):
        own.actions.start_pipeline(
            project, ref="main", variables=[], user=user, source="api", now=NOW
        )
    later = NOW + timedelta(hours=5)
    for pipeline in own.pipelines.page(project, later, offset=0, limit=8)[0]:
        for bridge in own.pipelines.bridges(project, pipeline.id, later):
            if bridge.job.finished_at is not None:
                own.actions.retry_job(project, bridge.job.id, user=user, now=later)
    end = later + timedelta(hours=3)
    children, count = own.pipelines.page(project, end, offset=0, limit=40, source="parent_pipeline")
    parents, _ = own.pipelines.page(project, end, offset=0, limit=40)
    numbers = [one.iid for one in [*children, *parents]]
    assert count >= 8
    assert len(numbers) == len(set(numbers))
    assert all(own.pipelines.get(project, one.id, end) == one for one in [*children, *parents])


def test_nothing_of_it_is_seen_before(own: Company) -> None:
    """A reader whose clock is behind does not see the future."""
    number = start(own, after=60)
    assert own.pipelines.get(101, number, NOW) is None
    assert number not in [one.id for one in own.pipelines.page(101, NOW, offset=0, limit=3)[0]]


def test_many_starts_in_one_minute_have_numbers_of_their_own(own: Company) -> None:
    """Three hundred in a second: unique, rising, and all found again."""
    numbers = [start(own) for _ in range(300)]
    assert numbers == sorted(set(numbers))
    assert all(own.pipelines.get(101, number, NOW) for number in numbers)


def test_refs_may_be_branches_tags_and_hashes(own: Company) -> None:
    """What names a commit may be run; what names none is refused in the platform's words."""
    tag = own.repositories.tags(101, NOW)[0]
    branch = own.repositories.branches(101, NOW)[0]
    for ref in (tag.name, branch.name, tag.commit.sha, "refs/heads/main"):
        pipeline = own.pipelines.get(101, start(own, ref=ref), NOW)
        assert pipeline is not None
        assert pipeline.tag == (ref == tag.name)
    for ref in ("nowhere", "", "0" * 40, "v99.0.0"):
        with pytest.raises(WorldError, match="Reference not found"):
            start(own, ref=ref)


def test_the_variable_chooses_the_pipeline_file(own: Company) -> None:
    """Its jobs run; a file that is not there is refused."""
    full = own.pipelines.jobs(101, start(own), NOW, with_retried=True)
    refresh = own.pipelines.jobs(
        101,
        start(own, Variable("_PIPELINE_FILE_NAME", "refresh-ci.yml")),
        NOW,
        with_retried=True,
    )
    assert len(refresh) < len(full)
    with pytest.raises(WorldError, match="Missing CI config file"):
        start(own, Variable("_PIPELINE_FILE_NAME", "other-ci.yml"))


def test_a_job_can_be_made_to_fail(own: Company) -> None:
    """A variable names the job that fails, for those who test what happens then."""
    number = start(own, Variable("_FAIL_JOB", "dbt_test"))
    later = NOW + timedelta(hours=1)
    pipeline = own.pipelines.get(101, number, later)
    assert pipeline is not None
    assert pipeline.status == "failed"
    failed = [
        one.name
        for one in own.pipelines.jobs(101, number, later, with_retried=False)
        if one.status == "failed" and not one.allow_failure
    ]
    assert failed == ["dbt_test"]


def test_children_of_started_pipelines_are_found(own: Company) -> None:
    """A started pipeline whose file has a bridge starts a child with a number of its own."""
    for project in own.projects():
        number = own.actions.start_pipeline(
            project.id, ref="main", variables=(), user=own.people()[0], source="web", now=NOW
        ).id
        later = NOW + timedelta(minutes=20)
        for bridge in own.pipelines.bridges(project.id, number, later):
            assert bridge.downstream is not None
            child = own.pipelines.get(project.id, bridge.downstream.id, later)
            assert child is not None
            assert child.parent_id == number
            return
    pytest.fail("no project has children")


def test_a_created_schedule_is_listed_and_fires(own: Company) -> None:
    """It stands at the end of the list, and its pipelines appear when it is due."""
    made = own.schedules.create(
        101,
        ScheduleChange("Every ten minutes", "main", "*/10 * * * *", "Berlin"),
        owner=own.people()[1],
        now=NOW,
    )
    assert own.schedules.of(101, NOW)[-1] == made
    assert made.next_run_at == NOW + timedelta(minutes=8)
    later = NOW + timedelta(minutes=31)
    page, _ = own.pipelines.page(101, later, offset=0, limit=20, source="schedule")
    fired = [one for one in page if one.user == own.people()[1]]
    assert len(fired) == 3
    assert own.schedules.of(101, later)[-1].last_pipeline_id == fired[0].id


def test_an_inactive_schedule_never_fires(own: Company) -> None:
    """Switched off: no next run and no pipeline."""
    wanted = ScheduleChange("Never", "main", "* * * * *", active=False)
    made = own.schedules.create(101, wanted, owner=own.people()[1], now=NOW)
    assert made.next_run_at is None
    later = NOW + timedelta(hours=1)
    own.pipelines.page(101, later, offset=0, limit=1)
    assert own.schedules.of(101, later)[-1].last_pipeline_id is None


@pytest.mark.parametrize(
    ("ref", "cron", "where"),
    [("nowhere", "0 1 * * *", "UTC"), ("main", "often", "UTC"), ("main", "0 1 * * *", "Mars")],
)
def test_schedules_that_make_no_sense_are_refused(
    own: Company, ref: str, cron: str, where: str
) -> None:
    """Unknown ref, no cron line, no such zone."""
    with pytest.raises(WorldError):
        own.schedules.create(
            101, ScheduleChange("x", ref, cron, where), owner=own.people()[0], now=NOW
        )


def test_a_created_project_is_empty_and_its_name_taken(own: Company) -> None:
    """It lies in the creator's own namespace, has no branch, and cannot be made twice."""
    creator = own.people()[2]
    made = own.create_project(name="My Data!", description="d", creator=creator, now=NOW)
    assert made.full_path == f"{creator.username}/my-data"
    assert own.project(made.id) == own.project(made.full_path) == made
    assert own.projects()[-1] == made
    assert own.pipelines.page(made.id, NOW, offset=0, limit=5) == ((), 0)
    assert own.repositories.branches(made.id, NOW) == ()
    assert own.schedules.of(made.id, NOW) == ()
    assert [one.level for one in own.project_members(made.id)] == ["OWNER"]
    with pytest.raises(WorldError, match="has already been taken"):
        own.create_project(name="my data", description="", creator=creator, now=NOW)
    with pytest.raises(WorldError, match="Reference not found"):
        own.actions.start_pipeline(
            made.id, ref="main", variables=(), user=creator, source="api", now=NOW
        )
    other = own.create_project(name="my data", description="", creator=own.people()[3], now=NOW)
    assert other.id != made.id
