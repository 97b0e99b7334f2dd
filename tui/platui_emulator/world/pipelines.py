"""The pipelines of a company with their jobs, logs, artifacts and test reports: reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from platui_emulator.records import ANY_TIME, Bridge
from platui_emulator.world.clock import job_id as id_of_job
from platui_emulator.world.clock import moment, pipeline_of
from platui_emulator.world.listing import EVERYTHING, SEARCHED, Listing
from platui_emulator.world.views import is_erased, job_at

if TYPE_CHECKING:
    from platui_emulator.records import (
        Job,
        LongText,
        Pipeline,
        Span,
        SuiteReport,
    )
    from platui_emulator.world.artifact_files import Archive
    from platui_emulator.world.artifacts import Artifacts
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.logs import GeneratedLogs
    from platui_emulator.world.plans import Attempt, Plan
    from platui_emulator.world.project_pool import ProjectPool
    from platui_emulator.world.project_simulation import Candidate
    from platui_emulator.world.schedules import Schedules


class Pipelines:
    """The pipelines of all projects; reading them lets schedules that are due fire first."""

    def __init__(
        self,
        sites: ProjectPool,
        journal: Journal,
        schedules: Schedules,
        logs: GeneratedLogs,
        artifacts: Artifacts,
    ) -> None:
        self._sites = sites
        self._schedules = schedules
        self._journal = journal
        self._logs = logs
        self._artifacts = artifacts

    def page(  # noqa: PLR0913  (one filter each)
        self,
        project_id: int,
        now: datetime,
        *,
        offset: int,
        limit: int,
        status: str | None = None,
        ref: str | None = None,
        sha: str | None = None,
        source: str | None = None,
        username: str | None = None,
        name: str | None = None,
        yaml_errors: bool | None = None,
        created: Span = ANY_TIME,
        updated: Span = ANY_TIME,
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window, newest first, and the total; filters see the newest few hundred."""
        listing, when = self.listing(project_id, now), now.timestamp()
        if listing is None:
            return (), 0
        equal = (status, ref, sha, source, username, name, yaml_errors)
        if all(one is None for one in equal) and created == updated == ANY_TIME:
            return listing.window(when, offset, limit), listing.count(when)

        def wanted(one: Candidate) -> bool:
            # What is asked about first takes least to know.
            return (
                source in (None, one.source)
                and (created == ANY_TIME or created.holds(moment(one.created)))
                and ref in (None, one.ref)
                and (status is None or status == one.status_at(when))
                and (sha is None or sha == one.run.commit.sha)
                and (username is None or username == one.run.user.username)
                and (name is None or name == listing.title(one.plan, when))
                and (yaml_errors is None or yaml_errors is (one.plan.yaml_errors is not None))
                and (updated == ANY_TIME or updated.holds(listing.record(one, when).updated_at))
            )

        since = created.after.timestamp() if created.after else 0.0
        until = min(when, created.before.timestamp()) if created.before else when
        return listing.search(
            when,
            (since, until),
            slice(offset, offset + limit),
            wanted,
            with_children=source == "parent_pipeline",
        )

    def get(self, project_id: int, pipeline_id: int, now: datetime) -> Pipeline | None:
        listing, plan = self.find(project_id, pipeline_id, now)
        return listing.view(plan, now.timestamp()) if listing and plan else None

    def jobs(
        self, project_id: int, pipeline_id: int, now: datetime, *, with_retried: bool
    ) -> Sequence[Job]:
        """Return the jobs of a pipeline, newest id first, bridges left out."""
        _, plan = self.find(project_id, pipeline_id, now)
        if plan is None:
            return ()
        when = now.timestamp()
        attempts = plan.attempts_at(when) if with_retried else plan.latest_at(when)
        return [self.show_job(plan, one, when) for one in reversed(attempts) if not one.spec.bridge]

    def bridges(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[Bridge]:
        """Return the jobs of a pipeline that start child pipelines."""
        listing, plan = self.find(project_id, pipeline_id, now)
        if listing is None or plan is None:
            return ()
        bridges = (one for one in reversed(plan.latest_at(now.timestamp())) if one.spec.bridge)
        return [self.show_bridge(plan, one, now) for one in bridges]

    def project_jobs(
        self,
        project_id: int,
        now: datetime,
        *,
        offset: int,
        limit: int,
        scope: frozenset[str] = frozenset(),
        before: int | None = None,
    ) -> Sequence[Job]:
        """Return a window of all jobs, or those with ids below one, retried ones too."""
        listing, when = self.listing(project_id, now), now.timestamp()
        if listing is None:
            return ()
        last = listing.existed(pipeline_of(before)[0], when) if before else None
        # Numbers follow times to the minute: what is older than that pipeline is not made.
        end = min(when, last.run.created + 60.0) if last else when
        found = (
            (plan, one)
            for plan in listing.plans(end, SEARCHED if scope else EVERYTHING)
            for one in reversed(plan.attempts_at(when))
            if not one.spec.bridge
            and (not scope or one.status_at(when) in scope)
            and (before is None or id_of_job(plan.run.id, one.index) < before)
        )
        page = islice(found, offset, offset + limit)
        return [self.show_job(plan, one, when) for plan, one in page]

    def job(self, project_id: int, job_id: int, now: datetime) -> Job | None:
        """Return a job; None for a bridge."""
        plan, attempt = self.find_attempt(project_id, job_id, now)
        return self.show_job(plan, attempt, now.timestamp()) if plan and attempt else None

    def bridge(self, project_id: int, job_id: int, now: datetime) -> Bridge | None:
        """Return a job that starts a child pipeline; None for any other."""
        plan, attempt = self.find_attempt(project_id, job_id, now, with_bridges=True)
        found = plan is not None and attempt is not None and attempt.spec.bridge
        return self.show_bridge(plan, attempt, now) if found and plan and attempt else None

    def trace(self, project_id: int, job_id: int, now: datetime) -> bytes | LongText | None:
        """Return the current log: empty for a job that never started, None for no job."""
        plan, attempt = self.find_attempt(project_id, job_id, now)
        if plan is None or attempt is None:
            return None
        when = now.timestamp()
        return b"" if is_erased(attempt, when) else self._logs.log(plan.run, attempt, when)

    def archive(self, project_id: int, job_id: int, now: datetime) -> Archive | None:
        """Return the archive of a job; None where there is none, or none any more."""
        plan, attempt = self.find_attempt(project_id, job_id, now)
        if plan is None or attempt is None:
            return None
        return self._artifacts.archive(plan.run, attempt, now.timestamp())

    def suites(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[SuiteReport]:
        """Return what the tests of a pipeline came to, job by job; retried ones don't count."""
        _, plan = self.find(project_id, pipeline_id, now)
        if plan is None:
            return ()
        when = now.timestamp()
        found = (self._artifacts.suite(plan.run, one, when) for one in plan.latest_at(when))
        return [suite for suite in found if suite is not None]

    def of_schedule(
        self, project_id: int, schedule_id: int, now: datetime, *, offset: int, limit: int
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window on what a schedule started, newest first, and how much that is."""
        site = self._sites.get(project_id)
        if site is None:
            return (), 0
        started = self._schedules.pipelines(site, schedule_id, now)[::-1]
        numbers = [one for one in started if not self._journal.is_deleted(project_id, one)]
        page = (self.get(project_id, one, now) for one in numbers[offset : offset + limit])
        return [one for one in page if one is not None], len(numbers)

    # for actions: plans and attempts, and their records

    def find(
        self, project_id: int, pipeline: int, now: datetime
    ) -> tuple[Listing | None, Plan | None]:
        """Return the listing of a project and the plan of one of its pipelines."""
        listing = self.listing(project_id, now)
        return listing, listing.plan(pipeline, now.timestamp()) if listing else None

    def listing(self, project_id: int, now: datetime) -> Listing | None:
        """Return the pipelines of a project, those included that its schedules start now."""
        site = self._sites.get(project_id)
        if site is None:
            return None
        self._schedules.fire(site, now)
        return Listing(site, self._journal)

    def find_attempt(
        self, project_id: int, job: int, now: datetime, *, with_bridges: bool = False
    ) -> tuple[Plan | None, Attempt | None]:
        """Return a job's attempt and the plan it belongs to."""
        pipeline, index = pipeline_of(job)
        _, plan = self.find(project_id, pipeline, now)
        if plan is None:
            return None, None
        fitting = (
            one
            for one in plan.attempts_at(now.timestamp())
            if one.index == index and (with_bridges or not one.spec.bridge)
        )
        return plan, next(fitting, None)

    def show_bridge(self, plan: Plan, attempt: Attempt, now: datetime) -> Bridge:
        """Return an attempt of a bridge at a moment."""
        project_id, child = plan.run.blueprint.id, attempt.child
        downstream = self.get(project_id, child.id, now) if child else None
        return Bridge(job_at(plan, attempt, now.timestamp()), downstream)

    def show_job(self, plan: Plan, attempt: Attempt, now: float) -> Job:
        """Return an attempt of a job at a moment."""
        return replace(
            job_at(plan, attempt, now),
            artifacts=self._artifacts.artifacts(plan.run, attempt, now),
            artifacts_expire_at=self._artifacts.expire_at(plan.run, attempt, now),
        )
