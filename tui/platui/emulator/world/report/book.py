"""The report of any period, and what is different between two of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.emulator.access_report import (
    Leaver,
    LevelChange,
    Newcomer,
    Renaming,
    ReportChanges,
    ReportedGroup,
    ReportedProject,
)
from platui.emulator.world.report.standing import LADDER, History, Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.emulator.access_report import ReportedPerson
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.report.ground import Ground
    from platui.emulator.world.report.standing import Standing

_LONG: Final = 2000
"""People and projects from which on a report is never held as a whole."""
_PERIODS: Final = 8


class ReportBook:
    """All reports of an organization."""

    def __init__(self, chance: Chance, ground: Ground) -> None:
        self._ground = ground
        self._history = History(chance, ground)
        self._standing = lru_cache(maxsize=_PERIODS)(self._history.standing)

    def report(self, period: int) -> PeriodReport:
        """Return the report of a period."""
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

    def _shifts(self, before: Standing, after: Standing) -> Iterator[LevelChange]:
        for place in sorted(before.levels.keys() | after.levels.keys()):
            old, new = before.levels.get(place, {}), after.levels.get(place, {})
            ground = self._history.members(place)
            for member in sorted(old.keys() | new.keys()):
                was, is_ = old.get(member, ground[member]), new.get(member, ground[member])
                if was != is_:
                    yield LevelChange(member, place.kind, place.id, was, is_)

    def _renamings(self, before: Standing, after: Standing) -> Iterator[Renaming]:
        for id_ in sorted(before.names.keys() | after.names.keys()):
            name = self._ground.group(id_).name
            was, is_ = before.names.get(id_, name), after.names.get(id_, name)
            if was != is_:
                yield Renaming(id_, was, is_)


def _joined(before: Standing, after: Standing) -> Iterator[Newcomer]:
    for id_ in sorted(after.hired.keys() - before.hired.keys()):
        hired = after.hired[id_]
        memberships = tuple((*place, level) for place, level in hired.memberships)
        yield Newcomer(id_, hired.person.username, memberships)


def _left(before: Standing, after: Standing) -> Iterator[Leaver]:
    for id_, hired in sorted(before.hired.items()):
        now = after.hired.get(id_)
        if now is None:
            yield Leaver(id_, hired.person.username, "gone")
        elif now.person.state != hired.person.state:
            yield Leaver(id_, hired.person.username, now.person.state)


class PeriodReport:
    """The ground with the differences of one period: an `AccessReport`."""

    def __init__(self, ground: Ground, standing: Standing, period: int) -> None:
        self.identity = f"{ground.identity} in {period}"
        self.is_long = len(ground.person_ids) + len(ground.project_ids) > _LONG
        self._ground = ground
        self._standing = standing
        self._newcomers: dict[Place, dict[int, str]] = {}
        for hired in standing.hired.values():
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
