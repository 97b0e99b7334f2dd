"""The projects of a company; only some sites are kept, so nothing that matters may be in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heapreplace
from typing import TYPE_CHECKING, Final

from platui_emulator.records import Person, WorldError
from platui_emulator.world.blueprints import FIRST_PROJECT, Blueprint
from platui_emulator.world.pipeline_starts import Rhythm
from platui_emulator.world.project_simulation import ProjectSimulation
from platui_emulator.world.timetable import ProjectSchedules, Timetable

if TYPE_CHECKING:
    from platui_emulator.world.causes import Incidents
    from platui_emulator.world.clock import CompanyClock, SeededRandom
    from platui_emulator.world.journal import Interventions


_Span = tuple[float, float, int]
"""From when up to when a pipeline is the newest, and after how many changes of schedules."""


class Activity:
    """The newest pipelines of a company's own projects, by lane, in seconds since 1970."""

    def __init__(
        self,
        chance: SeededRandom,
        clockwork: CompanyClock,
        blueprints: Sequence[Blueprint],
        roster: Callable[[Blueprint], ProjectSchedules],
        changes: Callable[[], int],
    ) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._blueprints = blueprints
        self._roster = roster
        self._changes = changes
        self._spans: dict[int, _Span] = {}
        self._newest: list[float] = []
        self._ends: list[tuple[float, int]] = []
        self._asked = (0.0, 0)

    def of(self, lane: int, now: float) -> float:
        """Return when a project started its newest pipeline; 0 before its first."""
        return self._span(lane, now)[0]

    def all(self, now: float) -> Sequence[float]:
        """Return the start of the newest pipeline by project; the next call reuses it."""
        changes = self._changes()
        if not self._newest or now < self._asked[0] or changes != self._asked[1]:
            spans = [self._span(lane, now) for lane in range(len(self._blueprints))]
            self._newest = [span[0] for span in spans]
            self._ends = [(span[1], lane) for lane, span in enumerate(spans)]
            heapify(self._ends)
        while self._ends[0][0] <= now:
            lane = self._ends[0][1]
            self._newest[lane], until, _ = self._span(lane, now)
            heapreplace(self._ends, (until, lane))
        self._asked = now, changes
        return self._newest

    def _span(self, lane: int, now: float) -> _Span:
        known = self._spans.get(lane)
        if known is None or not known[0] <= now < known[1] or known[2] != self._changes():
            known = self._spans[lane] = self._look(self._blueprints[lane], now)
        return known

    def _look(self, blueprint: Blueprint, now: float) -> _Span:
        rhythm = Rhythm(self._chance, self._clockwork, blueprint, self._roster(blueprint))
        newest = rhythm.newest(now)
        since = rhythm.created(newest) if newest else 0.0
        return since, rhythm.created(newest + 1), self._changes()


_SITES: Final = 64


class ProjectPool:
    """The projects of a company, without added ones."""

    def __init__(
        self,
        chance: SeededRandom,
        clockwork: CompanyClock,
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
        self._sites: dict[int, ProjectSimulation] = {}
        self._retired: dict[int, int] = {}
        self.activity = Activity(
            chance, clockwork, blueprints, self._roster, lambda: len(self._retired)
        )

    def __contains__(self, project_id: int) -> bool:
        return 0 <= project_id - FIRST_PROJECT < len(self.blueprints)

    def get(self, project_id: int) -> ProjectSimulation | None:
        return self.at(project_id - FIRST_PROJECT) if project_id in self else None

    def require(self, project_id: int) -> ProjectSimulation:
        """Return the site of a project. Raises WorldError: it has none, so no branch either."""
        site = self.get(project_id)
        if site is None:
            # Added projects are empty: they have no branch to run anything on.
            raise WorldError("Reference not found")
        return site

    def at(self, lane: int) -> ProjectSimulation:
        """Return the site of that place among the projects."""
        site = self._sites.pop(lane, None) or self._make(lane)
        self._sites[lane] = site
        if len(self._sites) > _SITES:
            self._sites.pop(next(iter(self._sites))).take_apart()
        return site

    def _roster(self, blueprint: Blueprint) -> ProjectSchedules:
        return ProjectSchedules(self._timetable.of(blueprint), self._retired)

    def _make(self, lane: int) -> ProjectSimulation:
        blueprint = self.blueprints[lane]
        return ProjectSimulation(
            self._chance,
            self._clockwork,
            blueprint,
            self._roster(blueprint),
            self.incidents,
            self._staff,
            self._interventions,
        )
