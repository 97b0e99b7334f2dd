"""The simulated company, whole: what the protocol asks, answered by its parts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.emulator.records import Bridge
from platui.emulator.world import causes
from platui.emulator.world.blueprints import draw_up
from platui.emulator.world.causes import Incidents
from platui.emulator.world.chance import Chance
from platui.emulator.world.clockwork import ORIGIN, Clockwork
from platui.emulator.world.files import Files
from platui.emulator.world.ids import pipeline_of
from platui.emulator.world.journal import Journal
from platui.emulator.world.listing import Listing
from platui.emulator.world.logs import LogBook
from platui.emulator.world.organization import Memberships, found_groups
from platui.emulator.world.people import hire
from platui.emulator.world.plans import ENDED
from platui.emulator.world.schedules import Schedules
from platui.emulator.world.sites import Site
from platui.emulator.world.starter import Starter
from platui.emulator.world.timetable import Timetable
from platui.emulator.world.views import job_at, status_at
from platui.emulator.world_protocol import WorldError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.records import (
        Branch,
        Commit,
        File,
        Group,
        Job,
        Membership,
        Person,
        Pipeline,
        Project,
        Schedule,
        Tag,
        TreeEntry,
        Variable,
    )
    from platui.emulator.world.plans import Attempt, Plan


_SHOWCASE_SLOTS: Final = 30
"""How far back the newest pipeline of a default branch may lie."""


class Company:
    """A data-platform customer: a function of (seed, time), and a journal of what was added."""

    def __init__(self, seed: int, *, origin: datetime | None = None) -> None:
        chance = Chance(seed)
        clockwork = Clockwork(origin or ORIGIN)
        self._people = hire(chance, clockwork.origin)
        self._groups = found_groups()
        self._blueprints = draw_up(chance, self._groups, clockwork.origin)
        self._members = Memberships(chance, self._people)
        staff = {
            "humans": [one for one in self._people if not one.bot and one.state == "active"],
            "bots": [one for one in self._people if one.bot],
        }
        incidents = Incidents(chance, self._blueprints)
        timetable = Timetable(chance, self._blueprints, self._people)
        self._journal = Journal()
        self._sites = {
            one.id: Site(chance, clockwork, one, timetable, incidents, staff)
            for one in self._blueprints
        }
        self._listings = {id_: Listing(site, self._journal) for id_, site in self._sites.items()}
        self._files = Files()
        self._logs = LogBook(chance)
        self._starter = Starter(chance, clockwork, self._journal)
        self._schedules = Schedules(clockwork, self._journal, self._starter)
        self._by_path = {one.record.full_path: one.record for one in self._blueprints}

    # people and places

    def people(self) -> Sequence[Person]:
        """Return everybody, in id order."""
        return self._people

    def groups(self) -> Sequence[Group]:
        """Return the groups, in id order, parents before children."""
        return self._groups

    def projects(self) -> Sequence[Project]:
        """Return the projects, in id order; the added ones are last."""
        return (*(one.record for one in self._blueprints), *self._journal.projects.values())

    def project(self, ref: int | str) -> Project | None:
        """Return the project with that id or full path."""
        if isinstance(ref, str):
            added = self._journal.projects.values()
            return self._by_path.get(ref) or next((p for p in added if p.full_path == ref), None)
        site = self._sites.get(ref)
        return site.blueprint.record if site else self._journal.projects.get(ref)

    def group(self, ref: int | str) -> Group | None:
        """Return the group with that id or full path."""
        return next((one for one in self._groups if ref in (one.id, one.full_path)), None)

    def group_members(self, group_id: int) -> Sequence[Membership]:
        """Return the direct members of a group."""
        group = self.group(group_id)
        return self._members.of_group(group) if group else ()

    def project_members(self, project_id: int) -> Sequence[Membership]:
        """Return the direct members of a project."""
        added = self._journal.projects.get(project_id)
        if added is not None:
            return self._members.of_owner(added.group_id)
        return self._members.of_project(project_id) if project_id in self._sites else ()

    def showcase(self, now: datetime) -> Project:
        """Return a project in an incident with a cause that reads well, one that runs if any."""
        when = now.timestamp()
        red = [site for site in self._sites.values() if self._breaks_on_relation(site, when)]
        busy = [site for site in red if self._is_running(site, when)]
        chosen = (busy or red or list(self._sites.values()))[0]
        return chosen.blueprint.record

    # pipelines

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
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window, newest first, and how many there are in all."""
        listing, when = self._listing(project_id, now), now.timestamp()
        if listing is None:
            return (), 0
        if all(one is None for one in (status, ref, sha, source, username)):
            return listing.window(when, offset, limit), listing.count(when)

        def wanted(plan: Plan) -> bool:
            run = plan.run
            return (
                (run.parent_id is None or source == "parent_pipeline")
                and ref in (None, run.ref)
                and sha in (None, run.commit.sha)
                and source in (None, run.source)
                and username in (None, run.user.username)
                and status in (None, status_at(plan, when))
            )

        return listing.search(when, offset, limit, wanted)

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
        when = now.timestamp()
        child = plan.child if plan.child and plan.child.created <= when else None
        downstream = self.pipeline(project_id, child.id, now) if child else None
        return [
            Bridge(job_at(plan, one, when, 0), downstream)
            for one in reversed(plan.latest_at(when))
            if one.spec.bridge
        ]

    def project_jobs(
        self,
        project_id: int,
        now: datetime,
        *,
        offset: int,
        limit: int,
        scope: frozenset[str] = frozenset(),
    ) -> Sequence[Job]:
        """Return a window of all jobs, newest id first; retried ones are among them."""
        listing, when = self._listing(project_id, now), now.timestamp()
        if listing is None:
            return ()
        found = (
            (plan, one)
            for plan in listing.plans(when)
            for one in reversed(plan.attempts_at(when))
            if not one.spec.bridge and (not scope or one.status_at(when) in scope)
        )
        page = islice(found, offset, offset + limit)
        return [self._job(plan, one, when) for plan, one in page]

    def job(self, project_id: int, job_id: int, now: datetime) -> Job | None:
        """Return a job; None for a bridge."""
        plan, attempt = self._attempt(project_id, job_id, now)
        return self._job(plan, attempt, now.timestamp()) if plan and attempt else None

    def trace(self, project_id: int, job_id: int, now: datetime) -> bytes | None:
        """Return the log as it stands: empty when the job never started, None for no job."""
        plan, attempt = self._attempt(project_id, job_id, now)
        if plan is None or attempt is None:
            return None
        return self._logs.log(plan.run, attempt, now.timestamp())

    def planted_cause(self, project_id: int, job_id: int, now: datetime) -> str | None:
        """Return the key of the cause that a failed job's log was written for."""
        _, attempt = self._attempt(project_id, job_id, now)
        if attempt is None or attempt.status_at(now.timestamp()) != "failed":
            return None
        return attempt.cause.key if attempt.cause else None

    # repository

    def branches(self, project_id: int, now: datetime) -> Sequence[Branch]:
        """Return the branches, by name."""
        site = self._sites.get(project_id)
        return site.history.branches(now.timestamp()) if site else ()

    def tags(self, project_id: int, now: datetime) -> Sequence[Tag]:
        """Return the newest tags, the newest first."""
        site = self._sites.get(project_id)
        return site.history.tags(now.timestamp()) if site else ()

    def commit(self, project_id: int, ref: str, now: datetime) -> Commit | None:
        """Return the commit a branch, tag, sha or `HEAD` names."""
        site = self._sites.get(project_id)
        return site.history.find(ref, now.timestamp()) if site else None

    def tree(self, project_id: int, ref: str, path: str, now: datetime) -> Sequence[TreeEntry]:
        """Return a folder of the repository; empty when there is none."""
        site = self._sites.get(project_id)
        return self._files.tree(site, ref, path, now.timestamp()) if site else ()

    def file(self, project_id: int, ref: str, path: str, now: datetime) -> File | None:
        """Return a file of the repository."""
        site = self._sites.get(project_id)
        return self._files.file(site, ref, path, now.timestamp()) if site else None

    # schedules

    def schedules(self, project_id: int, now: datetime) -> Sequence[Schedule]:
        """Return the schedules of a project, in id order."""
        site = self._sites.get(project_id)
        if site is None:
            return ()
        self._schedules.fire(site, now)
        return self._schedules.of(site, now)

    # writes

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
        """Start a pipeline (spec 4.3): it is pending at first, then its jobs run.

        Raises:
            WorldError: unknown ref, or no such pipeline file.
        """
        site = self._site(project_id)
        when = now.timestamp()
        run = self._starter.start(
            site, ref=ref, variables=variables, user=user, source=source, now=when
        )
        return self._listings[project_id].view(site.plan(run), when)

    def create_schedule(
        self,
        project_id: int,
        *,
        description: str,
        ref: str,
        cron: str,
        cron_timezone: str,
        active: bool,
        owner: Person,
        now: datetime,
    ) -> Schedule:
        """Create a schedule, which fires from now on.

        Raises:
            WorldError: unknown ref or zone, or a cron line that is none.
        """
        return self._schedules.create(
            self._site(project_id),
            description=description,
            ref=ref,
            cron=cron,
            cron_timezone=cron_timezone,
            active=active,
            owner=owner,
            now=now,
        )

    def create_project(
        self, *, name: str, description: str, creator: Person, now: datetime
    ) -> Project:
        """Create an empty project in the creator's own namespace.

        Raises:
            WorldError: the name is taken.
        """
        return self._journal.add_project(name, description, creator, now)

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
        return self._listings[project_id]

    def _plan(
        self, project_id: int, pipeline: int, now: datetime
    ) -> tuple[Listing | None, Plan | None]:
        listing = self._listing(project_id, now)
        return listing, listing.plan(pipeline, now.timestamp()) if listing else None

    def _attempt(
        self, project_id: int, job: int, now: datetime
    ) -> tuple[Plan | None, Attempt | None]:
        pipeline, index = pipeline_of(job)
        _, plan = self._plan(project_id, pipeline, now)
        if plan is None:
            return None, None
        fitting = (
            one
            for one in plan.attempts_at(now.timestamp())
            if one.index == index and not one.spec.bridge
        )
        return plan, next(fitting, None)

    def _job(self, plan: Plan, attempt: Attempt, now: float) -> Job:
        ended = attempt.finished is not None and attempt.finished <= now
        size = self._logs.size(plan.run, attempt) if ended else 0
        return job_at(plan, attempt, now, size)

    def _breaks_on_relation(self, site: Site, now: float) -> bool:
        plan = self._newest_main(site, now, finished=True)
        fate = plan.run.fate if plan else None
        return bool(fate and fate.kind == "red" and fate.cause is causes.RELATION_MISSING)

    def _is_running(self, site: Site, now: float) -> bool:
        plan = self._newest_main(site, now, finished=False)
        return plan is not None and status_at(plan, now) == "running"

    @staticmethod
    def _newest_main(site: Site, now: float, *, finished: bool) -> Plan | None:
        main = site.blueprint.record.default_branch
        for plan in site.newest_first(now, _SHOWCASE_SLOTS):
            own = plan.run.parent_id is None and plan.run.ref == main
            if own and (not finished or status_at(plan, now) in ENDED):
                return plan
        return None
