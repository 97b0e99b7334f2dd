"""The projects of a company: their records at hand, their sites made when somebody asks for them.

A site keeps plans and commits that were asked for, so only some sites are kept: a company of
any size takes the memory of a small one. Nothing may be remembered in a site that matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world.activity import Activity
from platui.emulator.world.blueprints import FIRST_PROJECT
from platui.emulator.world.sites import Site
from platui.emulator.world.timetable import Roster

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.emulator.records import Person
    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.causes import Incidents
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.interventions import Interventions
    from platui.emulator.world.timetable import Timetable

_SITES: Final = 64
"""Sites kept: all of a company of sixty."""


class Estate:
    """All projects of a company that nobody added."""

    def __init__(
        self,
        chance: Chance,
        clockwork: Clockwork,
        blueprints: Sequence[Blueprint],
        timetable: Timetable,
        incidents: Incidents,
        staff: Mapping[str, Sequence[Person]],
        interventions: Interventions,
    ) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self.blueprints = blueprints
        self.incidents = incidents
        self._timetable = timetable
        self._staff = staff
        self._interventions = interventions
        self._sites: dict[int, Site] = {}
        self._retired: dict[int, int] = {}
        self.activity = Activity(
            chance, clockwork, blueprints, self._roster, lambda: len(self._retired)
        )

    def __contains__(self, project_id: int) -> bool:
        return 0 <= project_id - FIRST_PROJECT < len(self.blueprints)

    def get(self, project_id: int) -> Site | None:
        """Return the site of a project."""
        return self.at(project_id - FIRST_PROJECT) if project_id in self else None

    def at(self, lane: int) -> Site:
        """Return the site of that place among the projects."""
        site = self._sites.pop(lane, None) or self._make(lane)
        self._sites[lane] = site
        if len(self._sites) > _SITES:
            self._sites.pop(next(iter(self._sites))).take_apart()
        return site

    def _roster(self, blueprint: Blueprint) -> Roster:
        return Roster(self._timetable.of(blueprint), self._retired)

    def _make(self, lane: int) -> Site:
        blueprint = self.blueprints[lane]
        return Site(
            self._chance,
            self._clockwork,
            blueprint,
            self._roster(blueprint),
            self.incidents,
            self._staff,
            self._interventions,
        )
