"""Pipelines, jobs, logs, artifacts and schedules: everything that is asked about them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from platui_emulator.records import ANY_TIME, Bridge, WorldError
from platui_emulator.world.artifacts import Leavings
from platui_emulator.world.clockwork import job_id as id_of_job
from platui_emulator.world.clockwork import moment, pipeline_of
from platui_emulator.world.listing import EVERYTHING, SEARCHED, Listing
from platui_emulator.world.logs import LogBook
from platui_emulator.world.views import is_erased, job_at

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui_emulator.records import (
        Job,
        LongLog,
        LongText,
        Person,
        Pipeline,
        Schedule,
        ScheduleChange,
        Span,
        SuiteReport,
    )
    from platui_emulator.world.artifact_files import Archive
    from platui_emulator.world.clockwork import Chance
    from platui_emulator.world.estate import Estate
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.plans import Attempt, Plan
    from platui_emulator.world.schedules import Schedules
    from platui_emulator.world.sites import Candidate, Site


class PipelineDesk:
    """The half of the company that knows about pipelines and what belongs to them."""

    def __init__(
        self, chance: Chance, sites: Estate, journal: Journal, schedules: Schedules
    ) -> None:
        self._sites = sites
        self._schedules = schedules
        self._journal = journal
        self._logs = LogBook(chance)
        self._leavings = Leavings(self._logs)

    def pipelines(  # noqa: PLR0913  (one filter each)
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
        listing, when = self._listing(project_id, now), now.timestamp()
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

    def pipeline(self, project_id: int, pipeline_id: int, now: datetime) -> Pipeline | None:
        """Return a pipeline, a child one too."""
        listing, plan = self._plan(project_id, pipeline_id, now)
        return listing.view(plan, now.timestamp()) if listing and plan else None

    def jobs(
        self, project_id: int, pipeline_id: int, now: datetime, *, with_retried: bool
    ) -> Sequence[Job]:
        """Return the jobs of a pipeline, newest id first, bridges left out."""
        _, plan = self._plan(project_id, pipeline_id, now)
        if plan is None:
            return ()
        when = now.timestamp()
        attempts = plan.attempts_at(when) if with_retried else plan.latest_at(when)
        return [self._job(plan, one, when) for one in reversed(attempts) if not one.spec.bridge]

    def bridges(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[Bridge]:
        """Return the jobs of a pipeline that start child pipelines."""
        listing, plan = self._plan(project_id, pipeline_id, now)
        if listing is None or plan is None:
            return ()
        bridges = (one for one in reversed(plan.latest_at(now.timestamp())) if one.spec.bridge)
        return [self._bridge(plan, one, now) for one in bridges]

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
        listing, when = self._listing(project_id, now), now.timestamp()
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
        return [self._job(plan, one, when) for plan, one in page]

    def job(self, project_id: int, job_id: int, now: datetime) -> Job | None:
        """Return a job; None for a bridge."""
        plan, attempt = self._attempt(project_id, job_id, now)
        return self._job(plan, attempt, now.timestamp()) if plan and attempt else None

    def bridge(self, project_id: int, job_id: int, now: datetime) -> Bridge | None:
        """Return a job that starts a child pipeline; None for any other."""
        plan, attempt = self._attempt(project_id, job_id, now, with_bridges=True)
        found = plan is not None and attempt is not None and attempt.spec.bridge
        return self._bridge(plan, attempt, now) if found and plan and attempt else None

    def trace(self, project_id: int, job_id: int, now: datetime) -> bytes | LongText | None:
        """Return the log as it stands: empty when the job never started, None for no job."""
        plan, attempt = self._attempt(project_id, job_id, now)
        if plan is None or attempt is None:
            return None
        when = now.timestamp()
        return b"" if is_erased(attempt, when) else self._logs.log(plan.run, attempt, when)

    def long_logs(self) -> Sequence[LongLog]:
        """Return the finished logs that are too long to be held: here there are none."""
        return ()

    def planted_cause(self, project_id: int, job_id: int, now: datetime) -> str | None:
        """Return the key of the cause that a failed job's log was written for."""
        _, attempt = self._attempt(project_id, job_id, now)
        if attempt is None or attempt.status_at(now.timestamp()) != "failed":
            return None
        return attempt.cause.key if attempt.cause else None

    # what jobs left behind

    def archive(self, project_id: int, job_id: int, now: datetime) -> Archive | None:
        """Return the archive of a job; None where there is none, or none any more."""
        plan, attempt = self._attempt(project_id, job_id, now)
        if plan is None or attempt is None:
            return None
        return self._leavings.archive(plan.run, attempt, now.timestamp())

    def keep_artifacts(self, job_id: int) -> None:
        """Let the archive of a job stay for good."""
        self._leavings.keep(job_id)

    def delete_artifacts(self, job_id: int) -> None:
        """Throw the archive of a job away; its log stays."""
        self._leavings.delete(job_id)

    def delete_all_artifacts(self, project_id: int, now: datetime) -> None:
        """Throw away the archives that a project's jobs made so far, but for the kept ones."""
        self._leavings.delete_all(project_id, now.timestamp())

    def suites(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[SuiteReport]:
        """Return what the tests of a pipeline came to, job by job; retried ones don't count."""
        _, plan = self._plan(project_id, pipeline_id, now)
        if plan is None:
            return ()
        when = now.timestamp()
        found = (self._leavings.suite(plan.run, one, when) for one in plan.latest_at(when))
        return [suite for suite in found if suite is not None]

    # schedules

    def schedules(self, project_id: int, now: datetime) -> Sequence[Schedule]:
        """Return the schedules of a project, in id order."""
        site = self._sites.get(project_id)
        if site is None:
            return ()
        self._schedules.fire(site, now)
        return self._schedules.of(site, now)

    def schedule_pipelines(
        self, project_id: int, schedule_id: int, now: datetime, *, offset: int, limit: int
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window on what a schedule started, newest first, and how much that is."""
        site = self._sites.get(project_id)
        if site is None:
            return (), 0
        started = self._schedules.pipelines(site, schedule_id, now)[::-1]
        numbers = [one for one in started if not self._journal.is_deleted(project_id, one)]
        page = (self.pipeline(project_id, one, now) for one in numbers[offset : offset + limit])
        return [one for one in page if one is not None], len(numbers)

    def create_schedule(
        self, project_id: int, wanted: ScheduleChange, *, owner: Person, now: datetime
    ) -> Schedule:
        """Create a schedule. Raises WorldError: too many, unknown ref or zone, or bad cron line."""
        return self._schedules.create(self._site(project_id), wanted, owner=owner, now=now)

    def change_schedule(
        self, project_id: int, schedule_id: int, change: ScheduleChange, *, now: datetime
    ) -> Schedule:
        """Change any schedule. Raises WorldError: unknown schedule, ref, zone or cron line."""
        return self._schedules.change(self._site(project_id), schedule_id, change, now)

    def delete_schedule(self, project_id: int, schedule_id: int, *, now: datetime) -> None:
        """Delete a schedule; its pipelines stay. Raises WorldError: unknown schedule."""
        self._schedules.delete(self._site(project_id), schedule_id, now)

    def play_schedule(
        self, project_id: int, schedule_id: int, *, user: Person, now: datetime
    ) -> None:
        """Start what a schedule starts, shortly after now. Raises WorldError: unknown schedule."""
        self._schedules.play(self._site(project_id), schedule_id, user, now)

    # within

    def _site(self, project_id: int) -> Site:
        site = self._sites.get(project_id)
        if site is None:
            # Added projects are empty: they have no branch to run anything on.
            raise WorldError("Reference not found")
        return site

    def _listing(self, project_id: int, now: datetime) -> Listing | None:
        site = self._sites.get(project_id)
        if site is None:
            return None
        self._schedules.fire(site, now)
        return Listing(site, self._journal)

    def _plan(
        self, project_id: int, pipeline: int, now: datetime
    ) -> tuple[Listing | None, Plan | None]:
        listing = self._listing(project_id, now)
        return listing, listing.plan(pipeline, now.timestamp()) if listing else None

    def _attempt(
        self, project_id: int, job: int, now: datetime, *, with_bridges: bool = False
    ) -> tuple[Plan | None, Attempt | None]:
        pipeline, index = pipeline_of(job)
        _, plan = self._plan(project_id, pipeline, now)
        if plan is None:
            return None, None
        fitting = (
            one
            for one in plan.attempts_at(now.timestamp())
            if one.index == index and (with_bridges or not one.spec.bridge)
        )
        return plan, next(fitting, None)

    def _bridge(self, plan: Plan, attempt: Attempt, now: datetime) -> Bridge:
        project_id, child = plan.run.blueprint.id, attempt.child
        downstream = self.pipeline(project_id, child.id, now) if child else None
        return Bridge(job_at(plan, attempt, now.timestamp()), downstream)

    def _job(self, plan: Plan, attempt: Attempt, now: float) -> Job:
        return replace(
            job_at(plan, attempt, now),
            artifacts=self._leavings.artifacts(plan.run, attempt, now),
            artifacts_expire_at=self._leavings.expire_at(plan.run, attempt, now),
        )
