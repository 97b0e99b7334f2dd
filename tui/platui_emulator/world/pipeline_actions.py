"""What callers may do to pipelines and jobs: checked against how they stand, then kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from platui_emulator.records import Bridge, Job, Person, Pipeline, Variable, WorldError
from platui_emulator.world.clock import JOBS
from platui_emulator.world.journal import (
    CANCELABLE,
    COMPLETE,
    RETRIED_WITH_PIPELINE,
    RETRYABLE,
    Intervention,
    Kind,
)
from platui_emulator.world.listing import Listing
from platui_emulator.world.replay import NoRoomError
from platui_emulator.world.views import is_erased

if TYPE_CHECKING:
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.pipelines import Pipelines
    from platui_emulator.world.plans import Attempt, Plan, Run
    from platui_emulator.world.project_pool import ProjectPool
    from platui_emulator.world.runs import PipelineStarter

NOT_RETRYABLE = "Job is not retryable"
_AWAITED = frozenset({"created", "skipped", "manual"})


class PipelineActions:
    """What callers do to pipelines and jobs: start, retry, cancel, play, erase, delete."""

    def __init__(
        self, pipelines: Pipelines, sites: ProjectPool, journal: Journal, starter: PipelineStarter
    ) -> None:
        self._pipelines = pipelines
        self._sites = sites
        self._journal = journal
        self._starter = starter

    def start_pipeline(
        self,
        project_id: int,
        *,
        ref: str,
        variables: Sequence[Variable],
        user: Person,
        source: str,
        now: datetime,
    ) -> Pipeline:
        """Start a pipeline (spec 4.3). Raises WorldError: unknown ref, or no such pipeline file."""
        site, when = self._sites.require(project_id), now.timestamp()
        run = self._starter.start(
            site, ref=ref, variables=variables, user=user, source=source, now=when
        )
        return Listing(site, self._journal).view(site.plan(run), when)

    def retry_pipeline(
        self, project_id: int, pipeline_id: int, *, user: Person, now: datetime
    ) -> Pipeline:
        """Retry what failed or was canceled. Raises WorldError: no such pipeline, or it is full."""
        plan = self._known(project_id, pipeline_id, now)
        latest = plan.latest_at(now.timestamp())
        if any(self._is_retried_with_all(one, now) for one in latest):
            self._do(plan, Kind.RETRY, user, now)
        return self._shown(project_id, pipeline_id, now)

    def cancel_pipeline(
        self, project_id: int, pipeline_id: int, *, user: Person, now: datetime
    ) -> Pipeline:
        """Cancel what has not ended, children too. Raises WorldError: no such pipeline."""
        plan, when = self._known(project_id, pipeline_id, now), now.timestamp()
        site = self._sites.at(plan.run.blueprint.lane)
        for child in plan.children:
            if child.created <= when:
                self._cancel(site.plan(child), user, now, alone=False)
        self._cancel(site.plan(plan.run), user, now, alone=True)
        return self._shown(project_id, pipeline_id, now)

    def delete_pipeline(self, project_id: int, pipeline_id: int, now: datetime) -> None:
        """Delete a pipeline; its children stay. Raises WorldError: no such pipeline."""
        self._known(project_id, pipeline_id, now)
        self._journal.delete(project_id, pipeline_id)

    def rename_pipeline(
        self, project_id: int, pipeline_id: int, name: str, now: datetime
    ) -> Pipeline:
        """Give a pipeline another name. Raises WorldError: no such pipeline."""
        self._known(project_id, pipeline_id, now)
        self._journal.titles[pipeline_id] = now.timestamp(), name
        return self._shown(project_id, pipeline_id, now)

    def retry_job(
        self, project_id: int, job_id: int, *, user: Person, now: datetime
    ) -> Job | Bridge:
        """Retry a job or bridge. Raises WorldError: not ended, replaced already, or no room."""
        plan, old = self._known_job(project_id, job_id, now, with_bridges=True)
        if old.status_at(now.timestamp()) not in RETRYABLE or _is_replaced(old, now):
            raise WorldError(NOT_RETRYABLE)
        return self._tried_again(plan, old, user, now)

    def cancel_job(
        self, project_id: int, job_id: int, *, user: Person, now: datetime, force: bool = False
    ) -> Job:
        """Cancel a job; `force` does not wait for the runner. Raises WorldError: no such job."""
        plan, attempt = self._known_job(project_id, job_id, now)
        status = attempt.status_at(now.timestamp())
        if status in CANCELABLE or status == "manual":
            self._do(plan, Kind.CANCEL_JOB, user, now, job=attempt.index)
        elif force and status == "canceling":
            self._do(plan, Kind.FORCE_CANCEL_JOB, user, now, job=attempt.index)
        return self._shown_job(project_id, job_id, now)

    def play_job(
        self,
        project_id: int,
        job_id: int,
        *,
        variables: Sequence[Variable],
        user: Person,
        now: datetime,
    ) -> Job:
        """Run a manual job, again if it ran before. Raises WorldError: it cannot be played."""
        plan, attempt = self._known_job(project_id, job_id, now)
        status = attempt.status_at(now.timestamp())
        if attempt.spec.when != "manual" or _is_replaced(attempt, now):
            raise WorldError("Unplayable Job")
        if status in RETRYABLE:
            again = self._tried_again(plan, attempt, user, now, tuple(variables))
            return again.job if isinstance(again, Bridge) else again
        if status != "manual":
            raise WorldError("Unplayable Job")
        self._do(plan, Kind.PLAY_JOB, user, now, job=attempt.index, variables=tuple(variables))
        return self._shown_job(project_id, job_id, now)

    def erase_job(self, project_id: int, job_id: int, *, user: Person, now: datetime) -> Job:
        """Delete log and artifacts of a job. Raises WorldError: not ended, or nothing to delete."""
        plan, attempt = self._known_job(project_id, job_id, now)
        when = now.timestamp()
        ended = attempt.status_at(when) in COMPLETE and attempt.started is not None
        if not ended or attempt.spec.bridge or is_erased(attempt, when):
            raise WorldError("Job is not erasable!")
        self._do(plan, Kind.ERASE_JOB, user, now, job=attempt.index)
        return self._shown_job(project_id, job_id, now)

    # within

    def _known(self, project_id: int, pipeline_id: int, now: datetime) -> Plan:
        _, plan = self._pipelines.find(project_id, pipeline_id, now)
        if plan is None:
            raise WorldError("Pipeline not found")
        return plan

    def _known_job(
        self, project_id: int, job_id: int, now: datetime, *, with_bridges: bool = False
    ) -> tuple[Plan, Attempt]:
        plan, attempt = self._pipelines.find_attempt(
            project_id, job_id, now, with_bridges=with_bridges
        )
        if plan is None or attempt is None:
            raise WorldError("Job not found")
        return plan, attempt

    def _shown(self, project_id: int, pipeline_id: int, now: datetime) -> Pipeline:
        pipeline = self._pipelines.get(project_id, pipeline_id, now)
        if pipeline is None:
            raise WorldError("Pipeline not found")
        return pipeline

    def _shown_job(self, project_id: int, job_id: int, now: datetime) -> Job:
        job = self._pipelines.job(project_id, job_id, now)
        if job is None:
            raise WorldError("Job not found")
        return job

    @staticmethod
    def _is_retried_with_all(attempt: Attempt, now: datetime) -> bool:
        status = attempt.status_at(now.timestamp())
        return status in RETRIED_WITH_PIPELINE and not attempt.spec.bridge

    def _cancel(self, plan: Plan, user: Person, now: datetime, *, alone: bool) -> None:
        when = now.timestamp()
        if any(one.status_at(when) in CANCELABLE for one in plan.latest_at(when)):
            self._do(plan, Kind.CANCEL, user, now, notify_parent=alone)

    def _tried_again(
        self,
        plan: Plan,
        old: Attempt,
        user: Person,
        now: datetime,
        variables: tuple[Variable, ...] = (),
    ) -> Job | Bridge:
        after = self._do(plan, Kind.RETRY_JOB, user, now, job=old.index, variables=variables)
        when = now.timestamp()
        new = max(after.attempts_at(when), key=lambda one: one.index)
        return (
            self._pipelines.show_bridge(after, new, now)
            if new.spec.bridge
            else self._pipelines.show_job(after, new, when)
        )

    def _do(
        self,
        plan: Plan,
        kind: Kind,
        user: Person,
        now: datetime,
        *,
        job: int = -1,
        variables: tuple[Variable, ...] = (),
        notify_parent: bool = True,
    ) -> Plan:
        run, done = plan.run, self._journal.interventions
        child_id, child_iid = self._number_for_child(plan, kind, job, now)
        earlier = done.of(run.id)
        # Time never runs backwards within a pipeline, whatever a clock does.
        at = max([round(now.timestamp(), 3), *(one.at for one in earlier[-1:])])
        act = Intervention(at, kind, user, job, child_id, child_iid, variables)
        acts = (*earlier, act)
        try:
            after = self._sites.at(run.blueprint.lane).attempt(run, acts)
        except NoRoomError as error:
            raise WorldError(f"Pipeline has too many jobs! The limit is {JOBS}.") from error
        done.add(run.id, act)
        if notify_parent and run.parent_id is not None and kind is not Kind.ERASE_JOB:
            self._tell_parent(run, user, now)
        return after

    def _tell_parent(self, run: Run, user: Person, now: datetime) -> None:
        listing = Listing(self._sites.at(run.blueprint.lane), self._journal)
        when = now.timestamp()
        parent = listing.existed(run.parent_id or 0, when)
        for bridge in parent.latest_at(when) if parent else ():
            if parent is not None and bridge.child is not None and bridge.child.id == run.id:
                self._do(parent, Kind.FOLLOW, user, now, job=bridge.index)

    def _number_for_child(
        self, plan: Plan, kind: Kind, job: int, now: datetime
    ) -> tuple[int | None, int]:
        """Return number and place of the child that a bridge may start because of this."""
        when, run = now.timestamp(), plan.run
        starts = any(
            one.spec.bridge and (one.status_at(when) in _AWAITED or one.index == job)
            for one in plan.latest_at(when)
        )
        if not starts or kind in {Kind.ERASE_JOB, Kind.CANCEL}:
            return None, 0
        started = {one.id for one in plan.children if one.created <= when}
        for act in reversed(self._journal.interventions.of(run.id)):
            if act.child_id is not None and act.child_id not in started:
                return act.child_id, act.child_iid
        site = self._sites.at(run.blueprint.lane)
        number = self._journal.adopt(run.blueprint.id, site.minute(when), run.id)
        return number, site.runs.iid_of_added(number)


def _is_replaced(attempt: Attempt, now: datetime) -> bool:
    return attempt.replaced_at is not None and attempt.replaced_at <= now.timestamp()
