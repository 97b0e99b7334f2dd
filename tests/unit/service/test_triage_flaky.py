"""What is flaky is found in jobs that are kept, and nothing is asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.models.values.feeds import Listing
from platui.models.values.triage import Cause, FailurePoint, Flaky, Incident, Lane, PipelineRun
from platui.models.wire import Job
from platui.service.triage.lane_jobs import LaneJobs
from platui.service.triage.rows import with_flaky

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.service.resources.resource import Resource

SHA = "8f2c1ab0" * 5
LANE = Lane(7, "main")


class Kept:
    """The jobs of a pipeline as a cache has them; asking for them is an error."""

    fetched_at = None
    more = False

    def __init__(self, jobs: list[Job] | None) -> None:
        self.value = None if jobs is None else Listing(tuple(jobs), len(jobs), complete=True)

    async def recall(self) -> None:
        """Have it at hand."""


class KeptJobs:
    """What a cache has of some pipelines: a job each, and how it ended."""

    def __init__(self, statuses: Mapping[int, str]) -> None:
        self._statuses = statuses
        self.asked: list[int] = []

    def reading(self, resource: Resource[Listing[Job]]) -> Kept:
        """Return the jobs of one pipeline."""
        number = int(resource.endpoint().path.split("/")[-2])
        self.asked.append(number)
        if number not in self._statuses:
            return Kept(None)
        pipeline = {"id": number, "sha": SHA}
        one = {"id": number * 10, "name": "dbt_test", "status": self._statuses[number]}
        return Kept([Job.model_validate({**one, "pipeline": pipeline})])


def causes_of(kept: KeptJobs) -> LaneJobs:
    """Return what finds causes there; whoever wants a log or a request gets none."""
    nothing: Any = None
    context: Any = kept
    return LaneJobs(context, nothing)


def incident(*reds: int, green: int | None = None) -> Incident:
    """Return an incident of these red pipelines, the newest first."""
    return Incident(
        LANE, PipelineRun(reds[-1], "failed"), PipelineRun(reds[0], "failed"), len(reds), reds=reds,
        last_green=None if green is None else PipelineRun(green, "success"),
    )  # fmt: skip


async def test_a_job_that_passed_and_failed_on_one_commit_is_flaky() -> None:
    """As far as jobs are kept: they are looked for once, and told again when there are more."""
    kept = KeptJobs({3: "failed", 4: "success", 5: "failed"})
    causes, red = causes_of(kept), incident(5, 3, green=4)
    assert causes.flaky(red) == ()
    assert not causes.has_checked(red)
    await causes.recall_lane(red)
    assert causes.has_checked(red)
    assert causes.flaky(red) == (Flaky("dbt_test", SHA, 40, 50),)
    assert causes.flaky(red) is causes.flaky(red)
    assert sorted(kept.asked) == [3, 4, 5]
    await causes.recall_lane(red)
    assert len(kept.asked) == 3


async def test_what_is_broken_no_more_is_let_go_of() -> None:
    """A dashboard that is open for weeks holds the jobs of what is on its board."""
    kept = KeptJobs({3: "failed", 4: "success", 5: "failed"})
    causes, red = causes_of(kept), incident(5, 3, green=4)
    await causes.recall_lane(red)
    first = causes.flaky(red)
    causes.keep_only([red])
    assert causes.flaky(red) is first
    causes.keep_only([])
    again = causes.flaky(red)
    assert again == first
    assert again is not first


async def test_what_is_not_kept_makes_nothing_flaky() -> None:
    """One turn from green to red is none, nor is what nobody knows."""
    causes, red = causes_of(KeptJobs({4: "success", 5: "failed"})), incident(5, 3, green=4)
    await causes.recall_lane(red)
    assert causes.flaky(red) == ()


def test_a_cause_tells_what_is_flaky() -> None:
    """And stays the same object where that is nothing."""
    cause = Cause(FailurePoint(None), None)
    assert with_flaky(cause, ()) is cause
    flaky = (Flaky("dbt_test", SHA, 40, 50),)
    assert with_flaky(cause, flaky).point.flaky == flaky
