"""An organization of any size, each part of it a function of its number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.access_report import ReportedGroup, ReportedProject
from platui.emulator.world.report.crowd import person

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.emulator.access_report import ReportedPerson
    from platui.emulator.world.chance import Chance

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
"""Levels in rows, long enough for every place."""
_WORDS: Final = (
    "Finance", "Logistik", "Données", "Marketing", "Operaciones", "Риск", "Produkt", "分析",
    "Platform", "Ingeniería", "Growth", "Qualité", "Supply", "Łańcuch", "Research", "Service",
)  # fmt: skip
_PATHS: Final = (
    "finance", "logistik", "donnees", "marketing", "operaciones", "risk", "produkt", "fenxi",
    "platform", "ingenieria", "growth", "qualite", "supply", "lancuch", "research", "service",
)  # fmt: skip


class VastGround:
    """So many people, two projects for five of them, a group for ten projects."""

    domain = "conglomerate.example"

    def __init__(self, chance: Chance, people: int) -> None:
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
        """Return a group."""
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
        """Return everybody."""
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
