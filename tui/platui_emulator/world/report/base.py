"""The base of a report: an organization whose people and groups do not change with time."""

from __future__ import annotations

import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from platui_emulator import data
from platui_emulator.access_report import ReportedGroup, ReportedPerson, ReportedProject

if TYPE_CHECKING:
    from platui_emulator.records import Group, Person, Project
    from platui_emulator.world.clock import SeededRandom
    from platui_emulator.world.company import Company


class CompanyReportBase:
    """The same organization as in the project API, with added projects."""

    domain = "acme.example"

    def __init__(self, world: Company, seed: int, founded: Sequence[Project]) -> None:
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


_NAMES: Final = data.lists("names.txt")
_FIRST, _LAST = _NAMES["report_first"], _NAMES["report_last"]
_WORDS, _PATHS = _NAMES["report_groups"], _NAMES["report_paths"]
_MIXER: Final = 2_654_435_761
_NO_IDENTITY: Final = 11
"""One in so many people has no identity at the service."""
_UNKNOWN: Final = ("ldap_blocked", "banned", "blocked_pending_approval")


def person(id_: int, domain: str, state: str | None = None) -> ReportedPerson:
    """Return the person of a number, in a state of their own where none is named."""
    mixed = id_ * _MIXER & 0xFFFFFFFF
    first, last = _FIRST[mixed % len(_FIRST)], _LAST[(mixed >> 12) % len(_LAST)]
    login = (
        f"{_LOGINS[mixed % len(_FIRST)]}{_LOGINS[len(_FIRST) + (mixed >> 12) % len(_LAST)]}{id_}"
    )
    identity = None
    if mixed % _NO_IDENTITY:
        identity = f"{mixed:08x}-{id_ & 0xFFFF:04x}-4{id_ & 0xFFF:03x}-8000-{id_:012x}"
    return ReportedPerson(
        id_, f"{login}@{domain}", f"{first} {last}", identity, state or _state(mixed >> 8), login
    )


def _state(mixed: int) -> str:
    share = mixed % 1000
    for limit, state in ((880, "active"), (940, "blocked"), (990, "deactivated")):
        if share < limit:
            return state
    return _UNKNOWN[share % len(_UNKNOWN)]


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "".join(letter for letter in bare if letter.isalpha())[:6]


_LOGINS: Final = tuple(map(_plain, (*_FIRST, *_LAST)))


FIRST_PERSON: Final = 10_001
FIRST_GROUP: Final = 20_000_001
FIRST_PROJECT: Final = 30_000_001

_ROOTS: Final = 40
"""One in so many groups lies in no other."""
_CHILDREN: Final = 2
_INHERITED: Final = 20
"""Members of a group that each of its projects names again."""
_OF_GROUP: Final = (40, 160)
_OF_PROJECT: Final = (10, 130)
_ABSENT, _EMPTY = 3, 5
_KINDS: Final = 7
"""Of so many groups one has no field for its projects, and one an empty one."""
_LEVELS: Final = (
    *("DEVELOPER",) * 26, *("REPORTER",) * 13, *("GUEST",) * 11, *("MAINTAINER",) * 9,
    *("OWNER",) * 2, "PLANNER", "MINIMAL_ACCESS", "SECURITY_AUDITOR",
)  # fmt: skip
_RUNS: Final = tuple(
    tuple(_LEVELS[(start + step * 5) % len(_LEVELS)] for step in range(_OF_GROUP[1]))
    for start in range(len(_LEVELS))
)


class LargeReportBase:
    """So many people, two projects for five of them, a group for ten projects."""

    domain = "conglomerate.example"

    def __init__(self, chance: SeededRandom, people: int) -> None:
        self._count = people
        self._projects = people * 2 // 5
        self._groups = max(8, self._projects // 10)
        self._roots = max(1, self._groups // _ROOTS)
        self._salt = chance.number("vast") & 0xFFFFFFFF
        self.identity = f"vast {people} {self._salt}"
        self.person_ids = range(FIRST_PERSON, FIRST_PERSON + people)
        self.group_ids = range(FIRST_GROUP, FIRST_GROUP + self._groups)
        self.project_ids = range(FIRST_PROJECT, FIRST_PROJECT + self._projects)
        self._owners = [n for n in range(self._groups) if n % _KINDS not in {_ABSENT, _EMPTY}]
        self._rank = {n: rank for rank, n in enumerate(self._owners)}

    def roots(self) -> Sequence[ReportedGroup]:
        """Return the groups that lie in no other."""
        return [self._group(number, "") for number in range(self._roots)]

    def group(self, group_id: int) -> ReportedGroup:
        number = group_id - FIRST_GROUP
        if number < self._roots:
            return self._group(number, "")
        parent = (number - self._roots) // _CHILDREN
        return self._group(number, self.group(FIRST_GROUP + parent).path + "/")

    def subgroups(self, group: ReportedGroup) -> Sequence[ReportedGroup] | None:
        """Return the groups directly below one; half of the lowest have no such field."""
        number = group.id - FIRST_GROUP
        first = self._roots + number * _CHILDREN
        below = range(first, min(first + _CHILDREN, self._groups))
        if not below and number % 2:
            return None
        return [self._group(child, group.path + "/") for child in below]

    def projects(self, group: ReportedGroup) -> Sequence[ReportedProject] | None:
        """Return the projects of a group; some have none, some have no such field."""
        number = group.id - FIRST_GROUP
        if number not in self._rank:
            return None if number % _KINDS == _ABSENT else []
        numbers = range(self._rank[number], self._projects, len(self._rank))
        return [self._project(one, group.path) for one in numbers]

    def group_members(self, group_id: int) -> dict[int, str]:
        """Return the level of each member of a group."""
        return self._some(group_id, *_OF_GROUP)

    def project_members(self, project_id: int) -> dict[int, str]:
        """Return the level of each member of a project, some of its group's among them."""
        owner = self._owners[(project_id - FIRST_PROJECT) % len(self._owners)]
        inherited = self._some(FIRST_GROUP + owner, _INHERITED, _INHERITED)
        return inherited | self._some(project_id, *_OF_PROJECT)

    def people(self) -> Iterable[ReportedPerson]:
        domain = self.domain
        return (person(id_, domain) for id_ in self.person_ids)

    def _group(self, number: int, above: str) -> ReportedGroup:
        word = (number + self._salt) % len(_WORDS)
        name = f"{_WORDS[word]} {number}"
        return ReportedGroup(FIRST_GROUP + number, name, f"{above}{_PATHS[word]}-{number}")

    def _project(self, number: int, above: str) -> ReportedProject:
        word = (number * 7 + self._salt) % len(_PATHS)
        name = f"{_PATHS[word]}-dbt-{number}"
        return ReportedProject(FIRST_PROJECT + number, name, f"{above}/{name}")

    def _some(self, place: int, least: int, most: int) -> dict[int, str]:
        """Return some people with levels: each step leads to another person."""
        mixed = (place * 2_654_435_761 ^ self._salt) & 0xFFFFFFFF
        size = min(self._count, least + (mixed >> 4) % (most - least + 1))
        start, stride = (mixed ^ place) % self._count, mixed >> 7 | 1
        count, first = self._count, FIRST_PERSON
        people = [first + (start + step * stride) % count for step in range(size)]
        return dict(zip(people, _RUNS[mixed >> 3 & 63], strict=False))


Ground: TypeAlias = CompanyReportBase | LargeReportBase
"""All ids that an organization has stay below those that its history hands out."""
