"""A client that we did not write acts on pipelines and jobs: python-gitlab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gitlab
import pytest
from tests.support.clock import FakeClock
from tests.support.platform import running_platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitlab.v4.objects import Project, ProjectPipeline


class Place:
    """A project as python-gitlab sees it, and the clock of its platform."""

    def __init__(self, client: gitlab.Gitlab, project: Project, clock: FakeClock) -> None:
        self.client = client
        self.project = project
        self.clock = clock

    def started(self, **variables: str) -> ProjectPipeline:
        """Start a pipeline."""
        listed = [{"key": key, "value": value} for key, value in variables.items()]
        made = self.project.pipelines.create({"ref": "main", "variables": listed})
        return self.project.pipelines.get(made.id)

    def until(self, good: Callable[[], Any], step: float = 3) -> None:
        """Let time pass until something is so."""
        for _ in range(200):
            if good():
                return
            self.clock.jump(step)
        raise AssertionError("it never came")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """Sign in to a platform whose time is moved by hand."""
    clock = FakeClock()
    with (
        running_platform(clock=clock) as platform,
        gitlab.Gitlab(platform.base_url, private_token=platform.token) as client,
    ):
        client.session.trust_env = False
        yield Place(client, client.projects.get(platform.project), clock)


def test_it_cancels_retries_renames_and_deletes_pipelines(place: Place) -> None:
    """Each verb as python-gitlab spells it."""
    pipeline = place.started(DAY="2026-03-14")
    place.until(lambda: pipeline.jobs.list(scope=["running"]))
    pipeline.cancel()
    place.clock.jump(3)
    pipeline.refresh()
    assert pipeline.status == "canceled"
    assert pipeline.jobs.list(scope=["canceled"], get_all=True)
    assert [one.key for one in pipeline.variables.list(get_all=True)] == ["DAY"]
    pipeline.retry()
    pipeline.refresh()
    assert pipeline.status in {"pending", "running"}
    assert not pipeline.jobs.list(scope=["canceled"], get_all=True)
    assert pipeline.jobs.list(scope=["canceled"], include_retried=True, get_all=True)
    found = place.project.pipelines.list(
        order_by="updated_at", created_after=pipeline.created_at, get_all=True
    )
    assert pipeline.id in {one.id for one in found}
    pipeline.delete()
    with pytest.raises(gitlab.GitlabGetError, match="404"):
        place.project.pipelines.get(pipeline.id)


def test_it_retries_cancels_and_erases_jobs(place: Place) -> None:
    """What it gets back is what it asks for next; refusals come as its own errors."""
    pipeline = place.started()
    first = pipeline.jobs.list(get_all=True)[-1]
    job = place.project.jobs.get(first.id)
    with pytest.raises(gitlab.GitlabJobRetryError, match="Job is not retryable"):
        job.retry()
    with pytest.raises(gitlab.GitlabJobPlayError, match="Unplayable Job"):
        job.play()
    with pytest.raises(gitlab.GitlabJobEraseError, match="Job is not erasable!"):
        job.erase()
    assert job.cancel()["status"] == "canceled"
    again = place.project.jobs.get(job.retry()["id"])
    place.until(lambda: again.refresh() or again.status == "success")
    assert b"Job succeeded" in again.trace()
    again.erase()
    again.refresh()
    assert (again.trace(), again.asdict()["artifacts"]) == (b"", [])
    assert again.erased_at


def test_it_plays_manual_jobs(place: Place) -> None:
    """With variables of the job's own, sent as a list in JSON."""
    for project in place.client.projects.list(min_access_level=30, iterator=True):
        newest = project.pipelines.list(per_page=3, get_all=False)
        jobs = [job for one in newest for job in one.jobs.list(scope=["manual"], get_all=True)]
        if jobs:
            break
    job = project.jobs.get(jobs[0].id)
    job.play(post_data={"job_variables_attributes": [{"key": "TARGET", "value": "prod"}]})
    job.refresh()
    assert job.status == "pending"
    place.until(lambda: job.refresh() or job.status in {"success", "failed"})
