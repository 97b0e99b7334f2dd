"""Who may see and do what: roles inherited down the groups, and visibility (spec §5.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from platui_emulator.http.credentials import Credential, Kind

if TYPE_CHECKING:
    from platui_emulator.records import Group, Membership, Person, Project
    from platui_emulator.world.company import Company


NO_ACCESS: Final = 0
DEVELOPER: Final = 30
MAINTAINER: Final = 40
OWNER: Final = 50

LEVELS: Final = {
    "MINIMAL": 5,
    "GUEST": 10,
    "PLANNER": 15,
    "REPORTER": 20,
    "DEVELOPER": DEVELOPER,
    "MAINTAINER": MAINTAINER,
    "OWNER": OWNER,
}


class Access:
    """Answers from the company's memberships, which do not change while it runs."""

    def __init__(self, world: Company, allowlists: Allowlists) -> None:
        self._world = world
        self._allowlists = allowlists
        self._of_project: dict[int, dict[int, int]] = {}

    @cached_property
    def _groups(self) -> dict[int, Group]:
        return {group.id: group for group in self._world.groups()}

    @cached_property
    def _of_group(self) -> dict[int, dict[int, int]]:
        return {group_id: _levels(self._world.group_members(group_id)) for group_id in self._groups}

    def group_level(self, credential: Credential, group_id: int | None) -> int:
        """Return the caller's level in a group, its own or one inherited from above."""
        level = NO_ACCESS
        while group_id is not None and group_id in self._groups:
            if credential.kind is Kind.GROUP and credential.owner_id == group_id:
                level = max(level, MAINTAINER)
            level = max(level, self._of_group[group_id].get(credential.user.id, NO_ACCESS))
            group_id = self._groups[group_id].parent_id
        return level

    def direct_level(self, credential: Credential, project: Project) -> int:
        """Return the caller's level in the project itself, apart from its groups."""
        if credential.kind is Kind.PROJECT and credential.owner_id == project.id:
            return MAINTAINER
        if project.id not in self._of_project:
            self._of_project[project.id] = _levels(self._world.project_members(project.id))
        return self._of_project[project.id].get(credential.user.id, NO_ACCESS)

    def level(self, credential: Credential, project: Project) -> int:
        return max(
            self.direct_level(credential, project),
            self.group_level(credential, project.group_id),
        )

    def sees(self, credential: Credential, project: Project) -> bool:
        """Return whether the caller can see a project (spec §5.2 rules 3, 4); bots are guests."""
        if credential.kind is Kind.JOB and not self._lets_in(project, credential.owner_id):
            return False
        return (
            project.visibility in _open_to(credential.user)
            or self.level(credential, project) > NO_ACCESS
        )

    def visible_projects(self, credential: Credential) -> Sequence[Project]:
        """Return the projects that exist for the caller, in id order."""
        if credential.kind is Kind.JOB:
            return [one for one in self._world.projects() if self.sees(credential, one)]
        levels = self._group_levels(credential)
        open_to = _open_to(credential.user)
        return [
            one
            for one in self._world.projects()
            if one.visibility in open_to
            or levels.get(one.group_id)
            or self.direct_level(credential, one)
        ]

    def visible_groups(self, credential: Credential) -> list[Group]:
        """Return the groups that the caller belongs to, directly or from above."""
        levels = self._group_levels(credential)
        return [group for group in self._groups.values() if levels[group.id] > NO_ACCESS]

    def _group_levels(self, credential: Credential) -> dict[int, int]:
        """Return the caller's level in every group: parents stand before children."""
        levels: dict[int | None, int] = {None: NO_ACCESS}
        own = credential.owner_id if credential.kind is Kind.GROUP else None
        for group in self._groups.values():
            level = MAINTAINER if group.id == own else NO_ACCESS
            level = max(level, self._of_group[group.id].get(credential.user.id, NO_ACCESS))
            levels[group.id] = max(level, levels[group.parent_id])
        return {group_id: level for group_id, level in levels.items() if group_id is not None}

    def _lets_in(self, project: Project, source_id: int) -> bool:
        source = self._world.project(source_id)
        return source is not None and self._allowlists.admits(project, source)

    def project_keeper(self, project: Project) -> Person:
        """Return the person as whom a project's trigger token acts: its highest member."""
        levels = dict(_levels(self._world.project_members(project.id)))
        group_id: int | None = project.group_id
        while group_id is not None and group_id in self._groups:
            for person_id, level in self._of_group[group_id].items():
                levels[person_id] = max(level, levels.get(person_id, NO_ACCESS))
            group_id = self._groups[group_id].parent_id
        people = [person for person in self._world.people() if not person.bot]
        return max(people, key=lambda person: (levels.get(person.id, NO_ACCESS), -person.id))


def _open_to(user: Person) -> frozenset[str]:
    """Return the visibilities that need no membership: bots are guests in the company."""
    return frozenset({"public"} if user.bot else {"public", "internal"})


def _levels(members: Sequence[Membership]) -> dict[int, int]:
    return {member.person_id: LEVELS.get(member.level, NO_ACCESS) for member in members}


_OPEN: Final = frozenset({"public", "internal"})
_OFF: Final = 1
_LISTING: Final = 7
"""Out of 20 projects, one has its allowlist off, and the next six list their group."""


@dataclass(frozen=True, slots=True)
class Allowlist:
    """The allowlist of one project."""

    enabled: bool = True
    """When it is off, every project counts as listed (rule 4)."""
    group: bool = False
    """Whether all projects of its group are listed besides itself."""
    listed: frozenset[int] = frozenset()


class Allowlists:
    """The allowlists of all projects."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._changed: dict[int, Allowlist] = {}

    def of(self, project: Project) -> Allowlist:
        """Return the allowlist of a project; by default it holds only the project itself."""
        return self._changed.get(project.id) or self._drawn(project)

    def change(self, project: Project, *, enabled: bool, added: Iterable[int] = ()) -> Allowlist:
        """Turn the allowlist of a project on or off, and put projects on it."""
        old = self.of(project)
        changed = replace(old, enabled=enabled, listed=old.listed | frozenset(added))
        self._changed[project.id] = changed
        return changed

    def lists(self, project: Project, source: Project) -> bool:
        """Return whether the project's allowlist has the source's jobs."""
        found = self.of(project)
        if not found.enabled or source.id == project.id or source.id in found.listed:
            return True
        return found.group and source.group_id == project.group_id

    def admits(self, project: Project, source: Project) -> bool:
        """Return whether the allowlists let the source's job tokens open the project."""
        return project.visibility in _OPEN or self.lists(project, source)

    def _drawn(self, project: Project) -> Allowlist:
        # Spec §5.2 rule 4: off is for reference projects.
        if "reference" in project.path:
            return Allowlist(enabled=False)
        key = f"{self._seed}:allowlist:{project.id}".encode()
        draw = hashlib.blake2b(key, digest_size=2).digest()[0] % 20
        return Allowlist(enabled=draw >= _OFF, group=_OFF <= draw < _LISTING)
