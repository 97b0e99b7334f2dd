"""What a report stands on: an organization whose people and places do not change with time."""

from __future__ import annotations

import uuid
from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from platui.emulator.access_report import ReportedGroup, ReportedPerson, ReportedProject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.emulator.records import Group, Person, Project
    from platui.emulator.world_protocol import World


class Ground(Protocol):
    """An organization; all ids it has stay below those that its history hands out."""

    @property
    def identity(self) -> str:
        """What decides over its content."""
        ...

    @property
    def group_ids(self) -> Sequence[int]:
        """The groups, in an order that never changes."""
        ...

    @property
    def project_ids(self) -> Sequence[int]:
        """The projects that history may touch, in an order that never changes."""
        ...

    @property
    def person_ids(self) -> Sequence[int]:
        """The people, in an order that never changes."""
        ...

    @property
    def domain(self) -> str:
        """Where newcomers have their e-mail."""
        ...

    def roots(self) -> Sequence[ReportedGroup]:
        """Return the groups that lie in no other."""
        ...

    def group(self, group_id: int) -> ReportedGroup:
        """Return a group."""
        ...

    def subgroups(self, group: ReportedGroup) -> Sequence[ReportedGroup] | None:
        """Return the groups directly below one; None where the field is absent."""
        ...

    def projects(self, group: ReportedGroup) -> Sequence[ReportedProject] | None:
        """Return the projects of a group; None where the field is absent."""
        ...

    def group_members(self, group_id: int) -> dict[int, str]:
        """Return the level of each member of a group."""
        ...

    def project_members(self, project_id: int) -> dict[int, str]:
        """Return the level of each member of a project."""
        ...

    def people(self) -> Iterable[ReportedPerson]:
        """Return everybody."""
        ...


class CompanyGround:
    """The company as it is in the other API, projects that callers added among them."""

    domain = "acme.example"

    def __init__(self, world: World, seed: int, founded: Sequence[Project]) -> None:
        self.identity = f"company {seed}"
        self._world = world
        self._groups = {group.id: _group(group) for group in world.groups()}
        self.group_ids = tuple(self._groups)
        self.project_ids = tuple(project.id for project in founded)
        self.person_ids = tuple(person.id for person in world.people() if not person.bot)
        self._below: dict[int | None, list[ReportedGroup]] = defaultdict(list)
        for group in world.groups():
            self._below[group.parent_id].append(self._groups[group.id])
        self._projects: dict[int, list[ReportedProject]] = defaultdict(list)
        for project in founded:
            self._projects[project.group_id].append(_project(project))

    def roots(self) -> Sequence[ReportedGroup]:
        """Return the groups that lie in no other."""
        return self._below[None]

    def group(self, group_id: int) -> ReportedGroup:
        """Return a group."""
        return self._groups[group_id]

    def subgroups(self, group: ReportedGroup) -> Sequence[ReportedGroup] | None:
        """Return the groups directly below one; None where there are none."""
        return self._below.get(group.id)

    def projects(self, group: ReportedGroup) -> Sequence[ReportedProject] | None:
        """Return the projects of a group; None where there are none."""
        added = self._world.projects()[len(self.project_ids) :]
        found = [_project(project) for project in added if project.group_id == group.id]
        return [*self._projects[group.id], *found] or None

    def group_members(self, group_id: int) -> dict[int, str]:
        """Return the level of each member of a group."""
        return {one.person_id: one.level for one in self._world.group_members(group_id)}

    def project_members(self, project_id: int) -> dict[int, str]:
        """Return the level of each member of a project."""
        return {one.person_id: one.level for one in self._world.project_members(project_id)}

    def people(self) -> Iterable[ReportedPerson]:
        """Return everybody."""
        return map(_person, self._world.people())


def _group(group: Group) -> ReportedGroup:
    return ReportedGroup(group.id, group.name, group.full_path)


def _project(project: Project) -> ReportedProject:
    return ReportedProject(project.id, project.name, project.full_path)


def _person(person: Person) -> ReportedPerson:
    identity = None if person.bot else str(uuid.uuid5(uuid.NAMESPACE_URL, person.email))
    return ReportedPerson(
        person.id, person.email, person.name, identity, person.state, person.username
    )
