"""The simulated company, whole: what the protocol asks, answered by its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.world.blueprints import draw_up
from platui.emulator.world.causes import Incidents
from platui.emulator.world.chance import Chance
from platui.emulator.world.clockwork import ORIGIN, Clockwork
from platui.emulator.world.files import Files
from platui.emulator.world.journal import Journal
from platui.emulator.world.organization import Memberships, found_groups
from platui.emulator.world.people import hire
from platui.emulator.world.schedule_desk import ScheduleDesk
from platui.emulator.world.schedules import Schedules
from platui.emulator.world.showcase import choose
from platui.emulator.world.sites import Site
from platui.emulator.world.starter import Starter
from platui.emulator.world.timetable import Timetable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.records import (
        Branch,
        Commit,
        File,
        Group,
        Membership,
        Person,
        Pipeline,
        Project,
        Tag,
        TreeEntry,
        Variable,
    )


class Company(ScheduleDesk):
    """A data-platform customer: a function of (seed, time), and a journal of what was added.

    `origin` is when its pipelines began to run; before that it is empty.
    """

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
        self._files = Files()
        self._starter = Starter(chance, clockwork, self._journal)
        sites = {
            one.id: Site(chance, clockwork, one, timetable, incidents, staff)
            for one in self._blueprints
        }
        schedules = Schedules(clockwork, self._journal, self._starter, staff["bots"][1])
        super().__init__(chance, sites, self._journal, schedules)
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
        return choose(list(self._sites.values()), now.timestamp()).blueprint.record

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

    def create_project(
        self, *, name: str, description: str, creator: Person, now: datetime
    ) -> Project:
        """Create an empty project in the creator's own namespace.

        Raises:
            WorldError: the name is taken.
        """
        return self._journal.add_project(name, description, creator, now)
