"""The simulated company as HTTP uses it; time must not run backwards between two writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from platui_emulator.world.artifacts import Artifacts
from platui_emulator.world.blueprints import draw_up
from platui_emulator.world.clock import ORIGIN, CompanyClock, SeededRandom, midnight, moment
from platui_emulator.world.journal import Journal
from platui_emulator.world.logs import GeneratedLogs
from platui_emulator.world.organization import Memberships, Organization, acme
from platui_emulator.world.pipeline_actions import PipelineActions
from platui_emulator.world.pipelines import Pipelines
from platui_emulator.world.planted_causes import truth
from platui_emulator.world.project_pool import ProjectPool
from platui_emulator.world.report.base import CompanyReportBase, Ground
from platui_emulator.world.report.history import ReportHistory
from platui_emulator.world.repositories import Repositories
from platui_emulator.world.runs import PipelineStarter
from platui_emulator.world.schedules import Schedules
from platui_emulator.world.setups import Setup

if TYPE_CHECKING:
    from platui_emulator.records import (
        Group,
        LongLog,
        Membership,
        Person,
        PlantedCause,
        Project,
    )


class Company:
    """A data-platform customer since `origin`.

    Args:
        seed: decides everything that chance decides.
        origin: the first day.
        found: makes the people, groups and projects.
        ground: makes another base of the access report.
        setup: what the scenario decides; a usual day by default.
    """

    def __init__(
        self,
        seed: int,
        *,
        origin: datetime | None = None,
        found: Callable[[SeededRandom, datetime], Organization] = acme,
        ground: Callable[[SeededRandom], Ground] | None = None,
        setup: Setup | None = None,
    ) -> None:
        chance, origin = SeededRandom(seed), midnight(origin or ORIGIN)
        organization = found(chance, origin)
        self._setup = setup = setup or Setup()
        self.clockwork = CompanyClock(origin, organization.numbering, organization.retention)
        self._people = organization.people
        self._groups = organization.groups
        self._group_of: dict[int | str, Group] = {}
        for one in self._groups:
            self._group_of[one.id] = self._group_of[one.full_path] = one
        self._person_of = {person.id: person for person in self._people}
        self.blueprints = draw_up(chance, organization, self.clockwork.origin)
        self._projects = tuple(one.record for one in self.blueprints)
        self._by_path = {one.full_path: one for one in self._projects}
        self.journal = Journal(organization.numbering)
        self._members = Memberships(chance, self._people)
        staff = {
            "humans": [one for one in self._people if not one.bot and one.state == "active"],
            "bots": [one for one in self._people if one.bot],
        }
        starter = PipelineStarter(chance, self.clockwork, self.journal)
        self.sites = ProjectPool(
            chance,
            self.clockwork,
            self.blueprints,
            setup.timetable(chance, self.blueprints, self._people),
            setup.incidents(chance, self.blueprints),
            staff,
            self.journal.interventions,
        )
        self.schedules = Schedules(
            self.clockwork, self.sites, self.journal, starter, staff["bots"][1]
        )
        self.logs = GeneratedLogs(chance)
        self.artifacts = Artifacts(self.logs)
        self.pipelines = Pipelines(
            self.sites, self.journal, self.schedules, self.logs, self.artifacts
        )
        self.actions = PipelineActions(self.pipelines, self.sites, self.journal, starter)
        self.repositories = Repositories(self.sites)
        own = CompanyReportBase(self, seed, self._projects)
        self.reports = ReportHistory(chance, ground(chance) if ground else own)

    def people(self) -> Sequence[Person]:
        """Return everybody, in id order."""
        return self._people

    def person(self, person_id: int) -> Person | None:
        return self._person_of.get(person_id)

    def groups(self) -> Sequence[Group]:
        """Return the groups, in id order, parents before children."""
        return self._groups

    def projects(self) -> Sequence[Project]:
        """Return the projects, in id order; the added ones are last."""
        if not self.journal.projects:
            return self._projects
        return (*self._projects, *self.journal.projects.values())

    def project(self, ref: int | str) -> Project | None:
        """Return the project with that id or full path."""
        if isinstance(ref, str):
            added = self.journal.projects.values()
            return self._by_path.get(ref) or next((p for p in added if p.full_path == ref), None)
        if ref in self.sites:
            return self._projects[ref - self._projects[0].id]
        return self.journal.projects.get(ref)

    def group(self, ref: int | str) -> Group | None:
        """Return the group with that id or full path."""
        return self._group_of.get(ref)

    def group_members(self, group_id: int) -> Sequence[Membership]:
        group = self.group(group_id)
        return self._members.of_group(group) if group else ()

    def project_members(self, project_id: int) -> Sequence[Membership]:
        added = self.journal.projects.get(project_id)
        if added is not None:
            return self._members.of_owner(added.group_id)
        return self._members.of_project(project_id) if project_id in self.sites else ()

    def showcase(self, now: datetime) -> Project:
        """Return the project to look at first; the first call may start what a scenario shows."""
        return self._setup.showcase(self, now)

    def long_logs(self) -> Sequence[LongLog]:
        """Return the finished logs that are too long to be held."""
        return self._setup.long_logs(self)

    def truth(self, now: datetime) -> Sequence[PlantedCause]:
        """Return the causes of the current failures, the widest first."""
        return truth(self.sites, self.clockwork, now.timestamp())

    def last_activity(self, project_id: int, now: datetime) -> datetime:
        """Return when a project last started a pipeline, or else when it was created."""
        if self.schedules.keeps(project_id):
            self.pipelines.listing(project_id, now)  # which lets them fire
        when, own = now.timestamp(), 0.0
        if project_id in self.sites:
            own = self.sites.activity.of(project_id - self._projects[0].id, when)
        added = self.journal.runs(project_id, when)
        newest = max(own, added[0].created if added else 0.0)
        if newest:
            return moment(newest)
        project = self.project(project_id)
        return project.created_at if project else now

    def by_activity(self, now: datetime) -> Sequence[Project]:
        """Return all projects, the one that started nothing for longest first."""
        for project_id in self.schedules.kept_in():
            self.pipelines.listing(project_id, now)  # which lets them fire
        when, first = now.timestamp(), self._projects[0].id
        latest = dict(enumerate(self.sites.activity.all(when), start=first))
        for project_id in (*self.journal.active(), *self.journal.projects):
            latest[project_id] = self.last_activity(project_id, now).timestamp()
        return sorted(self.projects(), key=lambda project: latest[project.id])

    def create_project(
        self, *, name: str, description: str, creator: Person, now: datetime
    ) -> Project:
        """Create an empty project of the creator. Raises WorldError: the name is taken."""
        return self.journal.add_project(name, description, creator, now)
