"""When each project last started a pipeline: asked of one, or of all for a list in that order.

No site is made for it. What is found holds until the project's next pipeline, so that a list of
all projects costs only what has changed since somebody last asked.
"""

from __future__ import annotations

from heapq import heapify, heapreplace
from typing import TYPE_CHECKING

from platui.emulator.world.rhythm import Rhythm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.timetable import Roster

_Span = tuple[float, float, int]
"""From when up to when a pipeline is the newest, and after how many changes of schedules."""


class Activity:
    """The newest pipelines of a company's own projects, by lane, in seconds since 1970."""

    def __init__(
        self,
        chance: Chance,
        clockwork: Clockwork,
        blueprints: Sequence[Blueprint],
        roster: Callable[[Blueprint], Roster],
        changes: Callable[[], int],
    ) -> None:
        """Know nothing yet.

        Args:
            chance: what decides when pipelines start.
            clockwork: how the company counts time.
            blueprints: the projects, by lane.
            roster: returns the schedules of a project.
            changes: tells how often schedules of the company's own were changed.
        """
        self._chance = chance
        self._clockwork = clockwork
        self._blueprints = blueprints
        self._roster = roster
        self._changes = changes
        self._spans: dict[int, _Span] = {}
        self._newest: list[float] = []
        self._ends: list[tuple[float, int]] = []
        self._asked = (0.0, 0)
        """When all were asked for last, and after how many changes."""

    def of(self, lane: int, now: float) -> float:
        """Return when a project started its newest pipeline; 0 before its first."""
        return self._span(lane, now)[0]

    def all(self, now: float) -> Sequence[float]:
        """Return that for all projects; what is returned changes with the next call."""
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
