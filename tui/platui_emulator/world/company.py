"""The simulated company as HTTP uses it; time must not run backwards between two writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui_emulator.world.acts import PipelineActs
from platui_emulator.world.blueprints import draw_up
from platui_emulator.world.causes import Incidents
from platui_emulator.world.clockwork import ORIGIN, Chance, Clockwork, midnight, moment
from platui_emulator.world.estate import Estate
from platui_emulator.world.files import Files
from platui_emulator.world.journal import Journal
from platui_emulator.world.listing import Listing
from platui_emulator.world.organization import Memberships, acme
from platui_emulator.world.report.book import ReportBook
from platui_emulator.world.report.ground import CompanyGround
from platui_emulator.world.runs import Starter
from platui_emulator.world.schedules import Schedules
from platui_emulator.world.timetable import Timetable
from platui_emulator.world.truth import choose, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from platui_emulator.access_report import ReportChanges
    from platui_emulator.records import (
        Branch,
        Commit,
        File,
        Group,
        Membership,
        Person,
        Pipeline,
        PlantedCause,
        Project,
        Tag,
        TreeEntry,
        Variable,
    )
    from platui_emulator.world.organization import Organization
    from platui_emulator.world.report.book import PeriodReport
    from platui_emulator.world.report.ground import Ground


class Company(PipelineActs):
    """A data-platform customer since `origin`; `ground` makes another base of the access report."""

    def __init__(
        self,
        seed: int,
        *,
        origin: datetime | None = None,
        found: Callable[[Chance, datetime], Organization] = acme,
        ground: Callable[[Chance], Ground] | None = None,
    ) -> None:
        chance, origin = Chance(seed), midnight(origin or ORIGIN)
        organization = found(chance, origin)
        clockwork = Clockwork(origin, organization.numbering, organization.retention)
        self._clockwork = clockwork
        self._people = organization.people
        self._groups = organization.groups
        self._group_of: dict[int | str, Group] = {}
        for one in self._groups:
            self._group_of[one.id] = self._group_of[one.full_path] = one
        self._person_of = {person.id: person for person in self._people}
        self._blueprints = draw_up(chance, organization, clockwork.origin)
        self._projects = tuple(one.record for one in self._blueprints)
        self._by_path = {one.full_path: one for one in self._projects}
        self._journal = Journal(organization.numbering)
        self._members = Memberships(chance, self._people)
        staff = {
            "humans": [one for one in self._people if not one.bot and one.state == "active"],
            "bots": [one for one in self._people if one.bot],
        }
        self._files = Files()
        self._starter = Starter(chance, clockwork, self._journal)
        sites = Estate(
            chance,
            clockwork,
            self._blueprints,
            self._make_timetable(chance),
            self._make_incidents(chance),
            staff,
            self._journal.interventions,
        )
        schedules = Schedules(clockwork, self._journal, self._starter, staff["bots"][1])
        super().__init__(chance, sites, self._journal, schedules)
        own = CompanyGround(self, seed, self._projects)
        self._reports = ReportBook(chance, ground(chance) if ground else own)

    # what a company of another kind may have otherwise

    def _make_incidents(self, chance: Chance) -> Incidents:
        return Incidents(chance, self._blueprints)

    def _make_timetable(self, chance: Chance) -> Timetable:
        return Timetable(chance, len(self._blueprints), self._people)

    # people and places

    def people(self) -> Sequence[Person]:
        """Return everybody, in id order."""
        return self._people

    def person(self, person_id: int) -> Person | None:
        """Return somebody by id."""
        return self._person_of.get(person_id)

    def groups(self) -> Sequence[Group]:
        """Return the groups, in id order, parents before children."""
        return self._groups

    def projects(self) -> Sequence[Project]:
        """Return the projects, in id order; the added ones are last."""
        if not self._journal.projects:
            return self._projects
        return (*self._projects, *self._journal.projects.values())

    def project(self, ref: int | str) -> Project | None:
        """Return the project with that id or full path."""
        if isinstance(ref, str):
            added = self._journal.projects.values()
            return self._by_path.get(ref) or next((p for p in added if p.full_path == ref), None)
        if ref in self._sites:
            return self._projects[ref - self._projects[0].id]
        return self._journal.projects.get(ref)

    def group(self, ref: int | str) -> Group | None:
        """Return the group with that id or full path."""
        return self._group_of.get(ref)

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
        return choose(self._sites, now.timestamp()).blueprint.record

    def truth(self, now: datetime) -> Sequence[PlantedCause]:
        """Return the causes behind what is red now, the widest first."""
        return truth(self._sites, self._clockwork, now.timestamp())

    def last_activity(self, project_id: int, now: datetime) -> datetime:
        """Return when a project last started a pipeline, or else when it was created."""
        if self._schedules.keeps(project_id):
            self._listing(project_id, now)  # which lets them fire
        when, own = now.timestamp(), 0.0
        if project_id in self._sites:
            own = self._sites.activity.of(project_id - self._projects[0].id, when)
        added = self._journal.runs(project_id, when)
        newest = max(own, added[0].created if added else 0.0)
        if newest:
            return moment(newest)
        project = self.project(project_id)
        return project.created_at if project else now

    def by_activity(self, now: datetime) -> Sequence[Project]:
        """Return all projects, the one that started nothing for longest first."""
        for project_id in self._schedules.kept_in():
            self._listing(project_id, now)  # which lets them fire
        when, first = now.timestamp(), self._projects[0].id
        latest = dict(enumerate(self._sites.activity.all(when), start=first))
        for project_id in (*self._journal.active(), *self._journal.projects):
            latest[project_id] = self.last_activity(project_id, now).timestamp()
        return sorted(self.projects(), key=lambda project: latest[project.id])

    # the administration API's report

    def report(self, period: int) -> PeriodReport:
        """Return the access report of a day, counted from the company's first."""
        return self._reports.report(period)

    def report_changes(self, since: int, until: int) -> ReportChanges:
        """Return what is different in the report of a later day."""
        return self._reports.changes(since, until)

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
        """Start a pipeline (spec 4.3). Raises WorldError: unknown ref, or no such pipeline file."""
        site = self._site(project_id)
        when = now.timestamp()
        run = self._starter.start(
            site, ref=ref, variables=variables, user=user, source=source, now=when
        )
        return Listing(site, self._journal).view(site.plan(run), when)

    def create_project(
        self, *, name: str, description: str, creator: Person, now: datetime
    ) -> Project:
        """Create an empty project of the creator. Raises WorldError: the name is taken."""
        return self._journal.add_project(name, description, creator, now)
