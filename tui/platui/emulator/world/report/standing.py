"""How the report of one period differs from the ground it stands on: a function of the period.

Each day somebody joins, levels are raised and lowered, a group is renamed, a project is added.
Everything ends after a while, so that the report neither grows nor wears away: newcomers leave,
half of them over a time in which they are blocked; levels and names go back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from platui.emulator.access_report import ReportedPerson, ReportedProject
from platui.emulator.world.report.crowd import person

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.emulator.world.chance import Chance
    from platui.emulator.world.report.ground import Ground

T = TypeVar("T")

LADDER: Final = ("GUEST", "REPORTER", "DEVELOPER", "MAINTAINER", "OWNER")
FIRST_NEWCOMER: Final = 50_000_000
FIRST_PROJECT: Final = 60_000_000

_SHIFTED_FOR: Final = 7
_EMPLOYED_FOR: Final = 14
_BLOCKED_FOR: Final = 14
_PROJECT_FOR: Final = 28
_RENAMED_FOR: Final = 5
_PEOPLE_A_CHANGE: Final = 5000
"""People of an organization for each change of a kind that one day brings."""
_MOST_CHANGES: Final = 10
_TITLES: Final = ("Guild", "Office", "Équipe", "& Partners", "(Neu)", "研究所")


class Place(NamedTuple):
    """Where a membership is: `group` or `project`, and its id."""

    kind: str
    id: int


@dataclass(frozen=True, slots=True)
class Hired:
    """A newcomer, as long as the report has them."""

    person: ReportedPerson
    memberships: tuple[tuple[Place, str], ...]


@dataclass(frozen=True, slots=True)
class AddedProject:
    """A project that was added."""

    project: ReportedProject
    group_id: int
    members: dict[int, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """All differences of one period."""

    names: dict[int, str] = field(default_factory=dict)
    """Groups with another name."""
    levels: dict[Place, dict[int, str]] = field(default_factory=dict)
    """Memberships with another level, by place and person."""
    hired: dict[int, Hired] = field(default_factory=dict)
    projects: dict[int, AddedProject] = field(default_factory=dict)


class History:
    """The differences of any period."""

    def __init__(self, chance: Chance, ground: Ground) -> None:
        self._chance = chance
        self._ground = ground
        groups = [Place("group", id_) for id_ in ground.group_ids]
        self._places = [*groups, *(Place("project", id_) for id_ in ground.project_ids)]
        self._pace = min(_MOST_CHANGES, max(1, len(ground.person_ids) // _PEOPLE_A_CHANGE))

    def standing(self, period: int) -> Standing:
        """Return what is different in a period."""
        standing = Standing()
        for day in _last(period, _RENAMED_FOR):
            self._rename(standing, day)
        for day in _last(period, _SHIFTED_FOR):
            for rank in range(2 * self._pace):
                self._shift(standing, day * 2 * self._pace + rank)
        for day in _last(period, _EMPLOYED_FOR + _BLOCKED_FOR):
            for rank in range(2 * self._pace):
                self._hire(standing, day * 2 * self._pace + rank, age=period - day)
        for day in _last(period, _PROJECT_FOR):
            self._found(standing, day)
        return standing

    def _rename(self, standing: Standing, day: int) -> None:
        ids = self._ground.group_ids
        group = self._ground.group(_spread(ids, day))
        standing.names[group.id] = f"{group.name} {_TITLES[day % len(_TITLES)]}"

    def _shift(self, standing: Standing, number: int) -> None:
        """Raise (even numbers) or lower one membership of some place."""
        place = _spread(self._places, number)
        step = -1 if number % 2 else 1
        fitting = [
            (member, LADDER[rank + step])
            for member, level in self.members(place).items()
            if level in LADDER and 0 <= (rank := LADDER.index(level)) + step < len(LADDER)
        ]
        if fitting:
            member, level = self._chance.pick(fitting, "shift", number)
            standing.levels.setdefault(place, {})[member] = level

    def members(self, place: Place) -> dict[int, str]:
        """Return the members that a place has on the ground."""
        if place.kind == "group":
            return self._ground.group_members(place.id)
        return self._ground.project_members(place.id)

    def _hire(self, standing: Standing, number: int, age: int) -> None:
        blocked = age >= _EMPLOYED_FOR
        if blocked and number % 2 == 0:
            return
        state = "blocked" if blocked else "active"
        who = person(FIRST_NEWCOMER + number, self._ground.domain, state)
        group = self._chance.pick(self._ground.group_ids, "hired into", number)
        project = self._chance.pick(self._ground.project_ids, "hired for", number)
        standing.hired[who.id] = Hired(
            who,
            (
                (Place("group", group), "DEVELOPER"),
                (Place("project", project), LADDER[number % len(LADDER)]),
            ),
        )

    def _found(self, standing: Standing, day: int) -> None:
        # Only some groups start pilots, so that others stay without any project.
        starting = self._ground.group_ids[: max(1, len(self._ground.group_ids) // 4)]
        group = self._ground.group(_spread(starting, day))
        name = f"pilot-{day}"
        project = ReportedProject(FIRST_PROJECT + day, name, f"{group.path}/{name}")
        pick = self._chance.pick
        members = {
            pick(self._ground.person_ids, "founder", day, rank): LADDER[-1 - rank]
            for rank in range(4)
        }
        standing.projects[project.id] = AddedProject(project, group.id, members)


def _last(period: int, count: int) -> Iterator[int]:
    """Yield the days up to a period of which something is left."""
    yield from range(max(0, period - count + 1), period + 1)


def _spread(options: Sequence[T], number: int) -> T:
    """Return one of the options; numbers that follow each other never meet on one."""
    stride = len(options) * 5 // 8 | 1
    while gcd(stride, len(options)) != 1:
        stride += 2
    return options[number * stride % len(options)]
