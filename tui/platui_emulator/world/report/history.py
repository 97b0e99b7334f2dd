"""The report of any period, and the changes between two periods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from platui_emulator.access_report import (
    Leaver,
    LevelChange,
    Newcomer,
    Renaming,
    ReportChanges,
    ReportedGroup,
    ReportedPerson,
    ReportedProject,
)
from platui_emulator.world.report.base import Ground, person

if TYPE_CHECKING:
    from platui_emulator.access_report import ReportedPerson
    from platui_emulator.world.clock import SeededRandom


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
class AddedPerson:
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
class PeriodDifferences:
    """All differences of one period."""

    names: dict[int, str] = field(default_factory=dict)
    levels: dict[Place, dict[int, str]] = field(default_factory=dict)
    hired: dict[int, AddedPerson] = field(default_factory=dict)
    projects: dict[int, AddedProject] = field(default_factory=dict)


class History:
    """The differences of any period."""

    def __init__(self, chance: SeededRandom, ground: Ground) -> None:
        self._chance = chance
        self._ground = ground
        groups = [Place("group", id_) for id_ in ground.group_ids]
        self._places = [*groups, *(Place("project", id_) for id_ in ground.project_ids)]
        self._pace = min(_MOST_CHANGES, max(1, len(ground.person_ids) // _PEOPLE_A_CHANGE))

    def differences(self, period: int) -> PeriodDifferences:
        differences = PeriodDifferences()
        for day in _last(period, _RENAMED_FOR):
            self._rename(differences, day)
        for day in _last(period, _SHIFTED_FOR):
            for rank in range(2 * self._pace):
                self._shift(differences, day * 2 * self._pace + rank)
        for day in _last(period, _EMPLOYED_FOR + _BLOCKED_FOR):
            for rank in range(2 * self._pace):
                self._hire(differences, day * 2 * self._pace + rank, age=period - day)
        for day in _last(period, _PROJECT_FOR):
            self._found(differences, day)
        return differences

    def _rename(self, differences: PeriodDifferences, day: int) -> None:
        ids = self._ground.group_ids
        group = self._ground.group(_spread(ids, day))
        differences.names[group.id] = f"{group.name} {_TITLES[day % len(_TITLES)]}"

    def _shift(self, differences: PeriodDifferences, number: int) -> None:
        place = _spread(self._places, number)
        step = -1 if number % 2 else 1
        fitting = [
            (member, LADDER[rank + step])
            for member, level in self.members(place).items()
            if level in LADDER and 0 <= (rank := LADDER.index(level)) + step < len(LADDER)
        ]
        if fitting:
            member, level = self._chance.pick(fitting, "shift", number)
            differences.levels.setdefault(place, {})[member] = level

    def members(self, place: Place) -> dict[int, str]:
        """Return the members that a place has on the ground."""
        if place.kind == "group":
            return self._ground.group_members(place.id)
        return self._ground.project_members(place.id)

    def _hire(self, differences: PeriodDifferences, number: int, age: int) -> None:
        blocked = age >= _EMPLOYED_FOR
        if blocked and number % 2 == 0:
            return
        state = "blocked" if blocked else "active"
        who = person(FIRST_NEWCOMER + number, self._ground.domain, state)
        group = self._chance.pick(self._ground.group_ids, "hired into", number)
        project = self._chance.pick(self._ground.project_ids, "hired for", number)
        differences.hired[who.id] = AddedPerson(
            who,
            (
                (Place("group", group), "DEVELOPER"),
                (Place("project", project), LADDER[number % len(LADDER)]),
            ),
        )

    def _found(self, differences: PeriodDifferences, day: int) -> None:
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
        differences.projects[project.id] = AddedProject(project, group.id, members)


def _last(period: int, count: int) -> Iterator[int]:
    yield from range(max(0, period - count + 1), period + 1)


def _spread(options: Sequence[T], number: int) -> T:
    """Return one of the options; numbers that follow each other never meet on one."""
    stride = len(options) * 5 // 8 | 1
    while gcd(stride, len(options)) != 1:
        stride += 2
    return options[number * stride % len(options)]


_LONG: Final = 2000
"""People and projects from which on a report is never held as a whole."""
_PERIODS: Final = 8


class ReportHistory:
    """All reports of an organization."""

    def __init__(self, chance: SeededRandom, ground: Ground) -> None:
        self._ground = ground
        self._history = History(chance, ground)
        self._standing = lru_cache(maxsize=_PERIODS)(self._history.differences)

    def report(self, period: int) -> PeriodReport:
        return PeriodReport(self._ground, self._standing(period), period)

    def changes(self, since: int, until: int) -> ReportChanges:
        """Return what the report of a period has that an earlier one has not, or otherwise."""
        before, after = self._standing(since), self._standing(until)
        shifts = list(self._shifts(before, after))
        upwards = [LADDER.index(one.after) > LADDER.index(one.before) for one in shifts]
        return ReportChanges(
            joined=tuple(_joined(before, after)),
            left=tuple(_left(before, after)),
            raised=tuple(one for one, up in zip(shifts, upwards, strict=True) if up),
            lowered=tuple(one for one, up in zip(shifts, upwards, strict=True) if not up),
            projects_added=tuple(sorted(after.projects.keys() - before.projects.keys())),
            projects_removed=tuple(sorted(before.projects.keys() - after.projects.keys())),
            groups_renamed=tuple(self._renamings(before, after)),
        )

    def _shifts(self, before: PeriodDifferences, after: PeriodDifferences) -> Iterator[LevelChange]:
        for place in sorted(before.levels.keys() | after.levels.keys()):
            old, new = before.levels.get(place, {}), after.levels.get(place, {})
            ground = self._history.members(place)
            for member in sorted(old.keys() | new.keys()):
                was, is_ = old.get(member, ground[member]), new.get(member, ground[member])
                if was != is_:
                    yield LevelChange(member, place.kind, place.id, was, is_)

    def _renamings(self, before: PeriodDifferences, after: PeriodDifferences) -> Iterator[Renaming]:
        for id_ in sorted(before.names.keys() | after.names.keys()):
            name = self._ground.group(id_).name
            was, is_ = before.names.get(id_, name), after.names.get(id_, name)
            if was != is_:
                yield Renaming(id_, was, is_)


def _joined(before: PeriodDifferences, after: PeriodDifferences) -> Iterator[Newcomer]:
    for id_ in sorted(after.hired.keys() - before.hired.keys()):
        hired = after.hired[id_]
        memberships = tuple((*place, level) for place, level in hired.memberships)
        yield Newcomer(id_, hired.person.username, memberships)


def _left(before: PeriodDifferences, after: PeriodDifferences) -> Iterator[Leaver]:
    for id_, hired in sorted(before.hired.items()):
        now = after.hired.get(id_)
        if now is None:
            yield Leaver(id_, hired.person.username, "gone")
        elif now.person.state != hired.person.state:
            yield Leaver(id_, hired.person.username, now.person.state)


class PeriodReport:
    """The report of one period, made on demand; one that `is_long` is never held as a whole."""

    def __init__(self, ground: Ground, differences: PeriodDifferences, period: int) -> None:
        self.identity = f"{ground.identity} in {period}"
        self.is_long = len(ground.person_ids) + len(ground.project_ids) > _LONG
        self._ground = ground
        self._standing = differences
        self._newcomers: dict[Place, dict[int, str]] = {}
        for hired in differences.hired.values():
            for place, level in hired.memberships:
                self._newcomers.setdefault(place, {})[hired.person.id] = level

    def roots(self) -> Sequence[ReportedGroup]:
        """Return the groups that lie in no other."""
        return [self._named(group) for group in self._ground.roots()]

    def subgroups(self, group: ReportedGroup) -> Sequence[ReportedGroup] | None:
        """Return the groups directly below one; None where the field is absent."""
        found = self._ground.subgroups(group)
        return None if found is None else [self._named(one) for one in found]

    def projects(self, group: ReportedGroup) -> Sequence[ReportedProject] | None:
        """Return the projects of a group; None where the field is absent."""
        found = self._ground.projects(group)
        added = [
            one.project for one in self._standing.projects.values() if one.group_id == group.id
        ]
        return [*(found or ()), *added] if added else found

    def group_members(self, group_id: int) -> dict[int, str]:
        """Return the level of each member of a group."""
        return self._changed(Place("group", group_id), self._ground.group_members(group_id))

    def project_members(self, project_id: int) -> dict[int, str]:
        """Return the level of each member of a project."""
        added = self._standing.projects.get(project_id)
        if added is not None:
            return added.members
        members = self._ground.project_members(project_id)
        return self._changed(Place("project", project_id), members)

    def people(self) -> Iterator[ReportedPerson]:
        """Yield everybody, newcomers last."""
        yield from self._ground.people()
        for hired in self._standing.hired.values():
            yield hired.person

    def _named(self, group: ReportedGroup) -> ReportedGroup:
        name = self._standing.names.get(group.id)
        return group if name is None else group._replace(name=name)

    def _changed(self, place: Place, members: dict[int, str]) -> dict[int, str]:
        members |= self._standing.levels.get(place, {})
        return members | self._newcomers.get(place, {})
