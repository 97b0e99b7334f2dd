"""python-gitlab on what lies beside the specification: schedules, artifacts, reports, refs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gitlab
import pytest
from tests.support.clock import FakeClock
from tests.support.platform import running_platform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitlab.v4.objects import Project

    from platui.emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """Return the time of the platform below."""
    return FakeClock()


@pytest.fixture(scope="module")
def own(clock: FakeClock) -> Iterator[RunningEmulator]:
    """Run a platform of these tests' own: they delete things."""
    with running_platform(clock=clock) as running:
        yield running


@pytest.fixture(scope="module")
def client(own: RunningEmulator) -> Iterator[gitlab.Gitlab]:
    """Sign in the way that HTTP libraries know to keep from other hosts: `Authorization`."""
    with gitlab.Gitlab(own.base_url, oauth_token=own.token, per_page=50) as signed_in:
        signed_in.session.trust_env = False
        yield signed_in


@pytest.fixture(scope="module")
def project(client: gitlab.Gitlab, own: RunningEmulator) -> Project:
    """Open the showcase by its path."""
    return client.projects.get(own.project)


def test_a_schedule_from_its_making_to_its_end(project: Project, clock: FakeClock) -> None:
    """Made, given variables, changed, played, looked after, deleted."""
    made = project.pipelineschedules.create(
        {"description": "From afar", "ref": "main", "cron": "30 5 * * *"}
    )
    variable = made.variables.create({"key": "DAY", "value": "monday"})
    made.variables.update("DAY", {"value": "friday"})
    made.cron = "0 6 * * *"
    made.save()
    again = project.pipelineschedules.get(made.id)
    assert (again.cron, again.next_run_at) == ("0 6 * * *", "2026-03-14T06:00:00.000Z")
    assert [(one["key"], one["value"]) for one in again.attributes["variables"]] == [
        (variable.key, "friday")
    ]
    again.play()
    clock.jump(2)
    played = again.pipelines.list(get_all=True)
    assert [one.source for one in played] == ["schedule"]
    assert project.pipelineschedules.get(made.id).last_pipeline["id"] == played[0].id
    made.variables.delete("DAY")
    # The answer to a play is no schedule, and this client takes it for one.
    last = project.pipelineschedules.get(made.id)
    last.take_ownership()
    last.delete()
    with pytest.raises(gitlab.GitlabGetError, match="404 Pipeline Schedule Not Found"):
        project.pipelineschedules.get(made.id)


def test_a_schedule_of_somebody_else_is_taken_over_first(project: Project) -> None:
    """403, then ownership, then the change."""
    me = project.manager.gitlab.http_get("/user")["username"]  # type: ignore[index]
    schedules = project.pipelineschedules.list(iterator=True)
    other = next(one for one in schedules if one.owner and one.owner["username"] != me)
    other.active = False
    with pytest.raises(gitlab.GitlabUpdateError, match="403 Forbidden"):
        other.save()
    other.take_ownership()
    other.active = False
    other.save()
    assert project.pipelineschedules.get(other.id).next_run_at is None
    assert other.id in {one.id for one in project.pipelineschedules.list(scope="inactive")}
